import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { robin, sessionOf } from '#test/support/web-screens.tsx';
import { mostOfARowPx, pictureOf } from './keep.ts';
import { openPicture, type Shown, sealPicture } from './seal.ts';

const keyOf = (letter: string) => btoa(letter.repeat(32));
const session = sessionOf(robin, { deviceKey: keyOf('a'), unreadMessages: 2 });
const shown: Shown = [session, { today: '2026-03-02', owed: 5 }];
const html = '<p>Thị Minh Anh, two messages</p>';

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => vi.useRealTimers());

test('a picture opens with the answers that it shows, however late they come', async () => {
  const kept = await sealPicture(html, shown);
  expect(JSON.stringify(kept)).not.toContain('messages');
  const later = { ...session, serverTime: '2027-01-01T00:00:00.000Z', expiresAt: '2027-01-08T00:00:00.000Z' };
  expect(await openPicture(kept, shown)).toBe(html);
  expect(await openPicture(kept, [later, { today: '2026-03-02', owed: 5 }])).toBe(html);
});

test.each<[string, Shown]>([
  ['the dashboard has changed', [session, { today: '2026-03-02', owed: 6 }]],
  ['another session', [{ ...session, deviceKey: keyOf('b') }, shown[1]]],
  ['nobody is signed in', [{ ...session, deviceKey: null }, shown[1]]],
  ['something in the frame has changed', [{ ...session, unreadMessages: 3 }, shown[1]]],
])('no picture opens if %s', async (_, others) => {
  expect(await openPicture(await sealPicture(html, shown), others)).toBeNull();
});

test('no picture opens in another width, in another color scheme, with another sidebar, or on another day', async () => {
  const kept = await sealPicture(html, shown);
  const width = innerWidth;
  window.innerWidth = width + 1;
  expect(await openPicture(kept, shown)).toBeNull();
  window.innerWidth = width;
  for (const [key, value] of [
    ['mantine-color-scheme-value', 'dark'],
    ['switchyard.sidebar-collapsed', 'true'],
    ['switchyard.more-screens-shown', 'true'],
  ] as const) {
    localStorage.setItem(key, value);
    expect(await openPicture(kept, shown), key).toBeNull();
    localStorage.removeItem(key);
  }
  localStorage.setItem(`switchyard.draft.${robin.id}`, 'Of a person, and on no dashboard');
  expect(await openPicture(kept, shown)).toBe(html);
  vi.setSystemTime(Date.now() + 24 * 3600 * 1000);
  expect(await openPicture(kept, shown)).toBeNull();
});

test('no picture opens that somebody has written or changed', async () => {
  const kept = await sealPicture(html, shown);
  const [one, other] = [await sealPicture('<p>One</p>', shown), await sealPicture('<p>Two</p>', shown)];
  expect(await openPicture({ ...one, sealed: other.sealed }, shown)).toBeNull();
  expect(await openPicture({ ...kept, sealed: 'not base64!' }, shown)).toBeNull();
  expect(await openPicture({ ...kept, sealed: btoa('<p>Mine</p>') }, shown)).toBeNull();
});

test('a picture has what is in sight and comes from the dashboard, and of the rest only its height', () => {
  const root = document.createElement('div');
  root.innerHTML =
    '<main><p>Seen</p><section><p>Below</p></section><div data-own-reads="readBooking"><p>Free at nine</p></div></main>';
  const tops = { MAIN: 0, P: 10, SECTION: Math.max(innerHeight, screen.height) + mostOfARowPx };
  for (const element of root.querySelectorAll('*')) {
    const top = tops[element.tagName as keyof typeof tops];
    element.getBoundingClientRect = () => new DOMRect(0, top, 100, 240);
  }
  expect(pictureOf(root)).toBe(
    '<main><p>Seen</p><section style="height: 240px;"></section>' +
      '<div data-own-reads="readBooking" style="height: 240px;"></div></main>',
  );
  expect(root.textContent).toBe('SeenBelowFree at nine');
});
