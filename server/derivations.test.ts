import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { correctAttendance } from '#contract/activities.ts';
import { listCohortProgress } from '#contract/cohort-progress.ts';
import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';
import { type Db, openDatabase } from '#server/db/database.ts';
import { processWeek } from '#server/features/stipends/stipends.ts';
import { newId } from '#server/platform/ids.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import {
  buildActivity,
  buildAssignment,
  buildContentItem,
  buildModule,
  buildWeeklyRequirement,
} from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend, buildWeekActivities } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { statementsSent } from '#test/support/statements.ts';
import { followLeftChanges, followLeftChangesJob, followOwnChanges } from './derivations.ts';

let app: TestApp;
let admin: Client;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.as(await buildAdmin(app.db));
});
afterAll(() => app.close());

/** A fellow in week 1 of a cohort with ten activities and an undecided row that knows of none attended. */
async function fellowOfAWeek() {
  const cohort = await buildCohort(app.db, { startDate: '2025-09-08' });
  const fellow = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: fellow.id });
  const activities = await buildWeekActivities(app.db, 10, { cohortId: cohort.id, sessionDate: '2025-09-09' });
  await processWeek(app.db, 1, cohort.id);
  const row = () =>
    app.db
      .selectFrom('stipendEligibility')
      .select(['activitiesAccessed', 'version'])
      .where('fellowId', '=', fellow.id)
      .executeTakeFirstOrThrow();
  const progress = async () => {
    const { rows } = await admin.call(listCohortProgress, { params: { id: cohort.id }, query: {} });
    return rows[0]?.overallPercentage;
  };
  return { cohort, fellow, activities, row, progress };
}

