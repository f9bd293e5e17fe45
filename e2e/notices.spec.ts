import { readNotificationPreferences } from '#contract/notices.ts';
import { buildNotice } from '#test/factories/notices.ts';
import { expectAccessibleInBothColours } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { addresses, enter, heading, pathOf, roles, sidebar, startInstanceWithRoles } from './shell-people.ts';
import { expect, test } from './support.ts';
import { toast } from './toasts.ts';
import { tryAgain } from './try-again.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithRoles();
});
test.afterAll(() => instance.stop());

const address = '/preferences/notifications';
const problem = {
  status: 503,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: 'about:blank',
    title: 'Unavailable',
    status: 503,
    code: 'unavailable',
    detail: 'The server is being restarted.',
    instance: null,
    errors: null,
  }),
};

/** The switch tells each role what it stops for them. */
const stipendUpdates = {
  participant: /your stipend was decided or paid/,
  coach: /asks to correct attendance/,
  admin: /participant without a coach asks/,
};

test('PREF-01 PREF-02 PREF-03 PREF-12 every role has the eight toggles, and reads when reminders are sent', async ({
  page,
}) => {
  for (const role of roles) {
    await enter(instance, page, role);
    await page.goto(instance.url + address);
    await expect(heading(page, 'Notification Preferences')).toBeVisible();
    const channels = page.getByRole('region', { name: 'Channels' });
    const categories = page.getByRole('region', { name: 'Categories' });
    for (const name of ['Email', 'SMS', 'Push']) await expect(channels.getByRole('switch', { name })).toBeVisible();
    const names = [
      'Assignment reminders',
      'Deadline alerts',
      'Performance feedback',
      'Stipend updates',
      'Coach messages',
    ];
    for (const name of names) await expect(categories.getByRole('switch', { name })).toBeVisible();
    await expect(page.getByRole('switch')).toHaveCount(8);
    await expect(channels).toContainText('SMS is not set up here.');
    await expect(categories).toContainText(
      /Assignment reminders come 24 hours before the due date, reminders of coaching sessions 24 hours before the session, and message notifications immediately\./,
    );
    await expect(categories).toContainText('coaching sessions that are in your calendar');
    const switched = categories.getByRole('switch', { name: 'Stipend updates' });
    await expect(switched).toHaveAccessibleDescription(stipendUpdates[role]);
  }
});

test('PREF-05 PREF-06 PREF-07 ERR1-06 ERR1-07 ERR1-09 what is chosen is saved and there after a reload; a save or load that fails says so and loses nothing', async ({
  page,
}) => {
  await enter(instance, page, 'participant');
  await page.goto(instance.url + address);
  const save = page.getByRole('button', { name: 'Save preferences' });
  const states = async () => {
    const switches = await page.getByRole('switch').all();
    return Promise.all(switches.map((toggle) => toggle.isChecked()));
  };
  await expect(save).toBeVisible();
  expect(await states()).toEqual([true, false, true, true, true, true, true, true]);
  for (const name of ['SMS', 'Push', 'Stipend updates']) {
    await page.getByRole('switch', { name }).press('Space');
  }
  const chosen = [true, true, false, true, true, true, false, true];

  await page.route(`**${readNotificationPreferences.path}`, (route) =>
    route.request().method() === 'PUT' ? route.fulfill(problem) : route.continue(),
  );
  await save.click();
  const failure = toast(page, 'Save Failed');
  await expect(failure).toContainText('The server is being restarted.');
  expect(await states()).toEqual(chosen);
  await page.unrouteAll();
  await save.click();
  await expect(toast(page, 'Preferences Saved')).toBeVisible();
  await page.reload();
  await expect(save).toBeVisible();
  expect(await states()).toEqual(chosen);

  await page.route(`**${readNotificationPreferences.path}`, (route) => route.fulfill(problem));
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Failed to load notification preferences');
  await expect(page.getByRole('switch')).toHaveCount(0);
  await tryAgain(page, `**${readNotificationPreferences.path}`);
  await expect(save).toBeVisible();
  expect(await states()).toEqual(chosen);
});

