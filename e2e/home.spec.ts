import type { Page, Route } from '@playwright/test';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { buildAvailability } from '#test/factories/coaching.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { expectAccessible, expectAccessibleEverywhere } from './axe.ts';
import { coachWithWork, participantInWeekFive } from './home-people.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter, today } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { dataRequests } from './shell-people.ts';
import { expect, test } from './support.ts';
import { toast } from './toasts.ts';
import { tryAgain } from './try-again.ts';

let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@people.example');
});
test.afterAll(() => instance.stop());

function section(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true });
}

/** Ten or eleven in the morning in New York, depending on daylight saving time. */
const morningOf = (day: string) => new RegExp(` ${Number(day.slice(8))} [A-Z][a-z]{2}, 1[01]:00 AM ET`);

test.describe('on a device in Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });

  test('FELL-12 FELL-13 FELL-14 FELL-15 FELL-18 FELL-22 FELL-32 STIP0-05 COACH-48 ROUTE-09 TIME-01 a participant in another zone reads the week, what to do next and what the stipend needs', async ({
    page,
  }) => {
    const { participant } = await participantInWeekFive(instance);
    await enter(page, instance, participant);
    await page.goto(`${instance.url}/dashboard`);
    await expect(page.getByRole('heading', { level: 1, name: 'Fellowship Dashboard' })).toBeVisible();
    await expect(page.getByText('Week 5 of 16')).toBeVisible();
    await expect(section(page, 'Next step')).toContainText('Metering lab');

    await expect(section(page, 'Overall progress')).toContainText('0%');
    await expect(section(page, "This week's activities")).toContainText('3/4');
    await expect(section(page, 'Total earned')).toContainText('$1,425.50');
    await expect(section(page, 'Stipend status')).toContainText('Pending');
    await expect(section(page, 'Week 5 status')).toContainText('On track with learning');

    const stipend = section(page, 'Your stipend for week 5');
    await expect(stipend).toContainText('3 of 4 activities attended (75%), 80% needed');
    await expect(stipend).toContainText('1 of 2 handed in');
    await expect(stipend).toContainText('Rated 3.5 of 5');
    await expect(stipend.getByRole('meter', { name: 'Attendance' })).toHaveAttribute('aria-valuenow', '75');
    await expect(stipend).toContainText('you still need 1 more activity and 1 more assignment.');
    const weeks = section(page, 'Recent weeks').getByRole('listitem');
    await expect(weeks).toHaveText([
      /^Week 4 .*Not met: .*Week 4 is over and not decided yet: Rated 2.5/,
      /^Week 3 · \$425.50Approved/,
      /^Week 2 .*Paid/,
      /^Week 1 .*Paid/,
    ]);

    await expect(section(page, 'Upcoming deadlines').getByRole('listitem')).toHaveText([
      /^Load flow exerciseAssignment of this week · .*tomorrowDue soon$/,
      /^Week 5 quizQuiz · .*in 3 daysDue soon$/,
      /^Site reportReport · .*in 4 days$/,
    ]);
    const coaching = section(page, 'Coaching');
    await expect(coaching).toContainText('Your coach is Casey Cole.');
    await expect(coaching).toContainText('30 to 60 minutes');
    await expect(coaching.getByRole('link', { name: /Messages, 1 unread/ })).toHaveAttribute('href', '/cohorts');
    await expect(page.locator('a[href^="/cohorts"]')).toHaveText([/^Messages/, /^Messages/]);
    await expect(coaching.getByText('Next session:')).toHaveText(morningOf(addDays(today(), 2)));
    await expectAccessibleEverywhere(page);
  });
});

