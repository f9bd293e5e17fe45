import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { houseZone } from '#contract/house-zone.ts';
import type { Db } from '#server/db/database.ts';
import { recomputeProgress } from '#server/features/learning/progress-derivation.ts';
import { verifyLedger } from '#server/features/payments/ledger.ts';
import { deriveWeek } from '#server/features/stipends/week-derivation.ts';
import { weekFacts } from '#server/features/stipends/week-facts-queries.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { openTestApp } from '#test/support/app.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { signInWith } from '#test/support/sign-in.ts';

const run = promisify(execFile);
/** Enough for five cohorts with ten people each. */
const participants = 50;
/** Among so few people of this seed, somebody joins late and somebody leaves. */
const seedNumber = 24;
const prefix = `seed${seedNumber}`;
let databases: TestDatabase[];
let folders: string[];
let totals: Record<string, number>[];

beforeAll(async () => {
  databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  folders = await Promise.all(databases.map(() => mkdtemp(path.join(os.tmpdir(), 'switchyard-seed-'))));
  totals = await Promise.all([seed(0), seed(1)]);
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.leave()));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

/** Runs `npm run seed` on one of the databases and returns the totals that it prints. */
async function seed(place: number): Promise<Record<string, number>> {
  const given = ['--participants', String(participants), '--seed', String(seedNumber)];
  const { stdout } = await run(process.execPath, ['scripts/seed.ts', ...given], {
    env: { PATH: process.env.PATH, DATABASE_URL: databases[place]?.connectionString, DATA_DIR: folders[place] },
  });
  return Object.fromEntries(
    [...stdout.matchAll(/^ {2}(\w+) +(\d+)$/gm)].map(([, table, count]) => [table, Number(count)]),
  );
}

function db(place = 0): Db {
  const database = databases[place];
  if (!database) throw new Error('There are two databases.');
  return database.db;
}

/** Describes the people, what they did and what they were told, whatever the ids of the rows are. */
async function outcomeOf(place: number): Promise<unknown> {
  const { rows } = await sql`
    select profiles.id, profiles.email, full_name, role, phone, created_at, phone_confirmed_at,
      (select json_agg(json_build_array(cohorts.name, member.status, enrolled_at, ended_at) order by enrolled_at)
        from cohort_participants member
        join cohorts on cohorts.id = member.cohort_id where participant_id = profiles.id) as memberships,
      (select json_agg(json_build_array(title, round.submission_text, review_status, points_earned, round.submitted_at)
          order by title, round.round_number)
        from content_submissions submission join content_assignments on content_assignments.id = assignment_id
        join submission_rounds round on round.submission_id = submission.id where user_id = profiles.id) as work,
      (select json_agg(json_build_array(title, accessed_at) order by title) from attendance_records
        join training_activities on training_activities.id = content_id where fellow_id = profiles.id) as attendance,
      (select json_agg(json_build_array(scheduled_at, status, agenda, cancel_reason) order by scheduled_at)
        from coaching_sessions where participant_id = profiles.id) as sessions,
      (select json_agg(json_build_array(message, recipient_id, sent_at, read_at) order by sent_at, message, recipient_id)
        from coach_messages where sender_id = profiles.id) as messages,
      (select json_agg(json_build_array(title, message, created_at, read_at) order by created_at, title, message, read_at)
        from notices where user_id = profiles.id) as notices,
      (select json_agg(json_build_array(week_number, payment_status, stipend_amount_cents, criteria) order by week_number)
        from stipend_eligibility where fellow_id = profiles.id) as money,
      (select json_agg(json_build_array(kind, at, owed_cents, handed_cents, paid_cents) order by position)
        from stipend_ledger where fellow_id = profiles.id and kind <> 'recall') as ledger
    from profiles order by email`.execute(db(place).withoutPlugins());
  return rows;
}

test('npm run seed makes the same programme on any empty instance, and leaves it as it is when run again', async () => {
  expect(totals[0]).toMatchObject({ profiles: participants + 8, cohorts: 5 });
  for (const [table, count] of Object.entries(totals[0] ?? {}))
    if (table !== 'stipend_payment_reversals') expect([table, count > 0]).toEqual([table, true]);
  expect(totals[1]).toEqual(totals[0]);
  const outcome = await outcomeOf(0);
  expect(await outcomeOf(1)).toEqual(outcome);
  expect(await seed(1)).toEqual(totals[1]);
  expect(await outcomeOf(1)).toEqual(outcome);
});