async function left(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from fact_changes`.execute(app.db);
  return rows[0]?.count ?? 0;
}

test('the first row of a week waits for a fact that is being written, and a fact for a row that is being made', async () => {
  const cohort = await buildCohort(app.db, { startDate: '2025-09-08' });
  const fellow = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: fellow.id });
  const facts = { cohortId: cohort.id, sessionDate: '2025-09-09' };
  const [first, second] = await buildWeekActivities(app.db, 2, facts);
  if (!first || !second) throw new Error('The week has two activities.');
  const attendance = (activity: typeof first) => (db: Db) => attend(db, fellow.id, [activity]);
  const making = (db: Db) => processWeek(db, 1, cohort.id);

  await otherWaits(attendance(first), making);
  expect(await attendedOf(fellow.id)).toBe(1);
  await app.db.deleteFrom('stipendEligibility').where('fellowId', '=', fellow.id).execute();
  await otherWaits(making, attendance(second));
  expect(await attendedOf(fellow.id)).toBe(2);
});

/** Does one act, then another one that has to wait for the end of the first one's transaction. */
async function otherWaits(act: (db: Db) => Promise<unknown>, other: (db: Db) => Promise<unknown>): Promise<void> {
  const done = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const one = inTransaction(app.db, async (db) => {
    await act(db);
    done.resolve();
    await ended.promise;
  });
  await Promise.race([done.promise, one]);
  const two = inTransaction(app.db, other);
  await expect
    .poll(async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*) as waiting from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(app.db);
      return rows[0]?.waiting;
    })
    .toBe(1);
  ended.resolve();
  await Promise.all([one, two]);
}

async function attendedOf(fellowId: string): Promise<number> {
  const { activitiesAccessed } = await app.db
    .selectFrom('stipendEligibility')
    .select('activitiesAccessed')
    .where('fellowId', '=', fellowId)
    .executeTakeFirstOrThrow();
  return activitiesAccessed;
}

test('what follows from a fact is there with it: the undecided week and the progress', async () => {
  const { fellow, activities, row, progress } = await fellowOfAWeek();
  const body = { attended: true, reason: 'Was there' };
  const params = { id: activities[0]?.id ?? '', participantId: fellow.id };
  await admin.call(correctAttendance, { params, body });
  expect(await row()).toEqual({ activitiesAccessed: 1, version: 2 });
  expect(await progress()).toBe(10);
});

test('an act hears that facts were noted, whatever its connection has set for messages', async () => {
  const { fellow, activities, row } = await fellowOfAWeek();
  await inTransaction(app.db, async (db) => {
    await sql`set local client_min_messages = error`.execute(db);
    await attend(db, fellow.id, activities.slice(0, 2));
  });
  expect(await row()).toMatchObject({ activitiesAccessed: 2 });
});

test('an act asks whether facts were noted if what PostgreSQL says does not come through', async () => {
  const { fellow, activities, row } = await fellowOfAWeek();
  const emit = pg.Client.prototype.emit;
  const deaf = vi.spyOn(pg.Client.prototype, 'emit').mockImplementation(function (this: pg.Client, ...said) {
    return said[0] === 'notice' ? false : emit.apply(this, said);
  });
  const { db, close } = openDatabase(app.connectionString, { max: 1, beforeCommit: followOwnChanges });
  try {
    await inTransaction(db, (transaction) => attend(transaction, fellow.id, activities.slice(0, 5)));
  } finally {
    deaf.mockRestore();
    await close();
  }
  expect(await row()).toMatchObject({ activitiesAccessed: 5 });
});

test('a statement that its act does not wait for is followed too', async () => {
  const { fellow, activities, row } = await fellowOfAWeek();
  await inTransaction(app.db, async (db) => {
    void attend(db, fellow.id, activities.slice(0, 1));
  });
  expect(await row()).toMatchObject({ activitiesAccessed: 1 });
});

test('of acts that run side by side each hears of its own facts, and closes with a statement only then', async () => {
  const { fellow, activities, row } = await fellowOfAWeek();
  const { db, pool, close } = openDatabase(app.connectionString, { max: 2, beforeCommit: followOwnChanges });
  try {
    const sent = await statementsSent(pool, () =>
      Promise.all([
        inTransaction(db, (transaction) => attend(transaction, fellow.id, activities.slice(0, 3))),
        inTransaction(db, (transaction) => changed(transaction, 'messages', [fellow.id])),
      ]),
    );
    const startingWith = (words: string) => sent.filter(({ text }) => text.trim().startsWith(words));
    expect(startingWith('with taken as (delete from fact_changes')).toHaveLength(1);
    expect(startingWith('select pg_notify')).toHaveLength(1);
  } finally {
    await close();
  }
  expect(await row()).toMatchObject({ activitiesAccessed: 3 });
});

test('of ten facts of one week that are written at the same moment none is lost, and none is left to follow', async () => {
  const { fellow, activities, row, progress } = await fellowOfAWeek();
  await Promise.all(
    activities.map(({ id }) =>
      admin.call(correctAttendance, {
        params: { id, participantId: fellow.id },
        body: { attended: true, reason: 'Was there' },
      }),
    ),
  );
  expect((await row()).activitiesAccessed).toBe(10);
  expect(await progress()).toBe(100);
  const ofFellow = app.db
    .selectFrom('factChanges')
    .selectAll()
    .where('personId', '=', fellow.id)
    .where('fact', '=', 'attendance');
  expect(await ofFellow.execute()).toHaveLength(0);
});

test('a fact that is taken back with its transaction leaves nothing to follow', async () => {
  const { fellow, activities, row } = await fellowOfAWeek();
  const before = await left();
  const undone = inTransaction(app.db, async (db) => {
    await attend(db, fellow.id, activities);
    throw new Error('Changed my mind.');
  });
  await expect(undone).rejects.toThrow('Changed my mind.');
  expect(await row()).toMatchObject({ activitiesAccessed: 0, version: 1 });
  expect(await left()).toBe(before);
});

test('what somebody writes beside the product a job follows', async () => {
  const { fellow, activities, row, progress } = await fellowOfAWeek();
  await attend(app.db, fellow.id, activities.slice(0, 4));
  expect(await row()).toMatchObject({ activitiesAccessed: 0 });
  const jobs = await app.runJobs();
  await expect.poll(row).toMatchObject({ activitiesAccessed: 4 });
  await expect.poll(left).toBe(0);
  await jobs.stop();
  expect(await progress()).toBe(40);
  const asFellow = await app.as(fellow);
  const { rows } = await asFellow.call(listOwnStipendWeeks, { query: {} });
  expect(rows.find(({ weekNumber }) => weekNumber === 1)).toMatchObject({ activities: { accessed: 4, total: 10 } });
});

test('one run of the job follows all that was left, however much it is', async () => {
  await sql`
    insert into fact_changes (fact, person_id, cohort_id)
    select 'membership', ${newId()}::uuid, ${newId()}::uuid from generate_series(1, 5001)`.execute(app.db);
  await followLeftChangesJob.run(app.app, {}, { number: 1, isLast: false });
  expect(await left()).toBe(0);
});

const ofTheProgramme = [
  ['training_activities', sql`set title = title || '!'`, 'its own'],
  ['training_activities', sql`set cohort_id = null`, 'every'],
  ['content_items', sql`set order_index = order_index + 1`, 'its own'],
  ['content_assignments', sql`set due_date = '2025-09-12'`, 'its own'],
  ['weekly_requirements', sql`set due_date = '2025-09-12'`, 'its own'],
  ['course_modules', sql`set title = title || '!'`, 'its own'],
  ['cohorts', sql`set end_date = end_date + 7`, 'its own'],
] as const;

for (const [table, change, concerned] of ofTheProgramme) {
  test(`a change of ${table} is followed for ${concerned} cohort`, async () => {
    const { cohort, ids } = await taughtCohort();
    const other = await taughtCohort();
    const before = await toldCohorts();
    await inTransaction(app.db, async (db) => {
      await sql`update ${sql.table(table)} ${change} where id = ${ids[table]}`.execute(db);
    });
    const told = (await toldCohorts()).slice(before.length);
    expect(told).toContain(cohort.id);
    expect(told.includes(other.cohort.id)).toBe(concerned === 'every');
  });
}

test('an activity that moves to another cohort is followed for both', async () => {
  const [former, next] = [await taughtCohort(), await taughtCohort()];
  const before = await toldCohorts();
  await inTransaction(app.db, async (db) => {
    await db
      .updateTable('trainingActivities')
      .set({ cohortId: next.cohort.id })
      .where('id', '=', former.ids.training_activities)
      .execute();
  });
  expect(new Set((await toldCohorts()).slice(before.length))).toEqual(new Set([former.cohort.id, next.cohort.id]));
});

/** Makes a cohort with a member and a curriculum of its own. Returns the ids of one of its rows in each table. */
async function taughtCohort() {
  const cohort = await buildCohort(app.db, { startDate: '2025-09-08', curriculumVersion: newId() });
  const member = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: member.id });
  const activity = await buildActivity(app.db, { cohortId: cohort.id, sessionDate: '2025-09-09' });
  const item = await buildContentItem(app.db, { trainingActivityId: activity.id });
  const assignment = await buildAssignment(app.db, { contentItemId: item.id });
  const requirement = await buildWeeklyRequirement(app.db, { cohortId: cohort.id, dueDate: '2025-09-11' });
  const module = await buildModule(app.db, { curriculumVersion: cohort.curriculumVersion });
  await inTransaction(app.db, followLeftChanges);
  const ids = {
    training_activities: activity.id,
    content_items: item.id,
    content_assignments: assignment.id,
    weekly_requirements: requirement.id,
    course_modules: module.id,
    cohorts: cohort.id,
  };
  return { cohort, ids };
}

/** The cohorts of all jobs that follow what is taught, in their order. */
async function toldCohorts(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select data ->> 'cohortId' as id from pgboss.job where name = 'taught-changed' order by created_on, id`.execute(
    app.db,
  );
  return rows.map(({ id }) => id);
}