for (const width of [1280, 360]) {
  test(`at ${width} px the bell counts what is unread, leads to its place by keyboard, and marks all as read`, async ({
    page,
  }) => {
    const { id: userId } = await instance.db
      .selectFrom('profiles')
      .select('id')
      .where('email', '=', addresses.coach)
      .executeTakeFirstOrThrow();
    await instance.db.deleteFrom('notices').where('userId', '=', userId).execute();
    const link = '/submissions?tab=pending';
    for (const title of ['First', 'Second', 'Third']) await buildNotice(instance.db, { userId, title, link });
    await page.setViewportSize({ width, height: 720 });
    await enter(instance, page, 'coach');
    await page.goto(`${instance.url}/dashboard`);
    const bell = page.getByRole('button', { name: /^Notifications, / });
    await expect(bell).toHaveCount(1);
    await expect(bell).toHaveAccessibleName('Notifications, 3 unread');
    await bell.press('Enter');
    const list = page.getByRole('dialog', { name: 'Notifications' });
    await expect(list.getByRole('link', { name: /^(First|Second|Third)/ })).toHaveCount(3);
    await expectAccessibleInBothColours(page);
    await page.keyboard.press('Escape');
    await expect(list).toHaveCount(0);
    await expect(bell).toBeFocused();
    await page.keyboard.press('Enter');
    // Until the opened list has the focus, it could take it back from the link.
    await expect.poll(() => list.evaluate((box) => box.contains(document.activeElement))).toBe(true);
    await list.getByRole('link', { name: /^Third/ }).press('Enter');
    await page.waitForURL(/\/submissions\?tab=pending/);
    await expect(bell).toHaveAccessibleName('Notifications, 2 unread');
    await bell.click();
    await list.getByRole('button', { name: 'Mark all as read' }).click();
    await expect(bell).toHaveAccessibleName('Notifications, none unread');
    await expect(sidebar(page).locator(`a[href="${address}"]`)).toHaveCount(1);
    await list.getByRole('link', { name: 'Notification preferences' }).click();
    await expect(heading(page, 'Notification Preferences')).toBeVisible();
    expect(pathOf(page)).toBe(address);
  });
}

test('a push message that reaches the browser is shown in its words and keeps its place, unless it was read meanwhile', async ({
  playwright,
  launchOptions,
}) => {
  // Only a persistent profile takes push messages.
  const context = await playwright.chromium.launchPersistentContext('', launchOptions);
  const page = await context.newPage();
  await enter(instance, page, 'coach');
  await page.goto(instance.url + address);
  await expect(page.getByText('This browser shows no push notifications yet.')).toBeVisible();
  const browser = await context.newCDPSession(page);
  const activated = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const active = versions.find(({ status }) => status === 'activated');
      if (active) resolve(active.registrationId);
    });
  });
  await browser.send('ServiceWorker.enable');
  const started = context.waitForEvent('serviceworker');
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js');
  });
  const [worker, registrationId] = await Promise.all([started, activated]);
  // A headless browser has no place for notifications, so the test records what the worker would show.
  await worker.evaluate(() => {
    const shown: unknown[] = [];
    Object.assign(globalThis, { shown });
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      shown.push({ title, body: options?.body, data: options?.data });
    };
  });
  const { id: userId } = await instance.db
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', addresses.coach)
    .executeTakeFirstOrThrow();
  const [read, unread] = await instance.db
    .insertInto('noticeEvents')
    .values(['read', 'unread'].map((state) => ({ userId, kind: 'review', eventKey: `push test ${state}` })))
    .returning('id')
    .execute();
  await instance.db
    .insertInto('notices')
    .values({ userId, kind: 'review', title: 'Read', eventId: read?.id, readAt: new Date() })
    .execute();
  for (const [body, tag] of [
    ['Held back until it was read', read?.id],
    ['Casey Cole: Hello', unread?.id],
  ]) {
    const data = JSON.stringify({ title: 'New Message', body, link: '/cohorts', tag });
    await browser.send('ServiceWorker.deliverPushMessage', { origin: instance.url, registrationId, data });
  }
  // The worker asks about each notice separately. The first answer is shown first.
  const titled = () => worker.evaluate(() => Reflect.get(globalThis, 'shown') as { title: string }[]);
  await expect
    .poll(async () => (await titled()).toSorted((one, other) => one.title.localeCompare(other.title)))
    .toEqual([
      { title: 'New Message', body: 'Casey Cole: Hello', data: { link: '/cohorts' } },
      { title: 'Switchyard: nothing new', data: { link: '/dashboard' } },
    ]);
  await context.close();
});
