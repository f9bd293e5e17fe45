import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildAvailability, buildCoachingSession } from '../test/factories/coaching.ts';
import { assignCoach } from '../test/factories/cohorts.ts';
import { buildParticipant } from '../test/factories/people.ts';
import { expectAccessible, expectAccessibleInBothColours } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { demoPassword, expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: InstanceWithDatabase;
/** The Sunday after this week's. */
const nextSunday = addDays(
  dayAt(new Date(), houseZone),
  7 - new Date(`${dayAt(new Date(), houseZone)}T00:00:00Z`).getUTCDay(),
);

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@people.example');
});
test.afterAll(() => instance.stop());

async function somebody(email: string, role: 'coach' | 'participant') {
  const trackType = role === 'participant' ? 'fellowship' : null;
  const names = role === 'coach' ? { firstName: 'Casey', lastName: 'Cole' } : { firstName: 'Ana', lastName: 'Alvarez' };
  await createSignInWithPassword(instance.db, { ...names, email, role, trackType, password: demoPassword });
  return instance.db.selectFrom('profiles').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
}

function scheduledWith(coach: { id: string }) {
  return instance.db
    .selectFrom('coachingSessions')
    .selectAll()
    .where('coachId', '=', coach.id)
    .where('status', '=', 'scheduled')
    .orderBy('scheduledAt')
    .execute();
}

test('COACH-47 COACH-48 COACH-49 COACH-50 a participant books a free half hour, reads when it went to somebody else, moves and cancels', async ({
  page,
}) => {
  const coach = await somebody('coach-of-ana@people.example', 'coach');
  const ana = await somebody('ana@people.example', 'participant');
  await instance.db
    .updateTable('profiles')
    .set({
      schedulingEnabled: true,
      schedulingLink: 'https://book.example/cole',
      externalBookingInstructions: 'Briefly.',
    })
    .where('id', '=', coach.id)
    .execute();
  await assignCoach(instance.db, { participantId: ana.id, coachId: coach.id });
  const times = { coachId: coach.id, weekStartDate: nextSunday, dayOfWeek: 2, startTime: '10:00', endTime: '11:30' };
  await buildAvailability(instance.db, times);

  await signIn(page, instance.url, ana.email);
  await page.goto(`${instance.url}/coaching`);
  await expect(page.getByText('Coaching sessions take 30 to 60 minutes.')).toBeVisible();
  const external = page.getByRole('link', { name: /Book a session/ });
  await expect(external).toHaveAttribute('href', 'https://book.example/cole');
  await expect(external).toHaveAttribute('target', '_blank');
  await expect(page.getByText('Briefly.')).toBeVisible();
  const free = page.getByRole('region', { name: "Casey's free times" }).getByRole('button');
  await expect(free).toHaveText(['10:00 AM', '10:30 AM', '11:00 AM']);

  await free.nth(0).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Agenda').fill('The lab report');
  const another = await buildParticipant(instance.db);
  const slot = await firstSlot(times);
  await buildCoachingSession(instance.db, { coachId: coach.id, participantId: another.id, scheduledAt: slot });
  await dialog.getByRole('button', { name: 'Book this session' }).click();
  await expect(page.getByRole('alert')).toContainText('This time slot is no longer available');
  await expect(free).toHaveText(['10:30 AM', '11:00 AM']);

  await free.nth(0).click();
  await expect(dialog.getByLabel('Agenda')).toHaveValue('The lab report');
  await expectAccessibleInBothColours(page);
  await page.route('**/api/coaching/sessions', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    await route.abort('connectionreset');
  });
  const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/coaching/sessions'));
  await dialog.getByRole('button', { name: 'Book this session' }).click();
  await lost;
  await expect(page.getByText('Booking failed').first()).toBeVisible();
  await page.unroute('**/api/coaching/sessions');
  await dialog.getByRole('button', { name: 'Book this session' }).click();
  await expect(toast(page, 'Session booked', '10:30 AM ET')).toBeVisible();
  const own = page.getByRole('region', { name: 'Your sessions' });
  await expect(own).toContainText('The lab report');
  await expect(free).toHaveText(['11:00 AM']);
  expect(await scheduledWith(coach)).toMatchObject([
    { participantId: another.id },
    { participantId: ana.id, durationMinutes: 30, agenda: 'The lab report' },
  ]);

  await own.getByRole('button', { name: /^Move the session/ }).click();
  await page
    .getByRole('region', { name: 'Choose the new time' })
    .getByRole('button', { name: /11:00 AM/ })
    .click();
  await dialog.getByRole('button', { name: 'Move the session' }).click();
  await expect(free).toHaveText(['10:30 AM']);
  await expectAccessible(page);
  await own.getByRole('button', { name: /^Cancel the session/ }).click();
  await dialog.getByRole('button', { name: 'Cancel the session' }).waitFor();
  await expectAccessibleInBothColours(page);
  await dialog.getByRole('button', { name: 'Cancel the session' }).click();
  await expect(own).toHaveCount(0);
  await expect(free).toHaveText(['10:30 AM', '11:00 AM']);
});

