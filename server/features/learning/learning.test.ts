import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readActivityContent, setContentTick } from '#contract/activities.ts';
import { houseZone } from '#contract/house-zone.ts';
import { readActivity, readTrainingCalendar } from '#contract/learning.ts';
import { readAssignment } from '#contract/submissions.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { now } from '#server/platform/clock.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

let app: TestApp;
let restoreClock: () => void;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
/** Wednesday of week 5 of the cohort that starts on 8 September 2025, in the morning in New York. */
beforeEach(() => {
  restoreClock = stopClockAt('2025-10-08T14:00:00Z');
});
afterEach(() => restoreClock());

async function memberOf(facts: { trackType?: 'fellowship' | 'adult_mobilization' | 'self_learner' } = {}) {
  const cohort = await buildCohort(app.db);
  const participant = await buildParticipant(app.db, facts);
  await enrol(app.db, { cohortId: cohort.id, participantId: participant.id });
  return { cohort, participant, client: await app.as(participant) };
}

const everyProgramme = (cohortId: string) =>
  Promise.all([
    buildActivity(app.db, { cohortId, title: 'fellowship', applicableFellowship: true }),
    buildActivity(app.db, {
      cohortId,
      title: 'adjunct',
      applicableFellowship: false,
      applicableFellowshipAdjunct: true,
    }),
    buildActivity(app.db, { cohortId, title: 'amp', applicableFellowship: false, applicableAmp: true }),
    buildActivity(app.db, { cohortId, title: 'ambassador', applicableFellowship: false, applicableAmbassador: true }),
  ]);

test.each([
  ['fellowship', ['adjunct', 'fellowship']],
  ['adult_mobilization', ['amp']],
  ['self_learner', ['fellowship']],
] as const)('a participant of track %s is shown the activities %j', async (trackType, titles) => {
  const { cohort, client } = await memberOf({ trackType });
  await everyProgramme(cohort.id);
  const { activities } = await client.call(readTrainingCalendar, { query: {} });
  expect(
    activities
      .filter(({ cohortName }) => cohortName)
      .map(({ title }) => title)
      .sort(),
  ).toEqual(titles);
});

test('CAL-18 CAL-19 CAL-20 CAL-21 an activity of another track is found neither by its participants nor by its coaches', async () => {
  const seen = { fellowship: 'adjunct', adult_mobilization: 'amp', self_learner: 'fellowship' } as const;
  for (const [trackType, own] of Object.entries(seen)) {
    const { cohort, client } = await memberOf({ trackType: trackType as keyof typeof seen });
    const coach = await app.as(await buildCoach(app.db, { trackType: trackType as keyof typeof seen }));
    const activities = await everyProgramme(cohort.id);
    for (const activity of activities) {
      const isOwn = activity.title === own || (trackType === 'fellowship' && activity.title === 'fellowship');
      for (const reader of [client, coach]) {
        if (isOwn)
          expect((await reader.call(readActivity, { params: { id: activity.id } })).title).toBe(activity.title);
        else
          expect((await reader.refused(readActivity, { params: { id: activity.id } })).problem.code).toBe('not_found');
      }
    }
  }
});

test('CAL-21 a coach without a track is shown the activities of every programme', async () => {
  const cohort = await buildCohort(app.db);
  await everyProgramme(cohort.id);
  const coach = await app.as(await buildCoach(app.db, { trackType: null }));
  const { activities } = await coach.call(readTrainingCalendar, { query: {} });
  const own = activities.filter(({ cohortName }) => cohortName === cohort.name).map(({ title }) => title);
  expect(own.sort()).toEqual(['adjunct', 'ambassador', 'amp', 'fellowship']);
});

