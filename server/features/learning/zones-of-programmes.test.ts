import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { downloadCalendarItem } from '#contract/calendar-feeds.ts';
import { recordAttendance } from '#contract/documented-functions.ts';
import { readActivity, readTrainingCalendar } from '#contract/learning.ts';
import { tellOfSession } from '#server/features/coaching/session-notices.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import { recordReminders } from '#server/features/notices/reminders.ts';
import { now } from '#server/platform/clock.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

let app: TestApp;
let restoreClock = () => {};
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => restoreClock());
afterAll(() => app.close());

function at(instant: string): void {
  restoreClock();
  restoreClock = stopClockAt(instant);
}

async function memberIn(zone: string, startDate: string) {
  const { id: programmeId } = await buildProgramme(app.db, { zone });
  const cohort = await buildCohort(app.db, { programmeId, startDate, endDate: '2027-02-02' });
  const [participant, coach] = [await buildParticipant(app.db), await buildCoach(app.db)];
  await enrol(app.db, { cohortId: cohort.id, participantId: participant.id, coachId: coach.id });
  return { cohort, participant, coach };
}

/** Each day has a change of the clocks in the zone, where the zone has any. */
const days = [
  { zone: 'America/New_York', day: '2026-11-01', begins: '2026-11-01T04:00:00Z', ends: '2026-11-02T05:00:00Z' },
  { zone: 'America/Denver', day: '2026-03-08', begins: '2026-03-08T07:00:00Z', ends: '2026-03-09T06:00:00Z' },
  { zone: 'America/Phoenix', day: '2026-03-08', begins: '2026-03-08T07:00:00Z', ends: '2026-03-09T07:00:00Z' },
  { zone: 'Australia/Sydney', day: '2026-10-04', begins: '2026-10-03T14:00:00Z', ends: '2026-10-04T13:00:00Z' },
] as const;
const justBefore = (instant: string) => new Date(Date.parse(instant) - 1000).toISOString();

test.each(days)(
  'TIME-01 ACT-13 ACT-22 in $zone a session opens and can be joined on its own day, $day',
  async ({ zone, day, begins, ends }) => {
    const { cohort, participant } = await memberIn(zone, day);
    const activity = await buildActivity(app.db, {
      ...{ cohortId: cohort.id, sessionDate: day, sessionTime: '18:30', location: 'https://meet.example/room' },
    });
    const client = await app.as(participant);
    const params = { id: activity.id };
    expect((await client.call(readSession)).zone).toBe(zone);

    at(justBefore(begins));
    expect(await client.call(readActivity, { params })).toMatchObject({
      zone,
      state: 'upcoming',
      isMeetingOpen: false,
    });
    at(begins);
    expect(await client.call(readActivity, { params })).toMatchObject({ state: 'today', isMeetingOpen: true });
    expect((await client.call(readTrainingCalendar, { query: {} })).today).toBe(day);
    at(justBefore(ends));
    expect(await client.call(readActivity, { params })).toMatchObject({ state: 'today', isMeetingOpen: true });
    at(ends);
    expect(await client.call(readActivity, { params })).toMatchObject({ state: 'overdue', isMeetingOpen: false });
    const attended = {
      ...{ fellow_id: participant.id, cohort_id: cohort.id, week_number: 1, content_id: activity.id },
      ...{ content_type: 'live_session' as const, duration_minutes: 60 },
    };
    at(justBefore(begins));
    expect((await client.refused(recordAttendance, { body: attended })).problem.code).toBe('conflict');
    at(begins);
    await client.call(recordAttendance, { body: attended });
  },
);

test.each([
  ['America/New_York', '2026-05-12', '2026-05-12T04:00:00Z', 'Tue 12 May, by the end of the day (US Eastern).'],
  ['America/Denver', '2026-05-12', '2026-05-12T06:00:00Z', 'Tue 12 May, by the end of the day (US Mountain).'],
  [
    'America/Phoenix',
    '2026-05-12',
    '2026-05-12T07:00:00Z',
    'Tue 12 May, by the end of the day (Mountain Standard Time).',
  ],
  [
    'Australia/Sydney',
    '2026-05-12',
    '2026-05-11T14:00:00Z',
    'Tue 12 May, by the end of the day (Australian Eastern Time).',
  ],
])(
  'PREF-09 in %s what is due on %s reminds 24 hours before that day ends there',
  async (zone, dueDate, instant, words) => {
    const { cohort, participant } = await memberIn(zone, '2026-05-04');
    const activity = await buildActivity(app.db, { cohortId: cohort.id });
    await buildAssignment(app.db, { trainingActivityId: activity.id, dueDate, title: 'One-line' });
    const remindAt = async (moment: string) => {
      at(moment);
      await recordReminders(app.db, now());
      await decideDueNotices(app.app);
      return (await messagesOf(participant)).map(({ message }) => message);
    };
    expect(await remindAt(justBefore(instant))).toEqual([]);
    expect(await remindAt(instant)).toEqual([expect.stringContaining(`One-line is due on ${words}`)]);
  },
);

test.each([
  ['America/Denver', 'Wed 11 Mar, 12:00 PM MT', '20260311T120000'],
  ['America/Phoenix', 'Wed 11 Mar, 11:00 AM MST', '20260311T110000'],
  ['Australia/Sydney', 'Thu 12 Mar, 5:00 AM Sydney Time', '20260312T050000'],
])('in %s both sides of a coaching session read and keep it in the time of the program', async (zone, words, local) => {
  const { participant, coach } = await memberIn(zone, '2026-03-02');
  at('2026-03-10T18:00:00Z');
  const session = await buildCoachingSession(app.db, {
    ...{ coachId: coach.id, participantId: participant.id, scheduledAt: '2026-03-11T18:00:00Z' },
  });
  await tellOfSession(app.db, session.id, { kind: 'booked', by: 'participant' });
  await decideDueNotices(app.app);
  for (const person of [participant, coach]) {
    const told = (await messagesOf(person)).map(({ message }) => message);
    expect(told).toEqual([expect.stringContaining(`on ${words}.`)]);
    const address = downloadCalendarItem.path.replace(':kind', 'session').replace(':id', session.id);
    const file = await (await (await app.as(person)).fetch(address)).text();
    expect(file).toContain(`DTSTART;TZID=${zone}:${local}`);
    expect(file).toContain(`BEGIN:VTIMEZONE\r\nTZID:${zone}`);
  }
});

function messagesOf({ id }: { id: string }) {
  return app.db.selectFrom('notices').select('message').where('userId', '=', id).orderBy('id').execute();
}