test('what closes an act is planned once, whatever the act has to say', async () => {
  const { cohort, fellow } = await fellowOfAWeek();
  const { db, pool, close } = openDatabase(app.connectionString, { max: 1, beforeCommit: followOwnChanges });
  try {
    for (let run = 0; run < 10; run += 1) {
      await inTransaction(db, async () => undefined);
      await inTransaction(db, (transaction) => changed(transaction, 'messages', [fellow.id]));
      await inTransaction(db, (transaction) => changed(transaction, ['people', 'training'], [fellow.id]));
      await inTransaction(db, (transaction) => changed(transaction, 'cohorts', { membersOf: [cohort.id] }));
      await inTransaction(db, (transaction) => changed(transaction, 'resources', 'everybody'));
    }
    const { rows } = await pool.query<{ custom: number; kept: number }>(
      `select custom_plans::integer as custom, generic_plans::integer as kept from pg_prepared_statements
       where statement ~ 'fact_changes|pg_notify' and statement not like '%pg_prepared_statements%'`,
    );
    // The first act has nothing to say and closes with its commit alone.
    expect(rows).toEqual(Array.from({ length: 4 }, () => ({ custom: 5, kept: 5 })));
  } finally {
    await close();
  }
});

test('a fact of one person is followed without reading everybody', async () => {
  const { cohort, fellow } = await fellowOfAWeek();
  const coach = await buildCoach(app.db);
  const { id: besideId } = await buildCohort(app.db, { startDate: '2025-09-08', capacity: 2000 });
  await sql`
    with people as (
      insert into profiles (id, email, first_name, last_name, role, track_type)
      select time_ordered_id(), 'beside-' || n || '@people.example', 'Beside', n::text, 'participant', 'fellowship'
      from generate_series(1, 2000) n returning id
    )
    insert into cohort_participants (cohort_id, participant_id)
    select ${besideId}, id from people`.execute(app.db);
  await processWeek(app.db, 1, besideId);
  await sql`analyze profiles, cohort_participants, stipend_eligibility`.execute(app.db);
  const transaction = await app.db.startTransaction().execute();
  try {
    const rating = { fellowId: fellow.id, cohortId: cohort.id, weekNumber: 1, overallRating: 4, ratedBy: coach.id };
    await transaction.insertInto('performanceFeedback').values(rating).execute();
    const readBefore = await rowsRead(transaction);
    await followOwnChanges(transaction);
    expect((await rowsRead(transaction)) - readBefore).toBeLessThan(100);
  } finally {
    await transaction.rollback().execute();
  }
});

/** How many memberships and weeks this transaction has read, by scans and by an index. */
async function rowsRead(db: Db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
    where relname in ('cohort_participants', 'stipend_eligibility')`.execute(db);
  return rows[0]?.read ?? 0;
}