test('CAL-22 an admin is shown every programme, or the one of the filter, which others may not use', async () => {
  const { cohort, client } = await memberOf();
  await everyProgramme(cohort.id);
  const admin = await app.as(await buildAdmin(app.db));
  const titles = async (query: { programme?: 'amp' | 'ambassador' }) => {
    const { activities } = await admin.call(readTrainingCalendar, { query });
    return activities
      .filter(({ cohortName }) => cohortName === cohort.name)
      .map(({ title }) => title)
      .sort();
  };
  expect(await titles({})).toEqual(['adjunct', 'ambassador', 'amp', 'fellowship']);
  expect(await titles({ programme: 'amp' })).toEqual(['amp']);
  expect(await titles({ programme: 'ambassador' })).toEqual(['ambassador']);
  const refused = await client.refused(readTrainingCalendar, { query: { programme: 'amp' } });
  expect(refused.problem.code).toBe('forbidden');
});

test('CAL-01 CAL-23 search, week and module narrow together, ordered by week and then day', async () => {
  const { cohort, client } = await memberOf();
  const build = (facts: object) => buildActivity(app.db, { cohortId: cohort.id, ...facts });
  await build({
    title: 'Relays 100%',
    weekNumber: 3,
    sessionDate: '2025-09-25',
    moduleName: 'Field Service Engineering',
  });
  await build({ title: 'Panels', description: 'RELAYS', weekNumber: 3, sessionDate: '2025-09-23' });
  await build({ title: 'Relays', weekNumber: 2, sessionDate: '2025-09-18' });
  const titles = async (query: { search?: string; week?: number; module?: string }) =>
    (await client.call(readTrainingCalendar, { query })).activities
      .filter(({ cohortName }) => cohortName)
      .map(({ title }) => title);
  expect(await titles({})).toEqual(['Relays', 'Panels', 'Relays 100%']);
  expect(await titles({ search: 'relays' })).toEqual(['Relays', 'Panels', 'Relays 100%']);
  expect(await titles({ search: 'relays', week: 3 })).toEqual(['Panels', 'Relays 100%']);
  expect(await titles({ search: '0%' })).toEqual(['Relays 100%']);
  expect(await titles({ search: 'relays', module: 'Field Service Engineering' })).toEqual(['Relays 100%']);
});

test("CAL-12 CAL-17 states follow the participant's own cohort; coaches and admins have none and are never locked out", async () => {
  const { cohort, participant, client } = await memberOf();
  const build = (title: string, weekNumber: number, sessionDate: string) =>
    buildActivity(app.db, { cohortId: cohort.id, title, weekNumber, sessionDate });
  const attended = await build('a', 4, '2025-10-01');
  await build('b', 4, '2025-10-02');
  await build('c', 5, '2025-10-08');
  await build('d', 5, '2025-10-10');
  const locked = await build('e', 6, '2025-10-14');
  await app.db
    .insertInto('attendanceRecords')
    .values({ fellowId: participant.id, cohortId: cohort.id, contentId: attended.id, weekNumber: 4 })
    .execute();
  const calendar = await client.call(readTrainingCalendar, { query: {} });
  const states = calendar.activities.filter(({ cohortName }) => cohortName).map(({ title, state }) => [title, state]);
  expect(states).toEqual([
    ['a', 'completed'],
    ['b', 'overdue'],
    ['c', 'today'],
    ['d', 'upcoming'],
    ['e', 'locked'],
  ]);
  expect(calendar).toMatchObject({ currentWeek: 5, today: '2025-10-08', hasMore: false });
  expect(calendar.holidays).toEqual([
    { week: 12, name: 'Thanksgiving' },
    { week: 16, name: 'Christmas' },
  ]);
  for (const person of [await buildCoach(app.db), await buildAdmin(app.db)]) {
    const reader = await app.as(person);
    expect(await reader.call(readActivity, { params: { id: locked.id } })).toMatchObject({
      state: null,
      completion: null,
      can: { complete: false },
    });
  }
});

test('ACT-11 an unknown activity and one of another cohort are both "Activity not found"', async () => {
  const { client } = await memberOf();
  const other = await buildCohort(app.db);
  const foreign = await buildActivity(app.db, { cohortId: other.id });
  for (const id of [foreign.id, '019a0000-0000-7000-8000-000000000000']) {
    const { status, problem } = await client.refused(readActivity, { params: { id } });
    expect([status, problem.detail]).toEqual([404, 'Activity not found']);
  }
  const calendar = await client.call(readTrainingCalendar, { query: {} });
  expect(calendar.activities.map(({ id }) => id)).not.toContain(foreign.id);
});