test('a participant chooses a day by keyboard, then one of its times; the address keeps the day, and the toast says when', async ({
  page,
}) => {
  const coach = await somebody('coach-of-bea@people.example', 'coach');
  const bea = await somebody('bea@people.example', 'participant');
  await assignCoach(instance.db, { participantId: bea.id, coachId: coach.id });
  const offer = { coachId: coach.id, weekStartDate: nextSunday, startTime: '10:00' };
  await buildAvailability(instance.db, { ...offer, dayOfWeek: 2, endTime: '10:30' });
  await buildAvailability(instance.db, { ...offer, dayOfWeek: 4, endTime: '11:00' });
  const [first, second] = [addDays(nextSunday, 2), addDays(nextSunday, 4)];
  await signIn(page, instance.url, bea.email);
  await page.goto(`${instance.url}/coaching`);
  const day = (name: string) => page.locator(`[role=tab][data-day="${name}"]`);
  const times = page.getByRole('tabpanel').getByRole('button');
  await expect(day(first)).toHaveAttribute('aria-selected', 'true');
  await expect(day(first)).toContainText('1 time');
  await expect(times).toHaveText(['10:00 AM']);
  await day(first).focus();
  while ((await day(second).getAttribute('aria-selected')) === 'false') await page.keyboard.press('ArrowRight');
  await expect(day(second)).toContainText('2 times');
  await page.waitForURL(`**/coaching?day=${second}`);
  await page.reload();
  await expect(times).toHaveText(['10:00 AM', '10:30 AM']);
  await expectAccessibleInBothColours(page);
  await times.nth(1).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Book this session' }).click();
  await expect(toast(page, 'Session booked')).toContainText('10:30 AM ET');
  await expect(day(second)).toContainText('Your session');
});

test('on a phone a participant chooses a day from a strip, and the address keeps it', async ({ browser }) => {
  const coach = await somebody('coach-of-a-phone@people.example', 'coach');
  const ana = await somebody('ana-with-a-phone@people.example', 'participant');
  await assignCoach(instance.db, { participantId: ana.id, coachId: coach.id });
  for (const dayOfWeek of [1, 2, 3, 4, 5]) {
    const hours = { startTime: '09:00', endTime: '17:00' };
    await buildAvailability(instance.db, { coachId: coach.id, weekStartDate: nextSunday, dayOfWeek, ...hours });
  }
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const page = await (await browser.newContext(phone)).newPage();
  await signIn(page, instance.url, ana.email);
  await page.goto(`${instance.url}/coaching`);
  const monday = page.getByRole('tab', { name: /^Mon .* 16 times/ });
  const friday = page.getByRole('tab', { name: /^Fri .* 16 times/ });
  await expect(monday).toHaveAttribute('aria-selected', 'true');
  const times = page.getByRole('tabpanel').getByRole('button');
  await expect(times).toHaveCount(16);
  await friday.tap();
  await expect(friday).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(new RegExp(`day=${addDays(nextSunday, 5)}`));
  await page.reload();
  await expect(friday).toBeInViewport({ ratio: 1 });
  await friday.press('ArrowLeft');
  await expect(page).toHaveURL(new RegExp(`day=${addDays(nextSunday, 4)}`));
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(2 * 740);
  await expectAccessibleInBothColours(page);

  await times.first().press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Book this session' }).press('Enter');
  await expect(toast(page, 'Session booked', '9:00 AM ET')).toBeVisible();
  await expect(page.getByRole('tab', { name: /^Thu .* 15 times Your session/ })).toBeVisible();
  const own = page.getByRole('region', { name: 'Your sessions' }).getByRole('listitem');
  expect((await own.boundingBox())?.height).toBeLessThan(100);
  await expectAccessibleInBothColours(page);
  await own.getByRole('button', { name: /^More for the session on/ }).tap();
  await expect(page.getByRole('menuitem')).toHaveText(['Add to calendar', 'Move', 'Cancel']);
  await page.getByRole('menuitem', { name: 'Cancel' }).tap();
  await expect(page.getByRole('dialog', { name: 'Cancel the session' })).toBeVisible();
  await page.context().close();
});

