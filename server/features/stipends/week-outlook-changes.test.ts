import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { followLeftChanges } from '#server/derivations.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend, buildRating, buildSubmission } from '#test/factories/stipends.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { processWeek } from './stipends.ts';
import { fillOutlooks } from './week-outlooks.ts';
import { holdsNow, judgeAtRisk } from './week-risk-queries.ts';

let database: TestDatabase;
let restore: () => void;
beforeAll(() => {
  restore = stopClockAt('2025-09-12T16:00:00Z');
});
afterAll(() => restore());

/** Two cohorts with members who did more or less. The first person is in both. */
async function buildFacts(db: Db) {
  const [one, other] = [(await buildCohort(db)).id, (await buildCohort(db)).id];
  const people: string[] = [];
  for (let number = 0; number < 6; number += 1) {
    const { id: participantId } = await buildParticipant(db);
    await enrol(db, { cohortId: number < 4 ? one : other, participantId });
    people.push(participantId);
  }
  const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = ''] = people;
  await enrol(db, { cohortId: other, participantId: first });
  const activity = await buildActivity(db, { cohortId: one, weekNumber: 1, sessionDate: '2025-09-10' });
  const later = await buildActivity(db, { cohortId: one, weekNumber: 2, sessionDate: '2025-09-09' });
  const ofOther = await buildActivity(db, { cohortId: other, weekNumber: 1, sessionDate: '2025-09-10' });
  const ofAll = await buildActivity(db, { cohortId: null, weekNumber: 3, sessionDate: '2025-09-11' });
  const item = await buildContentItem(db, { trainingActivityId: activity.id, contentType: 'assignment' });
  const work = await buildAssignment(db, { contentItemId: item.id, dueDate: '2025-09-11' });
  for (const id of [first, second, third]) await attend(db, id, [activity]);
  await attend(db, fifth, [ofOther]);
  for (const userId of [second, third]) await buildSubmission(db, { assignmentId: work.id, userId });
  await buildRating(db, { fellowId: third, cohortId: one, weekNumber: 1 });
  const coach = (await buildCoach(db)).id;
  return { one, other, first, second, fourth, fifth, sixth, activity, later, ofOther, ofAll, item, work, coach };
}