test('ACT-02 ACT-03 ACT-04 programme badges: none for participants, the own track for coaches, all for admins', async () => {
  const { cohort, client } = await memberOf();
  const { id } = await buildActivity(app.db, {
    cohortId: cohort.id,
    applicableFellowship: true,
    applicableAmp: true,
    applicableFellowshipAdjunct: true,
    applicableAmbassador: true,
  });
  const badges = async (reader: typeof client) =>
    (await reader.call(readActivity, { params: { id } })).audiences.map(({ key }) => key);
  const coachOf = async (trackType: 'fellowship' | 'adult_mobilization') =>
    app.as(await buildCoach(app.db, { trackType }));
  expect(await badges(client)).toEqual([]);
  expect(await badges(await coachOf('fellowship'))).toEqual(['fellowship', 'fellowship_adjunct']);
  expect(await badges(await coachOf('adult_mobilization'))).toEqual(['amp']);
  expect(await badges(await app.as(await buildAdmin(app.db)))).toEqual([
    'fellowship',
    'amp',
    'fellowship_adjunct',
    'ambassador',
  ]);
});

test('ACT-13 TIME-02 the meeting link is open on the US Eastern day of the session only, which is overdue and its work late from the midnight there', async () => {
  const { cohort, client } = await memberOf();
  const location = 'https://meet.example/relays';
  const { id } = await buildActivity(app.db, { cohortId: cohort.id, sessionDate: '2025-10-09', location });
  const room = await buildActivity(app.db, { cohortId: cohort.id, sessionDate: '2025-10-08', location: 'Room 4' });
  const work = await buildAssignment(app.db, { trainingActivityId: id, dueDate: '2025-10-09' });
  const readAt = async (instant: string) => {
    const restore = stopClockAt(instant);
    const { meetingUrl, isMeetingOpen, state } = await client.call(readActivity, { params: { id } });
    const { today } = await client.call(readAssignment, { params: { id: work.id } });
    restore();
    expect(meetingUrl).toBe(location);
    return { isMeetingOpen, state, isLate: work.dueDate !== null && work.dueDate < today };
  };
  expect(await readAt('2025-10-09T03:59:59Z')).toEqual({ isMeetingOpen: false, state: 'upcoming', isLate: false });
  expect(await readAt('2025-10-09T04:00:00Z')).toEqual({ isMeetingOpen: true, state: 'today', isLate: false });
  expect(await readAt('2025-10-10T03:59:59Z')).toEqual({ isMeetingOpen: true, state: 'today', isLate: false });
  expect(await readAt('2025-10-10T04:00:00Z')).toEqual({ isMeetingOpen: false, state: 'overdue', isLate: true });
  expect(await client.call(readActivity, { params: { id: room.id } })).toMatchObject({
    meetingUrl: null,
    isMeetingOpen: false,
    location: 'Room 4',
  });
});

test('ACT-05 contents come in their order, with assignments and the own status only', async () => {
  const { cohort, participant, client } = await memberOf();
  const classmate = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: classmate.id });
  const { id } = await buildActivity(app.db, { cohortId: cohort.id });
  const last = await buildContentItem(app.db, { trainingActivityId: id, orderIndex: 3, contentType: 'assignment' });
  await buildContentItem(app.db, { trainingActivityId: id, orderIndex: 1, title: 'First', contentType: 'quiz' });
  await buildContentItem(app.db, { trainingActivityId: id, orderIndex: 2, title: 'Second', contentType: 'video' });
  const assignment = await buildAssignment(app.db, { contentItemId: last.id, title: 'Report' });
  await app.db
    .insertInto('contentSubmissions')
    .values({ assignmentId: assignment.id, userId: classmate.id, submissionText: 'Mine' })
    .execute();
  const statusFor = async (reader: typeof client) => {
    const { items } = await reader.call(readActivityContent, { params: { id } });
    expect(items.map(({ orderIndex }) => orderIndex)).toEqual([1, 2, 3]);
    return items[2]?.assignments.map(({ title, status }) => [title, status]);
  };
  expect(await statusFor(client)).toEqual([['Report', null]]);
  expect(await statusFor(await app.as(classmate))).toEqual([['Report', 'submitted']]);
  const coach = await buildCoach(app.db);
  await assignCoach(app.db, { participantId: participant.id, coachId: coach.id });
  expect(await statusFor(await app.as(coach))).toEqual([['Report', null]]);
});

