import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { attend, buildSubmission } from '#test/factories/stipends.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { somebodyWaits } from '#test/support/waiting-statements.ts';
import { processWeek } from './stipends.ts';
import { fillOutlooks } from './week-outlooks.ts';
import { isAtRisk, judgeAtRisk } from './week-risk-queries.ts';

let database: TestDatabase;
let restore: () => void;
beforeEach(async () => {
  database = await createTestDatabase();
  restore = stopClockAt('2025-09-12T16:00:00Z');
});
afterEach(async () => {
  restore();
  await database.leave();
});

/** Somebody who missed the activity of the running week, with an open transaction of somebody else. */
async function beside(
  write: (facts: Facts, writer: Db) => Promise<unknown>,
  also?: (facts: Facts) => Promise<unknown>,
) {
  const { db } = database;
  const person = (await buildParticipant(db)).id;
  const { id: cohortId } = await buildCohort(db);
  await enrol(db, { cohortId, participantId: person });
  const activity = await buildActivity(db, { cohortId, weekNumber: 1, sessionDate: '2025-09-10' });
  const { id: otherCohort } = await buildCohort(db, { startDate: '2025-09-09' });
  const moving = await buildActivity(db, { cohortId: otherCohort, weekNumber: 1, sessionDate: '2025-09-10' });
  const newcomer = (await buildParticipant(db)).id;
  const facts = { db, person, newcomer, cohortId, otherCohort, activity, moving };
  const writer = await db.startTransaction().execute();
  await write(facts, writer);
  await also?.(facts);
  const filled = await fillOutlooks(db);
  await writer.commit().execute();
  for (const id of [person, newcomer]) expect(await isAtRisk(db, id)).toBe((await judgeAtRisk(db, [id])).includes(id));
  await fillOutlooks(db);
  for (const id of [person, newcomer]) expect(await isAtRisk(db, id)).toBe((await judgeAtRisk(db, [id])).includes(id));
  return filled;
}

interface Facts {
  db: Db;
  person: string;
  newcomer: string;
  cohortId: string;
  otherCohort: string;
  activity: Attended;
  moving: Attended;
}
interface Attended {
  id: string;
  cohortId: string | null;
  weekNumber: number;
}

test('beside an attendance, the person is left for the next time', async () => {
  expect(await beside(({ person, activity }, writer) => attend(writer, person, [activity]))).toBe(0);
});

test('beside an enrolment in a second cohort', async () => {
  expect(
    await beside(({ person, otherCohort }, writer) => enrol(writer, { cohortId: otherCohort, participantId: person })),
  ).toBe(0);
});

test('beside another kind of somebody who is enrolled meanwhile', async () => {
  await beside(
    ({ newcomer }, writer) =>
      sql`update profiles set track_type = 'adult_mobilization' where id = ${newcomer}`.execute(writer),
    ({ db, newcomer, cohortId }) => enrol(db, { cohortId, participantId: newcomer }),
  );
});

test('beside two enrolments of one person', async () => {
  await beside(
    ({ newcomer, otherCohort }, writer) => enrol(writer, { cohortId: otherCohort, participantId: newcomer }),
    ({ db, newcomer, cohortId }) => enrol(db, { cohortId, participantId: newcomer }),
  );
});

test('beside an attendance of an activity that moves to another cohort meanwhile', async () => {
  await beside(
    ({ person, moving }, writer) => attend(writer, person, [moving]),
    ({ db, cohortId, moving }) =>
      sql`update training_activities set cohort_id = ${cohortId} where id = ${moving.id}`.execute(db),
  );
});

test('beside work in an activity of no cohort, by somebody who is enrolled meanwhile', async () => {
  const { db } = database;
  const { id: cohortId } = await buildCohort(db);
  const newcomer = (await buildParticipant(db)).id;
  const { id } = await buildActivity(db, { cohortId: null, weekNumber: 1, sessionDate: null });
  const work = await buildAssignment(db, { trainingActivityId: id, dueDate: '2025-09-11' });
  const writer = await db.startTransaction().execute();
  await buildSubmission(writer, { assignmentId: work.id, userId: newcomer });
  await enrol(db, { cohortId, participantId: newcomer });
  expect(await isAtRisk(db, newcomer)).toBe(true);
  await fillOutlooks(db);
  await writer.commit().execute();
  expect(await judgeAtRisk(db, [newcomer])).toEqual([]);
  expect(await isAtRisk(db, newcomer)).toBe(false);
});

test('beside rules that are published, and wait, while a cohort is made', async () => {
  const { db } = database;
  const { id: former } = await buildCohort(db);
  const person = (await buildParticipant(db)).id;
  const working = await db.startTransaction().execute();
  await processWeek(working, 1, former);
  const publisher = await db.startTransaction().execute();
  const publishing = sql`
    insert into rule_sets (programme_id, version, rules, from_day, published_at)
    select programme_id, 2, rules || '{"criteria": [{"name": "Sessions", "fact": "sessionsAttended", "limit": 5}]}',
      '2025-09-01', now() from rule_sets`.execute(publisher);
  await somebodyWaits(db);
  const { id: made } = await buildCohort(db);
  await enrol(db, { cohortId: made, participantId: person });
  await buildActivity(db, { cohortId: made, weekNumber: 1, sessionDate: '2025-09-12' });
  await fillOutlooks(db);
  await working.commit().execute();
  await publishing;
  await publisher.commit().execute();
  expect(await judgeAtRisk(db, [person])).toEqual([person]);
  expect(await isAtRisk(db, person)).toBe(true);
});

test('an open enrolment keeps the job from waiting, and so others of the cohort from waiting for the job', async () => {
  const { db } = database;
  const [person, mate] = [(await buildParticipant(db)).id, (await buildParticipant(db)).id];
  const { id: cohortId } = await buildCohort(db);
  for (const participantId of [person, mate]) await enrol(db, { cohortId, participantId });
  const activity = await buildActivity(db, { cohortId, weekNumber: 1, sessionDate: '2025-09-10' });
  await fillOutlooks(db);
  const later = stopClockAt('2025-09-13T16:00:00Z');
  const writer = await db.startTransaction().execute();
  await enrol(writer, { cohortId: (await buildCohort(db)).id, participantId: person });
  expect(await fillOutlooks(db)).toBe(0);
  await attend(db, mate, [activity]);
  await writer.commit().execute();
  expect(await fillOutlooks(db)).toBe(2);
  later();
});