/** The instant at which the offered times begin. */
async function firstSlot({ weekStartDate, dayOfWeek, startTime }: Parameters<typeof buildAvailability>[1]) {
  const wallClock = `${addDays(weekStartDate, dayOfWeek)} ${startTime}`;
  const { at } = await instance.db
    .selectNoFrom(({ fn, cast, val }) => fn<Date>('eastern_instant', [cast(val(wallClock), 'timestamp')]).as('at'))
    .executeTakeFirstOrThrow();
  return at.toISOString();
}

test('COACH-51 COACH-52 a coach paints a week by mouse and by keyboard, copies it to the next, and saves', async ({
  page,
}) => {
  const coach = await somebody('coach-who-paints@people.example', 'coach');
  await signIn(page, instance.url, coach.email);
  await page.goto(`${instance.url}/coach?tab=booking&week=${nextSunday}`);
  const cell = (name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name} ET`) });
  await cell('Monday 10:30 AM').scrollIntoViewIfNeeded();
  const from = await cell('Monday 9:00 AM').boundingBox();
  const to = await cell('Monday 10:30 AM').boundingBox();
  if (!from || !to) throw new Error('The grid is not drawn.');
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 12 });
  await page.mouse.up();
  await expect(page.getByRole('gridcell', { selected: true })).toHaveCount(4);
  await cell('Monday 9:00 AM').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(cell('Tuesday 9:30 AM')).toBeFocused();
  await expect(page.getByRole('gridcell', { selected: true })).toHaveCount(6);
  await page.getByRole('button', { name: 'Save the week' }).click();
  await expect(page.getByText('3 hours offered.')).toBeVisible();
  await page.getByRole('button', { name: 'Week after' }).click();
  await expect(page.getByText('0 hours offered.')).toBeVisible();
  await page.getByRole('button', { name: 'Copy last week' }).click();
  await expect(page.getByText('Not saved yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Save the week' }).click();
  await expect(page.getByText('3 hours offered.')).toBeVisible();
  const rows = await instance.db
    .selectFrom('coachAvailability')
    .select(['weekStartDate', 'dayOfWeek', 'startTime', 'endTime'])
    .where('coachId', '=', coach.id)
    .orderBy('weekStartDate')
    .orderBy('dayOfWeek')
    .execute();
  const painted = [
    { dayOfWeek: 1, startTime: '09:00:00', endTime: '11:00:00' },
    { dayOfWeek: 2, startTime: '09:00:00', endTime: '10:00:00' },
  ];
  expect(rows).toEqual(
    [nextSunday, addDays(nextSunday, 7)].flatMap((weekStartDate) => painted.map((row) => ({ weekStartDate, ...row }))),
  );

  const leave = page.getByRole('region', { name: 'Leave' });
  await leave.getByLabel('First day').fill(addDays(nextSunday, 8));
  await leave.getByRole('button', { name: 'Add leave' }).click();
  await expect(leave.getByRole('button', { name: /^Remove the leave Mon/ })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: /On leave$/ })).toHaveCount(1);
  await expect(page.getByText('3 hours offered. 2 of them on leave: nobody can book those.')).toBeVisible();
  await expect(page.getByRole('gridcell', { name: 'Monday 9:00 AM ET, offered, on leave' })).toBeVisible();
  await expectAccessibleInBothColours(page);
});

test('COACH-29 COACH-36 the Sessions tab lists what is to come and what was; its dialogs need no mouse', async ({
  page,
}) => {
  const coach = await somebody('coach-with-sessions@people.example', 'coach');
  const { id: participantId } = await buildParticipant(instance.db, { firstName: 'Zora', lastName: 'Zell' });
  const sessionAt = (days: number, status: string) =>
    buildCoachingSession(instance.db, {
      coachId: coach.id,
      participantId,
      scheduledAt: new Date(Date.now() + days * 86_400_000).toISOString(),
      status,
    });
  await sessionAt(2, 'scheduled');
  await sessionAt(-2, 'completed');
  await signIn(page, instance.url, coach.email);
  await page.goto(`${instance.url}/coach?tab=sessions`);
  const dialog = page.getByRole('dialog');
  for (const [section, button, label] of [
    ['Upcoming sessions', 'Add link, session with Zora Zell', 'Meeting link'],
    ['Upcoming sessions', 'Cancel the session with Zora Zell', 'Reason'],
    ['Past sessions', 'Add notes, session with Zora Zell', 'Notes'],
  ] as const) {
    const opener = page.getByRole('region', { name: section }).getByRole('button', { name: button });
    await opener.press('Enter');
    await expect(dialog.getByLabel(label, { exact: true })).toBeVisible();
    await expectAccessibleInBothColours(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(opener).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Notes', { exact: true })).toBeFocused();
  await page.keyboard.type('On track.');
  await dialog.getByRole('button', { name: 'Save notes' }).press('Enter');
  await expect(toast(page, 'Session Updated')).toBeVisible();
  const past = page.getByRole('region', { name: 'Past sessions' });
  await expect(past).toContainText('On track.');
  await past.getByRole('button', { name: 'Edit notes, session with Zora Zell' }).press('Enter');
  await expect(dialog.getByLabel('Notes', { exact: true })).toHaveValue('On track.');
  await dialog.getByLabel('Notes', { exact: true }).fill('Ahead.');
  await dialog.getByRole('button', { name: 'Save notes' }).press('Enter');
  await expect(past).toContainText('Ahead.');
});

test('on a phone a finger that rests paints half hours, one that taps offers one, and one that swipes scrolls', async ({
  browser,
}) => {
  const coach = await somebody('coach-with-a-phone@people.example', 'coach');
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const page = await (await browser.newContext(phone)).newPage();
  await signIn(page, instance.url, coach.email);
  await page.goto(`${instance.url}/coach?tab=booking&week=${nextSunday}`);
  const cell = (name: string) => page.getByRole('gridcell', { name: new RegExp(`^Monday ${name} ET`) });
  const offered = page.getByRole('gridcell', { selected: true });
  await cell('9:00 AM').evaluate((element) => element.scrollIntoView({ block: 'start' }));
  const middleOf = async (name: string) => {
    const box = await cell(name).boundingBox();
    if (!box) throw new Error('The grid is not drawn.');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const finger = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const [from, to] = [await middleOf('10:00 AM'), await middleOf('12:00 PM')];

  await touch('touchStart', [from]);
  await expect(offered).toHaveCount(1);
  await touch('touchMove', [{ x: from.x, y: (from.y + to.y) / 2 }]);
  await touch('touchMove', [to]);
  await touch('touchEnd', []);
  await expect(offered).toHaveCount(5);
  // It did not scroll. Content above it may still settle by a fraction of a pixel.
  expect((await middleOf('10:00 AM')).y).toBeCloseTo(from.y, 0);

  await page.touchscreen.tap(to.x, to.y);
  await expect(offered).toHaveCount(4);

  const swipe = [0.25, 0.5, 0.75, 1].map((share) => ({ x: to.x, y: to.y + (from.y - to.y) * share }));
  // Sent all at once. A finger that waits for an answer in between rests.
  await Promise.all([touch('touchStart', [to]), ...swipe.map((at) => touch('touchMove', [at])), touch('touchEnd', [])]);
  await expect.poll(async () => (await middleOf('12:00 PM')).y).toBeLessThan(to.y);
  await expect(offered).toHaveCount(4);
  await page.getByRole('button', { name: 'Save the week' }).tap();
  await expect(page.getByText('2 hours offered.')).toBeVisible();
  await page.context().close();
});