test('what follows from the facts of the seed is what the product derives, and its ledger agrees', async () => {
  const { lines, problems } = await verifyLedger(db());
  expect([lines > 100, problems]).toEqual([true, []]);
  const left = await db().selectFrom('factChanges').select('fact').execute();
  expect(left).toEqual([]);

  const apart = await sql`
    with ${weekFacts(sql`select fellow_id as person_id, cohort_id, week_number from stipend_eligibility`)}
    select stored.fellow_id from counted
    join stipend_eligibility stored using (fellow_id, cohort_id, week_number)
    where (stored.is_member, stored.activities_total, stored.activities_accessed, stored.assignments_total,
        stored.assignments_submitted, stored.performance_rating, stored.evidence)
      is distinct from (counted.is_member, counted.activities_total, counted.activities_accessed,
        counted.assignments_total, counted.assignments_submitted, counted.rating, counted.evidence)`.execute(db());
  expect(apart.rows).toEqual([]);
  const weeks = await db().selectFrom('stipendEligibility').select(['cohortId', 'weekNumber']).distinct().execute();
  for (const { cohortId, weekNumber } of weeks)
    expect(await deriveWeek(db(), { cohortIds: [cohortId], weekNumber })).toBe(0);

  const before = await progress();
  const members = await db().selectFrom('cohortParticipants').select(['cohortId', 'participantId']).execute();
  for (const [cohortId, own] of Map.groupBy(members, (member) => member.cohortId))
    await recomputeProgress(
      db(),
      own.map(({ participantId }) => participantId),
      cohortId,
    );
  expect(await progress()).toEqual(before);
});

function progress() {
  return db().selectFrom('participantProgress').selectAll().orderBy('cohortId').orderBy('participantId').execute();
}

test('what the seed makes happened as the product lets it happen', async () => {
  const members = await sql<{ late: number; left: number }>`
    select count(*) filter (where enrolled_at > cohorts.start_date + 1) as late,
      count(*) filter (where member.status = 'withdrawn') as left
    from cohort_participants member join cohorts on cohorts.id = cohort_id where cohorts.status = 'active'`.execute(
    db(),
  );
  expect(members.rows).toEqual([{ late: 3, left: 1 }]);
  const wrong = await sql<{ what: string }>`
    select 'sessions overlap' as what from coaching_sessions one join coaching_sessions other
      on other.id > one.id and (other.coach_id = one.coach_id or other.participant_id = one.participant_id)
      and session_period(other.scheduled_at, other.duration_minutes) && session_period(one.scheduled_at, one.duration_minutes)
    union all
    select 'a session is outside of what the coach offers' from coaching_sessions session
    where status = 'scheduled' and not exists (select from coach_availability offered where offered.coach_id = session.coach_id
      and (week_start_date + day_of_week) + start_time <= scheduled_at at time zone 'America/New_York'
      and (week_start_date + day_of_week) + end_time >= scheduled_at at time zone 'America/New_York' + interval '30 minutes')
    union all
    select 'somebody did something before they were a member, or after they left'
    from cohort_participants member join attendance_records attendance on attendance.fellow_id = participant_id
    where accessed_at < enrolled_at or accessed_at > ended_at
    union all
    select 'work was reviewed before it was handed in' from submission_rounds where reviewed_at <= submitted_at
    union all
    select 'a round was handed in before the one before it was returned' from submission_rounds later
    join submission_rounds earlier using (submission_id)
    where later.round_number = earlier.round_number + 1
      and (earlier.review_status is distinct from 'needs_revision' or later.submitted_at < earlier.reviewed_at)
    union all
    select 'a week was decided before its last fact' from stipend_eligibility stipend
    join attendance_records attendance on attendance.fellow_id = stipend.fellow_id and attendance.week_number = stipend.week_number
    where accessed_at > approved_at
    union all
    select 'a message was read before it was sent' from coach_messages where read_at < sent_at
    union all
    select 'something was told in the future' from notices where created_at > now() or read_at > now()
    union all
    select 'something was done in the future: ' || action from audit_log where at > now()
    union all
    select 'a membership of the past changed today: ' || action from audit_log
    where action in ('cohort.enrol', 'coach.assign', 'membership.withdraw')
      and at > date_trunc('day', now() at time zone ${houseZone}) at time zone ${houseZone}
    union all
    select 'somebody paid a week before it was approved' from stipend_payment_parts part
    join stipend_eligibility stipend on stipend.id = part.stipend_id where part.paid_at < stipend.approved_at
    union all
    select 'somebody has a track without all core modules' from track_selections chosen
    join participant_progress progress using (participant_id, cohort_id)
    where core_modules_completed < (select count(*) from course_modules where module_type = 'core')
    union all
    select 'a recall is on record for something else than its batch' from stipend_handovers batch where status = 'recalled'
      and (select array_agg(subject_type || ' ' || (after ->> 'status')) from audit_log
        where action = 'stipend.recall_handover' and subject_id = batch.id) is distinct from '{stipend_handover recalled}'
    union all
    select 'a mail waits to be sent' from deliveries where status in ('queued', 'failed')
    union all
    select 'a notice waits to be decided' from notice_events where decided_at is null`.execute(db());
  expect(wrong.rows).toEqual([]);
});

