import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readActivityContent } from '#contract/activities.ts';
import {
  askForAttendanceCorrection,
  listAttendanceCorrections,
  readOwnAttendanceCorrections,
} from '#contract/attendance-corrections.ts';
import { listCohortProgress } from '#contract/cohort-progress.ts';
import { readActivity } from '#contract/learning.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildContentItem } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant, buildPerson } from '#test/factories/people.ts';
import { attend } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { buildCoachedWeek } from '#test/support/coached-week.ts';

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

test.each([
  ['participant', null],
  ['participant', 'fellowship'],
  ['coach', null],
  ['coach', 'fellowship'],
  ['admin', null],
  ['admin', 'fellowship'],
] as const)('a %s of track %s reads one activity after another, each with its contents', async (role, trackType) => {
  const cohort = await buildCohort(app.db);
  const person = await buildPerson(app.db, { role, trackType });
  if (role === 'participant') await enrol(app.db, { cohortId: cohort.id, participantId: person.id });
  const client = await app.as(person);
  for (const title of ['First', 'Second', 'Third']) {
    const { id } = await buildActivity(app.db, { cohortId: cohort.id, title });
    await buildContentItem(app.db, { trainingActivityId: id, title: `Content of ${title}` });
    const params = { id };
    expect(await client.call(readActivity, { params })).toMatchObject({ title, completedAt: null });
    expect((await client.call(readActivityContent, { params })).items).toMatchObject([
      { title: `Content of ${title}` },
    ]);
    const other = await buildActivity(app.db, { applicableFellowship: false, applicableAmp: true });
    const ofOther = { params: { id: other.id } };
    if (role === 'admin' || (role === 'coach' && trackType === null)) {
      expect((await client.call(readActivity, ofOther)).title).toBe(other.title);
    } else expect((await client.refused(readActivity, ofOther)).status).toBe(404);
  }
});

test('requests for corrections are listed again and again, for each reader, of any activity and whether it is recorded or not', async () => {
  const iWasThere = { attended: true, reason: 'I was in the room.' };
  for (const turn of [1, 2, 3]) {
    const { cohort, robin, activity, asRobin, asCoach, asAdmin, asOtherCoach } = await buildCoachedWeek(app);
    const ofNoCohort = await buildActivity(app.db, { cohortId: null, weekNumber: 4, sessionDate: '2025-10-01' });
    const recorded = await buildActivity(app.db, { cohortId: cohort.id, weekNumber: 4, sessionDate: '2025-10-02' });
    await attend(app.db, robin.id, [recorded]);
    for (const { id } of [activity, ofNoCohort, recorded]) {
      const params = { id };
      expect(await asRobin.call(readOwnAttendanceCorrections, { params })).toEqual({ rows: [], refusal: null });
    }
    const { id } = await asRobin.call(askForAttendanceCorrection, { params: { id: activity.id }, body: iWasThere });
    const own = await asRobin.call(readOwnAttendanceCorrections, { params: { id: activity.id } });
    expect(own.rows).toMatchObject([{ id, status: 'open' }]);

    const listed = async (client: typeof asCoach, state: 'open' | 'answered') =>
      (await client.call(listAttendanceCorrections, { query: { state } })).rows.map((row) => row.id);
    expect(await listed(asCoach, 'open')).toEqual([id]);
    expect(await listed(asOtherCoach, 'open')).toEqual([]);
    expect(await listed(asAdmin, 'open')).toHaveLength(turn);
    for (const client of [asCoach, asAdmin]) expect(await listed(client, 'answered')).toEqual([]);
    const underOneDay = { state: 'open', age: 'underOneDay' } as const;
    expect((await asCoach.call(listAttendanceCorrections, { query: underOneDay })).rows).toMatchObject([{ id }]);
  }
});

test('the progress of one cohort after another is listed, for an admin and for coaches', async () => {
  const asAdmin = await app.as(await buildAdmin(app.db));
  for (const firstName of ['Ana', 'Ben', 'Cleo']) {
    const [cohort, coach] = [await buildCohort(app.db), await buildCoach(app.db)];
    const own = await buildParticipant(app.db, { firstName });
    const other = await buildParticipant(app.db, { firstName: 'Zoe' });
    for (const { id } of [own, other]) await enrol(app.db, { cohortId: cohort.id, participantId: id });
    await assignCoach(app.db, { participantId: own.id, coachId: coach.id });
    const namesFor = async (client: typeof asAdmin) => {
      const { rows, matching } = await client.call(listCohortProgress, { params: { id: cohort.id }, query: {} });
      expect(matching).toBe(rows.length);
      return rows.map((row) => row.firstName);
    };
    expect(await namesFor(asAdmin)).toEqual([firstName, 'Zoe']);
    expect(await namesFor(await app.as(coach))).toEqual([firstName]);
  }
});