/** One change after another, as the database takes it. */
function changesOf(facts: Awaited<ReturnType<typeof buildFacts>>): Record<string, RawBuilder<unknown>> {
  const { one, other, first, second, fourth, fifth, sixth, activity, later, ofOther, ofAll, item, work, coach } = facts;
  return {
    'an archived item': sql`update content_items set archived_at = now() where id = ${item.id}`,
    'a restored item': sql`update content_items set archived_at = null where id = ${item.id}`,
    'an archived assignment': sql`update content_assignments set archived_at = now() where id = ${work.id}`,
    'a restored assignment': sql`update content_assignments set archived_at = null where id = ${work.id}`,
    'no due date': sql`update content_assignments set due_date = null where id = ${work.id}`,
    'the due date of an item': sql`update content_items set due_date = '2025-09-10' where id = ${item.id}`,
    'an item that moves': sql`update content_items set training_activity_id = ${ofOther.id} where id = ${item.id}`,
    'an item that moves back': sql`update content_items set training_activity_id = ${activity.id} where id = ${item.id}`,
    'another week': sql`update training_activities set week_number = 1 where id = ${later.id}`,
    'another cohort': sql`update training_activities set cohort_id = ${other} where id = ${later.id}`,
    'no cohort': sql`update training_activities set cohort_id = null where id = ${later.id}`,
    'the cohort again': sql`update training_activities set cohort_id = ${one} where id = ${later.id}`,
    'a week of all cohorts': sql`update training_activities set week_number = 1 where id = ${ofAll.id}`,
    'an audience': sql`update training_activities set audiences = '{amp}' where id = ${ofAll.id}`,
    'whom it reaches': sql`update programme_audiences set kinds = '{fellowship,adult_mobilization}' where key = 'amp'`,
    'whom it reaches no more': sql`update programme_audiences set kinds = '{adult_mobilization}' where key = 'amp'`,
    'planned minutes': sql`update training_activities set duration_minutes = 100`,
    'a way of teaching': sql`update training_activities set delivery_medium = 'In-person'`,
    'an attendance taken back': sql`delete from attendance_records where fellow_id = ${second}`,
    'an excuse': sql`insert into excused_absences (participant_id, activity_id, reason, excused_by)
      values (${second}, ${activity.id}, 'A storm.', ${coach})`,
    'an excuse taken back': sql`delete from excused_absences`,
    'a review': sql`update content_submissions set status = 'accepted', reviewed_by = ${coach}, reviewed_at = now()
      where user_id = ${second}`,
    'a low rating': sql`update performance_feedback set overall_rating = 1`,
    'a rating taken back': sql`delete from performance_feedback`,
    'a role': sql`update profiles set role = 'coach' where id = ${fourth}`,
    'the role again': sql`update profiles set role = 'participant' where id = ${fourth}`,
    'no kind': sql`update profiles set track_type = null where id = ${sixth}`,
    'a kind': sql`update profiles set track_type = 'fellowship' where id = ${sixth}`,
    'a withdrawal': sql`update cohort_participants set status = 'withdrawn', ended_at = now()
      where participant_id = ${first} and cohort_id = ${one}`,
    'a removed membership': sql`delete from cohort_participants where participant_id = ${first} and cohort_id = ${one}`,
    'the end of a cohort': sql`update cohorts set end_date = '2025-09-11' where id = ${other}`,
    'a later end': sql`update cohorts set end_date = '2025-12-26' where id = ${other}`,
    'a status': sql`update cohorts set status = 'completed' where id = ${other}`,
    'the status again': sql`update cohorts set status = 'active' where id = ${other}`,
    'more weeks': sql`update programmes set weeks = 20`,
    'who is paid': sql`update programmes set paid_kinds = '{adult_mobilization}'`,
    'who is paid again': sql`update programmes set paid_kinds = '{fellowship}'`,
    'new rules': sql`insert into rule_sets (programme_id, version, rules, from_day, published_at)
      select programme_id, 2, rules || '{"criteria": [{"name": "Attendance", "fact": "attendanceShare", "limit": 10}]}',
        '2025-09-01', now() from rule_sets`,
    'a deleted person': sql`update profiles set deleted_at = now(), track_type = null where id = ${fifth}`,
    'what is removed with something else': sql`
      with attendance as (delete from attendance_records), work as (delete from content_submissions)
      delete from content_assignments`,
    'a removed activity': sql`delete from training_activities where id = ${activity.id}`,
  };
}

test.each([false, true])(
  'no change leaves an outlook that is wrong, if weeks are worked out: %s',
  async (isWorkedOut) => {
    database = await createTestDatabase();
    const { db } = database;
    const facts = await buildFacts(db);
    if (isWorkedOut) for (const id of [facts.one, facts.other]) await processWeek(db, 1, id);
    await followAll(db);
    let seen = 0;
    for (const [what, change] of Object.entries(changesOf(facts))) {
      await fillOutlooks(db);
      await change.execute(db);
      seen += await compare(db, what);
      await fillOutlooks(db);
      seen += await compare(db, `${what}, filled in`);
      await followAll(db);
      seen += await compare(db, `${what}, followed`);
    }
    expect(seen).toBeGreaterThan(200);
    await database.leave();
  },
);

async function followAll(db: Db): Promise<void> {
  while (await inTransaction(db, followLeftChanges));
  await sql`delete from fact_changes`.execute(db);
}

async function compare(db: Db, what: string): Promise<number> {
  const outlooks = await db
    .selectFrom('stipendOutlooks as outlook')
    .select(['personId', 'isAtRisk'])
    .where(holdsNow)
    .orderBy('personId')
    .execute();
  const ids = outlooks.map(({ personId }) => personId);
  const kept = outlooks.filter(({ isAtRisk }) => isAtRisk).map(({ personId }) => personId);
  expect((await judgeAtRisk(db, ids)).toSorted(), what).toEqual(kept.toSorted());
  return outlooks.length;
}