test('ASSIGN-38 a content item is a required reading of half an hour, the first, unless it says otherwise', async () => {
  const { cohort, client } = await memberOf();
  const { id } = await buildActivity(app.db, { cohortId: cohort.id });
  await app.db.insertInto('contentItems').values({ trainingActivityId: id, title: 'A chapter' }).execute();
  const { items } = await client.call(readActivityContent, { params: { id } });
  expect(items).toMatchObject([{ contentType: 'reading', orderIndex: 1, estimatedMinutes: 30, isRequired: true }]);
});

test('a participant ticks what they are done with, as often as they like, and nobody else sees it', async () => {
  const { cohort, client } = await memberOf();
  const { id } = await buildActivity(app.db, { cohortId: cohort.id });
  const chapter = await buildContentItem(app.db, { trainingActivityId: id, orderIndex: 1 });
  await buildContentItem(app.db, { trainingActivityId: id, orderIndex: 2 });
  const ticksFor = async (reader: typeof client) =>
    (await reader.call(readActivityContent, { params: { id } })).items.map(({ isTicked }) => isTicked);
  const tick = (isTicked: boolean) => client.call(setContentTick, { params: { id: chapter.id }, body: { isTicked } });
  expect(await ticksFor(client)).toEqual([false, false]);
  expect(await tick(true)).toEqual({ isTicked: true });
  expect(await tick(true)).toEqual({ isTicked: true });
  expect(await ticksFor(client)).toEqual([true, false]);
  const classmate = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: classmate.id });
  expect(await ticksFor(await app.as(classmate))).toEqual([false, false]);
  expect(await ticksFor(await app.as(await buildAdmin(app.db)))).toEqual([null, null]);
  await tick(false);
  expect(await ticksFor(client)).toEqual([false, false]);
});

test('nothing is ticked of an activity that is still locked', async () => {
  const { cohort, client } = await memberOf();
  const sessionDate = addDays(dayAt(now(), houseZone), 30);
  const { id } = await buildActivity(app.db, { cohortId: cohort.id, weekNumber: 12, sessionDate });
  const chapter = await buildContentItem(app.db, { trainingActivityId: id });
  const activity = await client.call(readActivity, { params: { id } });
  expect(activity.state).toBe('locked');
  const refused = await client.refused(setContentTick, { params: { id: chapter.id }, body: { isTicked: true } });
  expect(refused.status).toBe(409);
  expect(refused.problem.detail).toBe(activity.completionBlockedBecause);
  const { items } = await client.call(readActivityContent, { params: { id } });
  expect(items.map(({ isTicked }) => isTicked)).toEqual([false]);
});

test('of more activities than one answer holds those nearest to the asked-for day are shown, still by week and day', async () => {
  const cohort = await buildCohort(app.db);
  const moduleName = `Module of ${cohort.id}`;
  await sql`
    insert into training_activities (cohort_id, title, week_number, session_date, applicable_fellowship, module_name)
    select ${cohort.id}, 'Session ' || n, 1 + n / 40, date '2025-09-08' + n, true, ${moduleName}
    from generate_series(0, 599) n`.execute(app.db);
  const admin = await app.as(await buildAdmin(app.db));
  const read = async (around?: string) => {
    const { activities, hasMore } = await admin.call(readTrainingCalendar, { query: { module: moduleName, around } });
    expect([activities.length, hasMore]).toEqual([500, true]);
    return [activities[0]?.sessionDate, activities.at(-1)?.sessionDate];
  };
  expect(await read()).toEqual(['2025-09-08', addDays('2025-09-08', 499)]);
  const last = addDays('2025-09-08', 599);
  expect(await read(last)).toEqual([addDays(last, -499), last]);
});
