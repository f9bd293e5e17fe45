import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import type { Db } from '#server/db/database.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildModule } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend, buildRating, buildSubmission } from '#test/factories/stipends.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { processWeek } from './stipends.ts';
import { fillOutlooks } from './week-outlooks.ts';
import { isAtRisk, judgeAtRisk, peopleAtRisk } from './week-risk-queries.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.leave());

const friday = '2025-09-12T16:00:00Z';
const atRiskOf = peopleAtRisk(() => sql`select id from profiles`);

interface World {
  db: Db;
  cohortId: string;
  activity: { id: string; cohortId: string | null; weekNumber: number };
  /** Missed the activity of the running week. */
  person: string;
  /** Is in another cohort of the same program. */
  other: string;
}

/** It is the Friday of the first week. */
async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  const restore = stopClockAt(friday);
  const { db } = database;
  try {
    const [person, other] = [(await buildParticipant(db)).id, (await buildParticipant(db)).id];
    const { id: cohortId } = await buildCohort(db);
    await enrol(db, { cohortId, participantId: person });
    await enrol(db, { cohortId: (await buildCohort(db)).id, participantId: other });
    const activity = await buildActivity(db, { cohortId, weekNumber: 1, sessionDate: '2025-09-10' });
    await work({ db, cohortId, activity, person, other });
  } finally {
    restore();
  }
}

async function outlooks(db: Db): Promise<Record<string, boolean>> {
  const rows = await db.selectFrom('stipendOutlooks').select(['personId', 'isAtRisk']).execute();
  return Object.fromEntries(rows.map(({ personId, isAtRisk: is }) => [personId, is]));
}

test('who is a member gets an outlook, as the week is judged, and then nothing is judged', async () => {
  await inWorld(async ({ db, person, other }) => {
    const { id: nobody } = await buildParticipant(db);
    expect(await atRiskOf(db, {})).toEqual([person]);
    expect(await fillOutlooks(db)).toBe(2);
    expect(await outlooks(db)).toEqual({ [person]: true, [other]: false });
    expect(await fillOutlooks(db)).toBe(0);
    await sql`update stipend_outlooks set is_at_risk = not is_at_risk`.execute(db);
    expect(await atRiskOf(db, {})).toEqual([other]);
    expect(await Promise.all([person, other, nobody].map((id) => isAtRisk(db, id)))).toEqual([false, true, false]);
  });
});

type Change = (world: World) => Promise<unknown>;
const ofOne: Record<string, Change> = {
  'an attendance': ({ db, person, activity }) => attend(db, person, [activity]),
  'an excuse': async ({ db, person, activity }) =>
    db
      .insertInto('excusedAbsences')
      .values({
        participantId: person,
        activityId: activity.id,
        reason: 'A storm.',
        excusedBy: (await buildCoach(db)).id,
      })
      .execute(),
  'a rating': ({ db, person, cohortId }) =>
    buildRating(db, { fellowId: person, cohortId, weekNumber: 1, overallRating: 1 }),
  'a membership that begins later': ({ db, person }) =>
    sql`update cohort_participants set enrolled_at = '2025-09-11' where participant_id = ${person}`.execute(db),
  'a membership that ended': ({ db, person }) =>
    sql`update cohort_participants set status = 'withdrawn' where participant_id = ${person}`.execute(db),
  'another cohort': async ({ db, person }) =>
    enrol(db, { participantId: person, cohortId: (await buildCohort(db, { startDate: '2025-09-09' })).id }),
  'another kind': ({ db, person }) =>
    sql`update profiles set track_type = 'self_learner' where id = ${person}`.execute(db),
};
const ofCohort: Record<string, Change> = {
  'the day of an activity': ({ db, activity }) =>
    sql`update training_activities set session_date = '2025-09-12' where id = ${activity.id}`.execute(db),
  'a new assignment': async ({ db, activity }) =>
    buildAssignment(db, { trainingActivityId: activity.id, dueDate: '2025-09-11' }),
  'the days of the cohort': ({ db, cohortId }) =>
    sql`update cohorts set start_date = '2025-09-15' where id = ${cohortId}`.execute(db),
  'a cohort that does not run': ({ db, cohortId }) =>
    sql`update cohorts set status = 'cancelled' where id = ${cohortId}`.execute(db),
};
const ofAll: Record<string, Change> = {
  'an activity of no cohort': ({ db }) =>
    buildActivity(db, { cohortId: null, weekNumber: 1, sessionDate: '2025-09-09' }),
  'who is paid': ({ db }) => sql`update programmes set paid_kinds = '{self_learner}'`.execute(db),
  'the zone': ({ db }) => sql`update programmes set zone = 'Asia/Tokyo'`.execute(db),
  'what a stipend pays for': ({ db }) => sql`update programmes set pay_period = 'two_weeks'`.execute(db),
  'the days of a week': ({ db }) => sql`update programmes set days_per_week = 5`.execute(db),
  'the weeks of the program': ({ db }) => sql`update programmes set weeks = weeks + 1`.execute(db),
  'rules from now on': ({ db }) =>
    sql`insert into rule_sets (programme_id, version, rules, from_day, published_at)
      select programme_id, version + 1, rules, '2025-09-08', now() from rule_sets
      where programme_id = ${defaultProgrammeId} order by version desc limit 1`.execute(db),
};

