import { dayIn } from '#contract/moments.ts';
import { addDays } from '#contract/weeks.ts';
import { buildCoach } from '#test/factories/people.ts';
import { expectAccessible, expectAccessibleInBothColours } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { buildMember, enter, row, today } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, test } from './support.ts';
import { toast } from './toasts.ts';
import { tryAgain } from './try-again.ts';

let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@people.example');
});
test.afterAll(() => instance.stop());

test.describe('on a device in Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });

  test('CAL-09 CAL-10 CAL-11 CAL-17 TIME-01 TIME-03 TIME-05 in another zone every state has its word; a locked activity stays closed to participants only', async ({
    page,
    openWindow,
  }) => {
    const { participant, session, attend } = await buildMember(instance);
    await attend((await session('Done session', 4, -7)).id);
    await session('Missed session', 4, -6);
    await session('Session of today', 5, 0, { sessionTime: '21:30' });
    await session('Coming session', 5, 1);
    await session('Session without a day', 5, null);
    const later = await session('Session of week six', 6, 5);
    await enter(page, instance, participant);
    await page.goto(`${instance.url}/training-calendar?view=list`);
    await page.getByRole('button', { name: /^Week 4/ }).click();
    for (const [title, word] of [
      ['Done session', 'Completed'],
      ['Missed session', 'Overdue'],
      ['Session of today', 'Today'],
      ['Coming session', 'Upcoming'],
      ['Session of week six', 'Locked'],
    ] as const) {
      await expect(row(page, title).getByText(word, { exact: true })).toBeVisible();
    }
    await expect(row(page, 'Session of today')).toContainText(
      new RegExp(` ${Number(today().slice(8))} [A-Z][a-z]{2}, 9:30 PM ET`),
    );
    await expect(row(page, 'Session without a day')).toContainText('Not scheduled');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Session of week six' }).click();
    const notice = toast(page, `Opens ${dayIn(new Date(`${addDays(today(), 5)}T12:00:00Z`), 'UTC')}`);
    await expect(notice).toBeVisible();
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    const covered = await notice.boundingBox();
    expect(covered?.y ?? 0).toBeGreaterThan((heading?.y ?? 0) + (heading?.height ?? 0));
    expect(new URL(page.url()).pathname).toBe('/training-calendar');
    await page.getByRole('link', { name: 'Coming session' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Coming session' })).toBeVisible();

    const asCoach = await openWindow();
    await enter(asCoach, instance, await buildCoach(instance.db));
    await asCoach.goto(`${instance.url}/training-calendar?view=list&search=week%20six`);
    await asCoach.getByRole('link', { name: 'Session of week six' }).click();
    await asCoach.waitForURL(`**/activity/${later.id}`);
    await expect(asCoach.getByText('Complete This Activity')).toHaveCount(0);
  });
});

test('CAL-01 CAL-02 CAL-04 CAL-07 CAL-08 search, week, module and view are in the address and survive a reload', async ({
  page,
}) => {
  const { participant, session } = await buildMember(instance);
  await session('Relays for beginners', 3, -14, { moduleName: 'Field Service Engineering' });
  await session('Panels', 3, -13, { description: 'Also about RELAYS.' });
  await session('Transformers', 5, 0);
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/training-calendar?week=3&view=list`);
  await expect(page.getByRole('combobox', { name: 'Week' })).toHaveValue('Week 3');
  await expect(row(page, 'Panels')).toBeVisible();
  await expect(row(page, 'Transformers')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Week' }).click();
  const offered = page.getByRole('option');
  await expect(offered).toHaveCount(21);
  await expect(offered.nth(1)).toHaveText('Week 1');
  await expect(offered.last()).toHaveText('Week 20');
  await offered.first().click();
  await expect(page.getByRole('combobox', { name: 'Week' })).toHaveValue('All weeks');
  await expect(page).not.toHaveURL(/week=/);
  await expect(row(page, 'Transformers')).toBeVisible();

  await page.goto(`${instance.url}/training-calendar?module=Field%20Service%20Engineering&view=list`);
  await expect(row(page, 'Relays for beginners')).toBeVisible();
  await expect(row(page, 'Panels')).toHaveCount(0);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('relays');
  await expect(row(page, 'Transformers')).toHaveCount(0);
  await expect(row(page, 'Panels')).toBeVisible();
  await expect(page).toHaveURL(/search=relays/);
  await page.reload();
  await expect(row(page, 'Relays for beginners')).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('relays');

  await page.getByText('Calendar', { exact: true }).click();
  await expect(page.getByRole('columnheader')).toHaveCount(7);
  await page.getByText('List', { exact: true }).click();
  await expect(page).toHaveURL(/view=list/);
  await expect(page.getByRole('columnheader')).toHaveCount(0);

  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing of this name');
  await expect(page.getByRole('heading', { name: 'No matching activities' })).toBeVisible();
});

test('CAL-05 CAL-06 the month grid runs Monday to Sunday and shows three items a day, then how many more', async ({
  page,
}) => {
  const { participant, session } = await buildMember(instance);
  for (let number = 1; number <= 12; number++) await session(`Clinic ${number}`, 5, 0);
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/training-calendar`);
  await expect(page.getByRole('columnheader')).toHaveText(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
  const day = page.locator('td[aria-current=date]');
  await expect(day.getByRole('link')).toHaveCount(3);
  await expectAccessible(page);
  await day.getByRole('button', { name: '+9 more' }).click();
  const all = page.getByRole('dialog');
  await expect(all.getByRole('link')).toHaveCount(12);
  await expect(all, 'however much is on').toBeInViewport({ ratio: 1 });
  await all.getByRole('link', { name: /^Clinic 5/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Clinic 5' })).toBeVisible();
});

test('CAL-24 CAL-25 ERR-02 a calendar that fails says so and can be tried again; an empty one warns and stays usable', async ({
  page,
}) => {
  const { participant } = await buildMember(instance);
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/training-calendar`);
  await expect(toast(page, 'No Training Activities')).toHaveAttribute('data-toast', 'warning');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeEnabled();

  await page.route('**/api/training-calendar*', (route) => route.fulfill({ status: 503, body: 'away' }));
  await page.reload();
  await expect(page.getByText('Failed to load training calendar data')).toBeVisible();
  await expect(page.getByText(/^Failed to load training activities: \S/)).toBeVisible();
  await tryAgain(page, '**/api/training-calendar*');
  await expect(page.getByRole('heading', { name: 'No training activities yet' })).toBeVisible();
});

test('on a phone the list opens at this week, the month at today, and the filters are folded', async ({ page }) => {
  const { participant, session } = await buildMember(instance);
  for (const week of [1, 2, 3, 4]) await session(`Session of week ${week}`, week, 7 * (week - 5));
  await session('Session of today', 5, 0);
  await session('Another session of today', 5, 0);
  await session('Session of week seven', 7, 14);
  await page.setViewportSize({ width: 360, height: 740 });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/training-calendar`);
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(/^Week 5 · this week/);
  await expect(row(page, 'Session of today').first()).toBeInViewport();
  await expect(page.getByRole('combobox', { name: 'Week' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByRole('combobox', { name: 'Week' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show results' }).click();

  await page.getByRole('button', { name: 'Weeks 1 to 4 · 4 activities, 4 overdue' }).click();
  await row(page, 'Session of week 2').getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Session of week 2' })).toBeVisible();
  await page.goBack();
  await expect(row(page, 'Session of week 2')).toBeVisible();
  await expect(row(page, 'Session of week seven')).toHaveCount(0);
  await page.getByRole('button', { name: 'Week 7 · 1 activity' }).click();
  await expect(row(page, 'Session of week seven')).toBeVisible();

  await page.goto(`${instance.url}/training-calendar?view=calendar`);
  await expect(page.getByRole('columnheader')).toHaveText(['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']);
  const openDay = page.getByRole('button', { name: /\bSession of today \(Today\)/ });
  await expect(openDay).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('region', { name: /today$/ }).getByRole('listitem')).toHaveCount(2);
  await page.getByRole('button', { name: 'Previous month' }).click();
  await page.getByRole('button', { name: 'Today' }).click();
  await expect(openDay).toBeVisible();
  await expectAccessibleInBothColours(page);
});

test('a calendar program reads the address that the person made, until it is renewed or removed', async ({
  page,
  playwright,
}) => {
  const { participant, session } = await buildMember(instance);
  const { id } = await session('Relay lab', 5, 2);
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/training-calendar`);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page).toHaveURL(/dialog=subscribe/);
  const dialog = page.getByRole('dialog', { name: 'Subscribe to your calendar' });
  await dialog.getByRole('button', { name: 'Make my calendar address' }).click();
  const shown = dialog.getByRole('textbox', { name: 'Your calendar address' });
  const program = await playwright.request.newContext();
  const address = await shown.inputValue();
  const read = await program.get(address);
  expect(read.headers()['content-type']).toContain('text/calendar');
  expect(await read.text()).toContain(`UID:activity-${id}@switchyard`);
  await expect(dialog.getByRole('link', { name: 'Open in calendar app' })).toHaveAttribute(
    'href',
    address.replace('http:', 'webcal:'),
  );
  await expectAccessibleInBothColours(page);

  await page.reload();
  await expect(shown).toHaveValue(address);
  await expect(dialog.getByText(/^Last read by a calendar app/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Make a new address' }).click();
  await page.getByRole('button', { name: 'Make new address' }).click();
  await expect(shown).not.toHaveValue(address);
  expect((await program.get(address)).status()).toBe(404);
  const renewed = await shown.inputValue();
  expect((await program.get(renewed)).status()).toBe(200);
  await dialog.getByRole('button', { name: 'Remove address' }).click();
  await page
    .getByRole('dialog', { name: 'Remove your calendar address?' })
    .getByRole('button', { name: 'Remove' })
    .click();
  await expect(dialog.getByRole('button', { name: 'Make my calendar address' })).toBeVisible();
  expect((await program.get(renewed)).status()).toBe(404);
  await program.dispose();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page).not.toHaveURL(/dialog/);
  await expect(page.getByRole('button', { name: 'Subscribe' })).toBeFocused();

  await page.goto(`${instance.url}/activity/${id}`);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Add to calendar: Relay lab' }).click();
  expect((await download).suggestedFilename()).toBe('switchyard-activity.ics');
});