test('FELL-16 FELL-17 FELL-20 FELL-26 five pending activities show, then all, and each leads to its page', async ({
  page,
}) => {
  const { participant, activities } = await participantInWeekFive(instance);
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/fellowship-dashboard`);
  const pending = section(page, 'Pending training activities');
  await expect(pending.getByRole('listitem')).toHaveCount(5);
  await expect(pending.getByRole('listitem').filter({ hasText: 'Substation visit' })).toContainText('Due soon');
  await expect(pending.getByRole('listitem').filter({ hasText: 'Protection and relays' })).not.toContainText(
    'Due soon',
  );
  await pending.getByRole('button', { name: 'Show all 6' }).click();
  await expect(pending.getByRole('listitem')).toHaveCount(6);
  await pending.getByRole('button', { name: 'Show the first 5' }).click();
  await expect(pending.getByRole('listitem')).toHaveCount(5);
  await pending.getByRole('link', { name: /Metering lab/ }).click();
  await page.waitForURL(`**/activity/${activities[3]?.id}`);
});

test('FELL-24 FELL-25 a free time of the coach is booked on the dashboard', async ({ page }) => {
  const { participant, coach } = await participantInWeekFive(instance);
  const day = addDays(today(), 3);
  const dayOfWeek = new Date(`${day}T12:00:00Z`).getUTCDay();
  await buildAvailability(instance.db, {
    ...{ coachId: coach.id, weekStartDate: addDays(day, -dayOfWeek), dayOfWeek },
    ...{ startTime: '09:00', endTime: '17:00' },
  });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/dashboard`);
  const times = section(page, 'Coaching').getByRole('button', { name: /, \d+:\d\d [AP]M ET$/ });
  await expect(times).toHaveCount(6);
  await times.nth(1).click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Book this session' }).click();
  await expect(toast(page, 'Session booked')).toBeVisible();
  await expect(times).toHaveCount(6);
  const { scheduledAt, participantId } = await instance.db
    .selectFrom('coachingSessions')
    .select(['scheduledAt', 'participantId'])
    .where('coachId', '=', coach.id)
    .where('scheduledAt', '>', new Date(`${day}T00:00:00Z`))
    .executeTakeFirstOrThrow();
  expect([dayAt(scheduledAt, houseZone), participantId]).toEqual([day, participant.id]);
});

test('FELL-24 FELL-25 COACH-47 quick actions and the booking link lead where they say', async ({ page }) => {
  const { participant } = await participantInWeekFive(instance);
  await enter(page, instance, participant);
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${instance.url}/dashboard`);
  await expect(section(page, 'Your stipend for week 5')).toBeVisible();
  const coaching = page.getByRole('button', { name: 'Coaching', exact: true });
  await coaching.click();
  const booking = section(page, 'Coaching').getByRole('link', { name: /Book a session/ });
  await expect(booking).toHaveAttribute('href', 'https://calendly.com/casey');
  await expect(booking).toHaveAttribute('target', '_blank');
  await expect(section(page, 'Coaching')).toContainText('Mornings suit me best.');
  await coaching.click();
  await expect(booking).toBeHidden();
  await page.getByRole('button', { name: 'Quick actions' }).click();
  await page.getByRole('button', { name: 'Schedule coaching' }).click();
  await expect(section(page, 'Coaching').getByRole('heading').first()).toBeInViewport();
  await expect(booking).toBeVisible();
  await section(page, 'Quick actions').getByRole('link', { name: 'This week in the calendar' }).click();
  await page.waitForURL('**/training-calendar?week=5');
  await page.goBack();
  await section(page, 'Quick actions').getByRole('link', { name: 'My submissions' }).click();
  await page.waitForURL('**/submissions');
  await page.goBack();
  await section(page, 'Quick actions').getByRole('link', { name: 'My program and track' }).click();
  await page.waitForURL('**/fellowship');
});

test('FELL-12 FELL-14 FELL-17 FELL-23 a phone folds what nobody asks first; each heading tells its figure and stays as it was left', async ({
  page,
}) => {
  const { participant } = await participantInWeekFive(instance);
  await enter(page, instance, participant);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${instance.url}/dashboard`);
  await expect(section(page, 'Your stipend for week 5')).toBeVisible();
  const figures = {
    'Upcoming deadlines': /^Upcoming deadlines3 coming, the next on /,
    'Pending training activities': /^Pending training activities6 to do$/,
    Coaching: /^CoachingNext session .* ET\s· 1 unread message$/,
    'Recent weeks': /^Recent weeks1 not met, 1 approved, 2 paid$/,
    'Your figures': /^Your figures0% of the program done · \$1,425.50 earned$/,
  };
  for (const [title, figure] of Object.entries(figures)) await expect(section(page, title)).toHaveText(figure);
  // 4,460 px without folds.
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2000);

  await page.getByRole('button', { name: 'Your figures' }).click();
  await expect(section(page, 'Total earned')).toContainText('$1,425.50');
  await page.getByRole('button', { name: 'Pending training activities' }).press('Enter');
  const pending = section(page, 'Pending training activities');
  await pending.getByRole('link', { name: /Metering lab/ }).click();
  await page.waitForURL('**/activity/*');
  await page.goBack();
  await expect(pending.getByRole('listitem')).toHaveCount(5);
  await expect(section(page, 'Total earned')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Your figures' }).click();
  await expect(section(page, 'Total earned')).toBeHidden();
});