test.each(Object.entries({ ...ofOne, ...ofCohort }))(
  '%s removes the outlook of whom it concerns, and no other',
  async (_, change) => {
    await inWorld(async (world) => {
      await fillOutlooks(world.db);
      await change(world);
      expect(await outlooks(world.db)).toEqual({ [world.other]: false });
      await isJudgedAnew(world);
    });
  },
);

test.each(Object.entries(ofAll))('%s removes all outlooks of the program', async (_, change) => {
  await inWorld(async (world) => {
    await fillOutlooks(world.db);
    await change(world);
    expect(await outlooks(world.db)).toEqual({});
    await isJudgedAnew(world);
  });
});

/** With the outlooks that are left, with all, and without any, the same people are at risk. */
async function isJudgedAnew({ db, person, other }: World): Promise<void> {
  const judged = (await judgeAtRisk(db, [person, other])).toSorted();
  expect((await atRiskOf(db, {})).toSorted()).toEqual(judged);
  await fillOutlooks(db);
  expect((await atRiskOf(db, {})).toSorted()).toEqual(judged);
}

test('work that is handed in removes the outlook', async () => {
  await inWorld(async (world) => {
    const { db, person, other, activity } = world;
    const { id: assignmentId } = await buildAssignment(db, { trainingActivityId: activity.id, dueDate: '2025-09-11' });
    await fillOutlooks(db);
    await buildSubmission(db, { assignmentId, userId: person });
    expect(await outlooks(db)).toEqual({ [other]: false });
    await isJudgedAnew(world);
  });
});

test('the outlook of a week that is worked out is taken from its row, and holds until the row changes', async () => {
  await inWorld(async (world) => {
    const { db, person, other, activity, cohortId } = world;
    await fillOutlooks(db);
    await processWeek(db, 1, cohortId);
    expect(await outlooks(db)).toEqual({ [person]: true, [other]: false });
    expect(await fillOutlooks(db)).toBe(0);
    await sql`update programmes set paid_kinds = '{self_learner}'`.execute(db);
    expect(await fillOutlooks(db)).toBe(2);
    expect(await outlooks(db)).toEqual({ [person]: true, [other]: false });
    await processWeek(db, 1, cohortId);
    expect(await isAtRisk(db, person)).toBe(false);
    expect(await fillOutlooks(db)).toBe(1);
    expect(await outlooks(db)).toEqual({ [person]: false, [other]: false });
    await attend(db, person, [activity]);
    expect(await outlooks(db)).toEqual({ [other]: false });
    await isJudgedAnew(world);
  });
});

