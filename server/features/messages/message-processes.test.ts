import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenLive } from '#contract/live.ts';
import { markConversationRead, readConversation, sendMessage } from '#contract/messages.ts';
import { buildMessage, buildPair } from '#test/factories/messages.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { sizeOf } from '#test/support/depth.ts';
import { killServerProcesses, openProcessSession, startServerProcess } from '#test/support/server-process.ts';

const each = sizeOf({ usual: 20, deep: 100 });

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(async () => {
  killServerProcesses();
  await server.close();
});

interface Seen {
  id: string;
  text: string;
}

/**
 * Does what a browser does. It sends one message after the other, reads on when it is told to, and goes elsewhere if
 * nobody answers.
 */
function openBrowser(places: string[], cookie: string, partnerId: string) {
  const seen: Seen[] = [];
  const ended = new AbortController();
  let place = 0;
  let reading: Promise<void> | null = null;
  let isToldAgain = false;

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    try {
      const headers = { cookie, ...(init.body ? { 'content-type': 'application/json' } : {}) };
      return await fetch(new URL(path, places[place]), { ...init, headers });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      place = 1 - place;
      return ask(path, init);
    }
  }
  const pathOf = (path: string) => path.replace(':id', partnerId);

  async function readNewer(): Promise<void> {
    for (let hasNewer = true; hasNewer; ) {
      const after = seen.at(-1)?.id;
      const answer = await ask(`${pathOf(readConversation.path)}${after ? `?after=${after}` : ''}`);
      const part = readConversation.response.parse(await answer.json());
      seen.push(...part.messages.map(({ id, text }) => ({ id, text })));
      hasNewer = part.hasNewer;
    }
  }
  /** If the browser is told again while it reads, it reads once more. */
  function readOn(): void {
    isToldAgain = true;
    reading ??= (async () => {
      while (isToldAgain) {
        isToldAgain = false;
        await readNewer();
      }
    })().finally(() => {
      reading = null;
    });
  }
  async function listen(): Promise<void> {
    while (!ended.signal.aborted) {
      const stream = await ask(listenLive.path, { signal: ended.signal });
      readOn();
      const decoder = new TextDecoder();
      let heard = '';
      try {
        for await (const chunk of stream.body ?? []) {
          heard += decoder.decode(chunk, { stream: true });
          if (!heard.includes('"messages"')) continue;
          heard = '';
          readOn();
        }
      } catch (error) {
        // The process was killed, or the test is over.
        if (!(error instanceof TypeError) && !ended.signal.aborted) throw error;
      }
    }
  }
  const listening = listen().catch((error: Error) => {
    if (!ended.signal.aborted) throw error;
  });

  return {
    seen,
    send: async (text: string) => {
      const body = JSON.stringify({ clientKey: randomUUID(), text, fileId: null });
      const answer = await ask(pathOf(sendMessage.path), { method: 'POST', body });
      expect(answer.status, await answer.clone().text()).toBe(200);
    },
    markRead: async () => {
      const body = JSON.stringify({ upToId: seen.at(-1)?.id });
      expect((await ask(pathOf(markConversationRead.path), { method: 'POST', body })).status).toBe(200);
    },
    readUpTo: async () => {
      const answer = await ask(pathOf(readConversation.path));
      return readConversation.response.parse(await answer.json()).readUpToId;
    },
    close: async () => {
      ended.abort();
      await listening;
      await reading;
    },
  };
}

test('many messages between two processes arrive once and in one order, though one is killed in the middle', async () => {
  const { coach, participant } = await buildPair(server.db);
  const [[doomed, child], [other]] = await Promise.all([startServerProcess(server), startServerProcess(server)]);
  const [coachCookie, participantCookie] = [
    await openProcessSession(server, coach),
    await openProcessSession(server, participant),
  ];
  const ofCoach = openBrowser([doomed, other], coachCookie, participant.id);
  const ofParticipant = openBrowser([other, doomed], participantCookie, coach.id);
  const browsers = [ofCoach, ofParticipant];

  const texts = browsers.map((_, index) => Array.from({ length: each }, (_, n) => `${index} ${n}`));
  await Promise.all(
    browsers.map(async ({ send }, index) => {
      for (const [n, text] of (texts[index] ?? []).entries()) {
        if (index === 0 && n === each / 2) child.kill('SIGKILL');
        await send(text);
      }
    }),
  );
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  await expect.poll(() => browsers.map(({ seen }) => seen.length)).toEqual([2 * each, 2 * each]);

  const order = ofCoach.seen.map(({ text }) => text);
  expect(ofParticipant.seen).toEqual(ofCoach.seen);
  for (const index of [0, 1]) expect(order.filter((text) => text.startsWith(`${index} `))).toEqual(texts[index]);

  await Promise.all(browsers.map(({ markRead }) => markRead()));
  const newestOf = (index: number) => ofCoach.seen.findLast(({ text }) => text.startsWith(`${index} `))?.id;
  expect(await Promise.all(browsers.map(({ readUpTo }) => readUpTo()))).toEqual([newestOf(0), newestOf(1)]);
  await Promise.all(browsers.map(({ close }) => close()));
});

test('a request that SIGTERM finds at work is answered, and its work is done, before the process ends', async () => {
  const { coach, participant } = await buildPair(server.db);
  const message = await buildMessage(server.db, coach, participant);
  const [url, child] = await startServerProcess(server);
  const exited = once(child, 'exit');
  const cookie = await openProcessSession(server, participant);
  const markRead = (): Promise<Response> =>
    fetch(new URL(markConversationRead.path.replace(':id', coach.id), url), {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ upToId: message.id }),
    });
  const { asked } = await server.db.transaction().execute(async (db) => {
    await db.selectFrom('coachMessages').select('id').where('id', '=', message.id).forUpdate().execute();
    const asked = markRead();
    await expect.poll(waitingForLocks).toBe(1);
    child.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(url).then(
          () => 'answers',
          () => 'is closed',
        ),
      )
      .toBe('is closed');
    return { asked };
  });
  const answer = await asked;
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ readCount: 1 });
  expect(await exited).toEqual([0, null]);
});

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike '%coach_messages%'`.execute(
    server.db,
  );
  return rows[0]?.n ?? 0;
}
