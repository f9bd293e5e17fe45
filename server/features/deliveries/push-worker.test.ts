import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

interface Shown {
  title: string;
  tag: string;
  silent?: boolean;
  isClosed: boolean;
}

const source = readFile(new URL('../../../web/public/sw.js', import.meta.url), 'utf8');

/** Returns what the browser shows of a pushed notice while the server answers so. */
async function shownWhile(fetch: () => Promise<Response>): Promise<Shown[]> {
  const shown: Shown[] = [];
  const listeners = new Map<string, (event: object) => void>();
  const self = {
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    registration: {
      showNotification: async (title: string, facts: { tag: string }) =>
        void shown.push({ title, ...facts, isClosed: false }),
      getNotifications: async ({ tag }: { tag: string }) =>
        shown.filter((one) => one.tag === tag).map((one) => ({ close: () => Object.assign(one, { isClosed: true }) })),
    },
  };
  runInNewContext(await source, { self, fetch, AbortSignal });
  const pushed = { title: 'New Message', body: 'Casey Cole: A private matter', link: '/cohorts', tag: 'an-event' };
  const work: unknown[] = [];
  listeners.get('push')?.({ data: { json: () => pushed }, waitUntil: (one: unknown) => work.push(one) });
  await Promise.all(work);
  return shown;
}

const answer = (status: number, body: object = {}) => shownWhile(async () => Response.json(body, { status }));

test('a browser in which nobody is signed in any more shows that something came, and none of its words', async () => {
  const [shown, ...others] = await answer(401);
  expect(others).toEqual([]);
  expect(shown).toMatchObject({ title: 'Switchyard: sign in to read it', tag: 'an-event', isClosed: false });
  expect(JSON.stringify(shown)).not.toMatch(/Casey|private|New Message/);
});

test('news are shown in words, also where nobody answers; of what is read, or for somebody else, no word stays', async () => {
  const words = [{ title: 'New Message', body: 'Casey Cole: A private matter', isClosed: false }];
  expect(await answer(200, { isNews: true })).toMatchObject(words);
  expect(await answer(503)).toMatchObject(words);
  expect(await shownWhile(async () => Promise.reject(new TypeError('Failed to fetch')))).toMatchObject(words);
  for (const old of [await answer(200, { isNews: false }), await answer(404)]) {
    // Safari ends a subscription if a push message shows nothing.
    expect(old).toMatchObject([{ title: 'Switchyard: nothing new', silent: true, isClosed: true }]);
    expect(JSON.stringify(old)).not.toMatch(/Casey|private|New Message/);
  }
});

/** Returns what a click on a notification does while these addresses are open in tabs. */
async function clickOn(link: string, tabs: string[]) {
  const done: string[] = [];
  const listeners = new Map<string, (event: object) => void>();
  const self = {
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    location: { origin: 'https://switchyard.example' },
    clients: {
      matchAll: async () => tabs.map((url) => ({ url, focus: async () => void done.push(`focus ${url}`) })),
      openWindow: async (url: string) => void done.push(`open ${url}`),
    },
  };
  runInNewContext(await source, { self, URL });
  const work: unknown[] = [];
  listeners.get('notificationclick')?.({
    notification: { data: { link }, close: () => void done.push('close') },
    waitUntil: (one: unknown) => work.push(one),
  });
  await Promise.all(work);
  return done;
}

test('a click on a notification brings the tab with its place to the front, else opens it, and never leads elsewhere', async () => {
  const place = 'https://switchyard.example/cohorts?with=casey';
  const other = 'https://switchyard.example/assignment/1';
  expect(await clickOn('/cohorts?with=casey', [other, place])).toEqual(['close', `focus ${place}`]);
  expect(await clickOn('/cohorts?with=casey', [other])).toEqual(['close', `open ${place}`]);
  expect(await clickOn('/cohorts?with=casey', [])).toEqual(['close', `open ${place}`]);
  for (const foreign of ['https://evil.example/', '//evil.example/', 'javascript:alert(1)']) {
    expect(await clickOn(foreign, [])).toEqual(['close']);
  }
});