test('while the row stays, its outlook is read and nobody is judged; a row of another version is judged', async () => {
  await inWorld(async ({ db, person, other, cohortId }) => {
    await processWeek(db, 1, cohortId);
    expect(await fillOutlooks(db)).toBe(2);
    await sql`update stipend_outlooks set is_at_risk = not is_at_risk`.execute(db);
    expect(await atRiskOf(db, {})).toEqual([other]);
    await sql`update stipend_eligibility set version = version + 1`.execute(db);
    expect((await atRiskOf(db, {})).toSorted()).toEqual([person, other].toSorted());
    await sql`delete from stipend_eligibility`.execute(db);
    expect((await atRiskOf(db, {})).toSorted()).toEqual([person, other].toSorted());
    expect(await fillOutlooks(db)).toBe(1);
  });
});

test('a draft of rules, a module and a name remove no outlook', async () => {
  await inWorld(async ({ db, person, other }) => {
    await fillOutlooks(db);
    await sql`insert into rule_sets (programme_id, version, rules)
      select programme_id, version + 1, rules from rule_sets
      where programme_id = ${defaultProgrammeId} order by version desc limit 1`.execute(db);
    await buildModule(db, { curriculumVersion: 'another' });
    await sql`update profiles set first_name = 'Another'`.execute(db);
    expect(Object.keys(await outlooks(db)).toSorted()).toEqual([person, other].toSorted());
  });
});

test('an outlook holds for a day of the zone of the program', async () => {
  await inWorld(async ({ db, person, other }) => {
    await sql`update programmes set zone = 'Pacific/Auckland'`.execute(db);
    await fillOutlooks(db);
    const filledIn = await db.selectFrom('stipendOutlooks').selectAll().where('personId', '=', person).execute();
    expect(filledIn).toEqual([
      {
        personId: person,
        isAtRisk: true,
        holdsFrom: new Date('2025-09-12T12:00:00Z'),
        holdsUntil: new Date('2025-09-13T12:00:00Z'),
        stipendId: null,
        stipendVersion: null,
      },
    ]);
    await sql`update stipend_outlooks set is_at_risk = not is_at_risk`.execute(db);
    const seenAt: Record<string, string[]> = {
      '2025-09-12T11:59:59.999Z': [person],
      '2025-09-12T12:00:00Z': [other],
      '2025-09-13T11:59:59.999Z': [other],
      '2025-09-13T12:00:00Z': [person],
    };
    for (const [instant, seen] of Object.entries(seenAt)) {
      const restore = stopClockAt(instant);
      expect(await atRiskOf(db, {}), instant).toEqual(seen);
      restore();
    }
    const restore = stopClockAt('2025-09-13T12:00:00Z');
    expect(await fillOutlooks(db)).toBe(2);
    expect(await outlooks(db)).toEqual({ [person]: true, [other]: false });
    restore();
  });
});

test('what cannot run any more is judged once', async () => {
  await inWorld(async ({ db, person, other, cohortId }) => {
    await sql`update cohorts set status = 'completed' where id = ${cohortId}`.execute(db);
    await fillOutlooks(db);
    const { rows } = await sql<{ personId: string; until: string }>`
      select person_id, holds_until::text as until from stipend_outlooks where holds_until = 'infinity'`.execute(db);
    expect(rows.map(({ personId }) => personId)).toEqual([person]);
    await sql`update cohorts set status = 'active' where id = ${cohortId}`.execute(db);
    expect(Object.keys(await outlooks(db))).toEqual([other]);
  });
});

test('the day ends at the first midnight where the clock is put back to midnight', async () => {
  await inWorld(async ({ db, person, cohortId }) => {
    await sql`update programmes set zone = 'America/Havana', days_per_week = 7, first_weekday = null`.execute(db);
    await sql`update cohorts set start_date = '2025-10-27' where id = ${cohortId}`.execute(db);
    await sql`update training_activities set session_date = '2025-11-01'`.execute(db);
    const restore = [stopClockAt('2025-11-01T16:00:00Z')];
    await fillOutlooks(db);
    expect(await isAtRisk(db, person)).toBe(false);
    restore.push(stopClockAt('2025-11-02T04:30:00Z'));
    expect(await isAtRisk(db, person)).toBe(true);
    for (const one of restore.toReversed()) one();
  });
});