test('FELL-27 FELL-33 COACH-46 without an enrolment the page says so, and its button lands on a page that works', async ({
  page,
}) => {
  await enter(page, instance, await buildParticipant(instance.db));
  await page.goto(`${instance.url}/fellowship-dashboard`);
  await expect(page.getByRole('heading', { name: 'No Active Enrollment' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(section(page, 'What happens next')).toContainText('We tell you here and by email');
  await expect(section(page, 'Coaching')).toContainText('check back in 24-48 hours');
  await expect(section(page, 'Coaching').getByRole('link', { name: /Book/ })).toHaveCount(0);
  await expectAccessibleEverywhere(page);
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await expect(page.getByRole('heading', { level: 1, name: 'Fellowship Dashboard' })).toBeVisible();
});

test('FELL-28 FELL-29 FELL-30 what cannot be loaded is said, and the rest of the page stays usable', async ({
  page,
}) => {
  const { participant } = await participantInWeekFive(instance);
  await enter(page, instance, participant);
  const endpoint = '**/api/dashboards/participant';
  // 503 does not mean unreachable. The page would retry an unreachable server as soon as it answers.
  await page.route(endpoint, (route) => route.fulfill({ status: 503, body: 'away' }));
  await page.goto(`${instance.url}/dashboard`);
  await expect(page.getByRole('alert').filter({ hasText: 'Connection Issue' })).toBeVisible();
  await expect(page.getByText('Week 1 (your week is not loaded)')).toBeVisible();
  await expect(section(page, 'Weekly stipend')).toContainText('$500Not loaded');
  await expect(page.getByText('Failed to load stipend status')).toBeVisible();
  await expect(page.getByText('Failed to load coaching session data')).toBeVisible();
  await expectAccessibleEverywhere(page);

  const answerInPart = async (route: Route) => {
    const answer = await route.fetch();
    await route.fulfill({
      json: { ...(await answer.json()), coaching: null, stipend: null, notLoaded: ['coaching', 'stipend'] },
    });
  };
  const first = page.getByRole('button', { name: 'Try again' }).first();
  await tryAgain(page, endpoint, { button: first, answer: answerInPart });
  await expect(page.getByText('Week 5 of 16')).toBeVisible();
  await expect(page.getByText('Connection Issue')).toBeHidden();
  await expect(page.getByText('Failed to load coaching session data')).toBeVisible();
  await expect(page.getByText('Failed to load stipend status')).toBeVisible();
  await expect(section(page, 'Stipend status')).toContainText('Not loaded');
  await expect(section(page, "This week's activities")).toContainText('3/4');
  await tryAgain(page, endpoint, { button: section(page, 'Coaching').getByRole('button', { name: 'Try again' }) });
  await expect(section(page, 'Coaching')).toContainText('Your coach is Casey Cole.');
});

test.describe('on a device in Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });

  test('COACH-01 COACH-02 COACH-03 COACH-06 COACH-08 COACH-09 COACH-10 FELL-25 TIME-01 a coach in another zone sees who needs them today', async ({
    page,
  }) => {
    const { coach } = await coachWithWork(instance);
    await enter(page, instance, coach);
    const requests = dataRequests(page);
    await page.goto(`${instance.url}/dashboard`);
    await expect(page.getByRole('heading', { level: 1, name: 'Coach Dashboard' })).toBeVisible();
    await expect(page.getByRole('tab')).toHaveText(['Overview', 'Booking Setup', 'Sessions', 'Ratings']);
    await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
    await expect(section(page, 'My Participants')).toContainText('12');
    await expect(section(page, 'Pending Reviews')).toContainText('7');
    await expect(section(page, "Today's Sessions")).toContainText('1');
    await expect(section(page, 'Completion Rate')).toContainText('8%');
    expect(requests).toContain('/api/dashboards/coach');
    expect(requests).not.toContain('/api/dashboards/participant');

    await expect(section(page, 'Your sessions today').getByRole('listitem')).toHaveText([
      /^Person1 Rivera(Scheduled|Overdue)/,
    ]);
    await expect(section(page, 'Your sessions today')).toContainText(morningOf(today()));
    const reviews = section(page, 'To review');
    await expect(reviews.getByRole('listitem')).toHaveText(
      [1, 2, 3, 4, 5].map(
        (number) => new RegExp(`^Feeder report.*Person${number} Rivera.*Week 4: Line safety.*Grid Fundamentals`),
      ),
    );
    await expect(reviews.getByRole('link', { name: 'View all 7' })).toHaveAttribute('href', /^\/submissions/);

    const participants = section(page, 'Your participants').getByRole('table');
    await expect(participants.getByRole('row')).toHaveCount(11);
    await expect(participants.getByRole('row').nth(1)).toContainText('Person12 Rivera');
    await expect(participants.getByRole('row').nth(1)).toContainText('1 activity overdue');
    const second = participants.getByRole('row').nth(2);
    for (const fact of [
      'Person1 Rivera',
      '@people.example',
      'Grid Fundamentals',
      'Enrolled · Fellowship · from',
      '1 total',
      '0 graded',
    ]) {
      await expect(second).toContainText(fact);
    }
    await page.getByRole('button', { name: 'Show more (10 of 12)' }).click();
    await expect(participants.getByRole('row')).toHaveCount(13);
    await expectAccessibleEverywhere(page);
    await participants.getByRole('link', { name: 'View Details of Person1 Rivera' }).click();
    await page.waitForURL('**/submissions?participant=*');
    const work = page.getByRole('table').getByRole('row');
    await expect(work).toHaveCount(2);
    await expect(work.nth(1)).toContainText('Person1 Rivera');
    await page.getByRole('button', { name: /^Only Person1 Rivera/ }).click();
    await expect(work).toHaveCount(9);
  });
});

test('the tab of the coach dashboard is in its address', async ({ page }) => {
  const { coach } = await coachWithWork(instance);
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/coach`);
  await page.getByRole('tab', { name: 'Sessions' }).click();
  await page.waitForURL('**/coach?tab=sessions');
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Sessions' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'Booking Setup' }).click();
  await expect(page.getByRole('heading', { name: 'Times you offer' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Sessions' })).toHaveAttribute('aria-selected', 'true');
});

test('COACH-13 COACH-14 COACH-15 COACH-16 a failed load is said in words, and Try again repeats it', async ({
  page,
}) => {
  const { coach } = await coachWithWork(instance);
  await enter(page, instance, coach);
  const endpoint = '**/api/dashboards/coach';
  const failures = [
    {
      answer: { status: 500, body: 'broken' },
      words: 'Failed to load dashboard data',
    },
    {
      answer: null,
      words: 'Unable to connect to the server. Please check your internet connection and try again.',
    },
    {
      answer: {
        status: 401,
        json: {
          type: 'about:blank',
          title: 'Unauthorized',
          status: 401,
          code: 'not_authenticated',
          detail: 'Not authenticated',
          instance: null,
          errors: null,
        },
      },
      words: 'Your session has expired. Please log in again.',
    },
  ];
  for (const { answer, words } of failures) {
    await page.route(endpoint, (route) => (answer ? route.fulfill(answer) : route.abort()));
    await page.goto(`${instance.url}/coach`);
    await expect(page.getByRole('alert')).toContainText(words);
    // The page retries by itself what failed because no server was reached.
    await (answer ? tryAgain(page, endpoint) : page.unroute(endpoint));
    await expect(page.getByRole('alert')).toBeHidden();
    await expect(section(page, 'My Participants')).toContainText('12');
    await page.unroute(endpoint);
  }
});
