import { expect, signIn, test } from './support.ts';

test('a window that a test leaves is empty for the next one', async ({ demo, page, openWindow, windows }) => {
  await signIn(page, demo.url, 'participant@demo.example');
  await page.goto(`${demo.url}/change-password`);
  await page.evaluate(async () => {
    localStorage.setItem('left', 'here');
    sessionStorage.setItem('left', 'here');
    await caches.open('left');
    await new Promise((opened) => {
      indexedDB.open('left').onsuccess = opened;
    });
  });
  await page.route('**/login', (route) => route.abort());
  await page.context().setOffline(true);
  await page.setViewportSize({ width: 360, height: 700 });
  await page.emulateMedia({ colorScheme: 'dark' });

  await windows.emptyTaken();
  const next = await openWindow();
  expect(next).toBe(page);
  await next.goto(`${demo.url}/login`);
  await expect(next.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  const left = await next.evaluate(async () => ({
    stored: [localStorage.getItem('left'), sessionStorage.getItem('left')],
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    look: [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches],
  }));
  expect(left.stored).toEqual([null, null]);
  expect(left.caches).not.toContain('left');
  expect(left.databases).not.toContain('left');
  expect(left.look).toEqual([1280, false]);
});

test('two windows of one test are two browsers', async ({ demo, page, openWindow }) => {
  await signIn(page, demo.url, 'participant@demo.example');
  const other = await openWindow();
  expect(other).not.toBe(page);
  await other.goto(`${demo.url}/dashboard`);
  await other.waitForURL('**/login*');
});

test('every request that is on its way when a test stops intercepting is answered', async ({ demo, page }) => {
  await page.goto(`${demo.url}/favicon.svg`);
  for (let round = 1; round <= 8; round += 1) {
    await page.route('**/healthz', (route) => route.abort());
    const settled = page.evaluate(async () => {
      const inTurn = async () => {
        let count = 0;
        for (; count < 10; count += 1) await fetch('/healthz').catch(() => null);
        return count;
      };
      return (await Promise.all([inTurn(), inTurn(), inTurn()])).reduce((sum, count) => sum + count);
    });
    await page.waitForRequest('**/healthz');
    await page.unroute('**/healthz');
    expect(await settled).toBe(30);
  }
});
