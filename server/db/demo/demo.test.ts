import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listWeeklyRatings } from '#contract/coaching.ts';
import { readAdminDashboard, readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import { listImports } from '#contract/imports.ts';
import { listLibraryResources } from '#contract/resources.ts';
import { moduleNames } from '#contract/specified-modules.ts';
import { readStipendWeek } from '#contract/stipends.ts';
import { submissionStatuses } from '#contract/submissions.ts';
import { demoAccounts, demoPassword } from '#server/sign-in/demo-accounts.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { signInWith } from '#test/support/sign-in.ts';
import { fillDemoOnFirstStart } from './demo.ts';

let app: TestApp;
let restoreClock: () => void;

/** Wednesday, 3 February 2027, 10:15 in New York. */
beforeAll(async () => {
  app = await startTestApp({ DEMO: '1' });
  restoreClock = stopClockAt('2027-02-03T15:15:00Z');
  await breakOffOnce();
  await fillDemoOnFirstStart(app.app);
});
afterAll(async () => {
  restoreClock();
  await app.close();
});

/** A first start that fails halfway leaves nothing, so the next one begins again. */
async function breakOffOnce(): Promise<void> {
  await sql`alter table resources add constraint broken check (title is null)`.execute(app.db);
  await expect(fillDemoOnFirstStart(app.app)).rejects.toThrow('broken');
  expect(await countOf('profiles')).toBe(0);
  await sql`alter table resources drop constraint broken`.execute(app.db);
}

async function countOf(table: string): Promise<number> {
  const found = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(app.db);
  return found.rows[0]?.n ?? 0;
}

async function signedIn(email: string) {
  const person = await app.db.selectFrom('profiles').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  return app.as(person);
}

test('a demo that is there already, and an instance that is no demo, are left alone', async () => {
  const before = [await countOf('profiles'), await countOf('coachMessages'), await countOf('auditLog')];
  await fillDemoOnFirstStart(app.app);
  await app.db
    .transaction()
    .execute((db) => fillDemoOnFirstStart({ ...app.app, db, config: { ...app.app.config, isDemo: false } }));
  expect([await countOf('profiles'), await countOf('coachMessages'), await countOf('auditLog')]).toEqual(before);
});

test('the active cohort is in its fifth week, beside a finished and a planned one', async () => {
  const cohorts = await app.db
    .selectFrom('cohorts')
    .select(['status', 'startDate', 'currentEnrollment'])
    .orderBy('startDate')
    .execute();
  expect(cohorts).toEqual([
    { status: 'completed', startDate: '2025-09-08', currentEnrollment: 0 },
    { status: 'active', startDate: '2026-12-09', currentEnrollment: 7 },
    { status: 'active', startDate: '2027-01-04', currentEnrollment: 24 },
    { status: 'planning', startDate: '2027-03-29', currentEnrollment: 8 },
  ]);
  const admin = await signedIn('admin@demo.example');
  expect(await admin.call(readStipendWeek)).toMatchObject({ weekNumber: 5, firstDay: '2027-02-01' });
  const coaches = await sql<{ n: number }>`
    select count(distinct coach_id) as n from user_courses join cohort_participants on participant_id = user_id
    where cohort_participants.status = 'active' and cohort_id = (select id from cohorts where status = 'active' and programme_id = default_programme_id())`.execute(
    app.db,
  );
  expect(coaches.rows).toEqual([{ n: 3 }]);
});

test('everybody of the finished cohort chose a track after the core modules, and has completed it', async () => {
  const choices = await sql<{ completed: boolean; inTime: boolean }>`
    select progress.completed_modules = progress.total_modules as completed,
      selection.selected_at > all (
        select completion.completed_at from participant_module_completions completion
        join course_modules module on module.id = completion.module_id and module.module_type = 'core'
        where completion.participant_id = selection.participant_id) as in_time
    from track_selections selection
    join participant_progress progress using (participant_id, cohort_id)
    where selection.is_locked`.execute(app.db);
  expect(choices.rows).toHaveLength(12);
  expect(choices.rows.every(({ completed, inTime }) => completed && inTime)).toBe(true);
});

test('sixteen weeks are taught under all the named modules', async () => {
  const taught = await sql<{ weeks: number; names: string[] }>`
    select count(distinct week_number) as weeks, array_agg(distinct module_name) as names
    from training_activities where cohort_id = (select id from cohorts where status = 'active' and programme_id = default_programme_id())`.execute(
    app.db,
  );
  expect(taught.rows[0]?.weeks).toBe(16);
  expect(taught.rows[0]?.names.toSorted()).toEqual([...moduleNames].toSorted());
  expect(await countOf('courseModules')).toBe(moduleNames.length);
  expect(await countOf('specializationTracks')).toBe(4);
  const kinds = await app.db.selectFrom('contentItems').select('contentType').distinct().execute();
  expect(kinds.map(({ contentType }) => contentType).toSorted()).toEqual([
    'assignment',
    'certificate',
    'link_task',
    'reading',
    'video',
  ]);
});

test('submissions are there in every status, and reviewed rounds behind them', async () => {
  const found = await app.db.selectFrom('contentSubmissions').select('status').distinct().execute();
  expect(found.map(({ status }) => status).toSorted()).toEqual([...submissionStatuses].toSorted());
  const second = await app.db
    .selectFrom('submissionRounds')
    .select('reviewStatus')
    .where('roundNumber', '=', 2)
    .execute();
  expect(second.length).toBeGreaterThan(0);
});

test('stipends of weeks 1 to 4 are decided, those of week 5 are open', async () => {
  const found = await sql<{ week: number; n: number; approved: number; denied: number; paid: number; open: number }>`
    select week_number as week, count(*) as n,
      count(*) filter (where payment_status = 'approved') as approved,
      count(*) filter (where payment_status = 'denied') as denied,
      count(*) filter (where payment_status = 'paid') as paid,
      count(*) filter (where payment_status = 'pending' and overall_eligible) as open
    from stipend_eligibility where cohort_id = (select id from cohorts where status = 'active' and programme_id = default_programme_id())
    group by week_number order by week_number`.execute(app.db);
  expect(found.rows.map(({ week, n }) => [week, n])).toEqual([1, 2, 3, 4, 5].map((week) => [week, 24]));
  for (const { week, approved, denied, paid, open } of found.rows) {
    expect({ week, denied, isOpen: open > 0 }).toEqual({ week, denied: week < 5 ? 2 : 0, isOpen: week === 5 });
    expect([approved > 0, paid > 0]).toEqual([week === 3 || week === 4, week < 3]);
  }
});

test('what was written as a set is in the log as if an act had written it, and what is paid has its payment', async () => {
  const found = await sql<{
    attended: number;
    notAttended: number;
    unrated: number;
    uncoached: number;
    unpaid: number;
  }>`
    select (select count(*) from attendance_records) as attended,
      (select count(*) from attendance_records record where not exists (select from audit_log
        where subject_id = record.id and action = 'attendance.record' and actor_id = fellow_id)) as not_attended,
      (select count(*) from performance_feedback rating where not exists (select from audit_log
        where subject_id = rating.id and action = 'performance.rate' and actor_id = rated_by)) as unrated,
      (select count(*) from user_courses course where coach_id is not null and not exists (select from audit_log
        where subject_id = course.user_id and after ->> 'coachId' = course.coach_id::text)) as uncoached,
      (select count(*) from stipend_eligibility stipend where payment_status = 'paid' and not exists (select
        from stipend_payment_parts where stipend_id = stipend.id)) as unpaid`.execute(app.db);
  expect(found.rows).toEqual([{ attended: expect.any(Number), notAttended: 0, unrated: 0, uncoached: 0, unpaid: 0 }]);
  expect(found.rows[0]?.attended).toBeGreaterThan(900);
});

test('everybody of the sign-in page signs in with the shown password', async () => {
  for (const { email } of demoAccounts) {
    const { status } = await signInWith(app, email, demoPassword);
    expect({ email, status }).toEqual({ email, status: 200 });
  }
});

test('the participant is in the middle of the week', async () => {
  const dashboard = await (await signedIn('participant@demo.example')).call(readParticipantDashboard);
  expect(dashboard.week).toMatchObject({ number: 5, firstDay: '2027-02-01' });
  expect(dashboard.thisWeek).toMatchObject({ done: 2, total: 5 });
  expect(dashboard.coaching?.coach).toMatchObject({ firstName: 'Denise' });
  expect(dashboard.coaching?.nextSession?.scheduledAt).toBe('2027-02-04T16:00:00.000Z');
  expect(dashboard.coaching?.unreadMessages).toBe(2);
  const revision = await app.db
    .selectFrom('contentSubmissions')
    .innerJoin('profiles', 'profiles.id', 'contentSubmissions.userId')
    .select('contentSubmissions.feedback')
    .where('profiles.email', '=', 'participant@demo.example')
    .where('contentSubmissions.status', '=', 'needs_revision')
    .execute();
  expect(revision).toHaveLength(1);
  const newcomer = await (await signedIn('newcomer@demo.example')).call(readParticipantDashboard);
  expect(newcomer.cohort).toBeNull();
});

test('the coach has participants, sessions today and work to review', async () => {
  const coach = await signedIn('coach@demo.example');
  const { counts } = await coach.call(readCoachDashboard);
  expect(counts).toMatchObject({ participants: 8, todaysSessions: 3 });
  expect(counts.pendingReviews).toBeGreaterThan(0);
  const { ratings } = await coach.call(listWeeklyRatings, { query: { week: 4 } });
  expect(ratings.filter(({ rating }) => rating !== null).length).toBeGreaterThan(5);
});

test('a role request waits, an import is in the history, and few mails are written', async () => {
  const requests = await app.db.selectFrom('profiles').select('requestedRole').where('requestedRole', 'is not', null);
  expect(await requests.execute()).toEqual([{ requestedRole: 'coach' }]);
  const admin = await signedIn('admin@demo.example');
  const { rows } = await admin.call(listImports, { query: {} });
  expect(rows).toMatchObject([{ status: 'completed', totalRecords: 10, successfulRecords: 8, failedRecords: 2 }]);
  expect(await countOf('deliveries')).toBe(8);
  expect((await admin.call(readAdminDashboard)).queues).toMatchObject({ participantsWithoutCoach: 2, roleRequests: 1 });
});

test('nothing has happened later than now', async () => {
  const at = new Date('2027-02-03T15:15:00Z');
  const later = await sql<{ n: number }>`
    select (select count(*) from attendance_records where accessed_at > ${at})
      + (select count(*) from content_submissions where submitted_at > ${at} or reviewed_at > ${at})
      + (select count(*) from coach_messages where sent_at > ${at} or read_at > ${at})
      + (select count(*) from stipend_eligibility where approved_at > ${at}) as n`.execute(app.db);
  expect(later.rows).toEqual([{ n: 0 }]);
});

test('a second program is in its ninth week, and its periods are paid, approved, waiting and running', async () => {
  const { rows: programs } = await sql<{ name: string; weeks: number; zone: string; payPeriod: string }>`
    select name, weeks, zone, pay_period from programmes where id <> default_programme_id()`.execute(app.db);
  expect(programs).toEqual([
    { name: 'Line Worker Apprenticeship', weeks: 26, zone: 'America/Denver', payPeriod: 'two_weeks' },
  ]);
  const { rows } = await sql<{ period: number; states: string; cents: string }>`
    select week_number as period, string_agg(distinct payment_status || ' ' || overall_eligible, ', ') as states,
      string_agg(distinct rule_amount_cents::text, ', ') as cents
    from stipend_eligibility
    where cohort_id = (select id from cohorts where programme_id <> default_programme_id())
    group by week_number order by week_number`.execute(app.db);
  expect(rows).toEqual([
    { period: 1, states: 'paid true', cents: '45000' },
    { period: 2, states: 'paid true', cents: '45000' },
    { period: 3, states: 'approved true', cents: '45000' },
    { period: 4, states: 'pending false, pending true', cents: '45000' },
    { period: 5, states: 'pending false', cents: expect.any(String) },
  ]);
  const excused = await app.db.selectFrom('excusedAbsences').select('reason').execute();
  expect(excused).toEqual([{ reason: 'Was at the doctor' }]);
  const apprentice = await signedIn('apprentice@demo.example');
  const { rows: library } = await apprentice.call(listLibraryResources, { query: {} });
  expect(new Set(library.map(({ programme }) => programme?.name ?? 'all'))).toEqual(
    new Set(['Line Worker Apprenticeship', 'all']),
  );
  const { stipend } = await apprentice.call(readParticipantDashboard);
  expect(stipend?.present).toMatchObject({ weekNumber: 5, payPeriod: 'two_weeks' });
});