const screens: [email: string, addresses: string[]][] = [
  [
    `${prefix}-000001@seed.example`,
    [
      'dashboards/participant',
      'training-calendar',
      'fellowship',
      'coaching/booking',
      'messages/contacts',
      'notices',
    ].concat(['stipends/own', 'user-files', 'learning-resources', 'account/sign-ins']),
  ],
  [
    `${prefix}-coach-0001@seed.example`,
    ['dashboards/coach', 'coach/participants', 'coach/sessions', 'coach/sessions/upcoming', 'submissions'].concat([
      'messages/contacts',
      'cohort-progress',
      'notices',
      'training-calendar',
      'account/sign-ins',
    ]),
  ],
  [
    `${prefix}-admin@seed.example`,
    ['dashboards/admin', 'users', 'cohorts', 'stipends?week=1', 'stipends/cohorts', 'audit-log', 'submissions'].concat(
      ['messages/contacts', 'programme/modules', 'programme/tracks', 'programme/courses', 'resources'],
      ['participants-without-coach', 'training-activities', 'cohort-enrolments/targets', 'cohort-progress'],
    ),
  ],
];

test('people of the seed sign in, and every screen of theirs has something to show', async () => {
  const app = await openTestApp(databases[0]?.connectionString ?? '', { DATA_DIR: folders[0] ?? '' });
  for (const [email, addresses] of screens) {
    const { status, cookie } = await signInWith(app, email, 'Power-Up-2026!');
    expect([email, status]).toEqual([email, 200]);
    for (const address of addresses) {
      const answer = await fetch(`${app.url}/api/${address}`, { headers: { cookie } });
      const text = await answer.text();
      expect([address, answer.status]).toEqual([address, 200]);
      expect([address, /\[[^\]]|:[1-9]/.test(text)]).toEqual([address, true]);
    }
  }
  const { cookie } = await signInWith(app, `${prefix}-000001@seed.example`, 'Power-Up-2026!');
  const own = await db()
    .selectFrom('storedFiles')
    .innerJoin('profiles', 'profiles.id', 'storedFiles.ownerId')
    .select('storedFiles.id')
    .where('email', '=', `${prefix}-000001@seed.example`)
    .where('area', 'in', ['my_files', 'submissions'])
    .execute();
  for (const { id } of own) {
    const file = await fetch(`${app.url}/api/files/${id}`, { headers: { cookie } });
    expect([file.status, (await file.text()).slice(0, 5)]).toEqual([200, '%PDF-']);
  }
  expect(own.length).toBeGreaterThan(2);
  await app.close();
});

test('npm run seed refuses an instance with people who were not made up', async () => {
  await buildParticipant(db(1));
  const refused = await seed(1).catch((error: { code: number; stderr: string }) => error);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('has 1 person who was not made up') });
});
