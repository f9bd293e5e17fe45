import { sql } from 'kysely';
import pg from 'pg';
import { listAuditLog } from '#contract/audit.ts';
import { listCoaches, listParticipantsWithoutCoach } from '#contract/coach-assignment.ts';
import { listCohortMembers, listCohorts } from '#contract/cohorts.ts';
import { listGivenUpDeliveries } from '#contract/deliveries.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { readAdminDashboard } from '#contract/home.ts';
import { listImportRows } from '#contract/import-results.ts';
import { bulkLimits, listImports } from '#contract/imports.ts';
import { listUsers, userOrders } from '#contract/user-management.ts';
import { listRoleRequests } from '#contract/users.ts';
import type { Db } from '#server/db/database.ts';
import { buildCohort } from '../test/factories/cohorts.ts';
import { buildAdmin, buildCoach } from '../test/factories/people.ts';
import { openBenchApp } from './bench-app.ts';
import { recordStatements } from './record-statements.ts';
import type { ComparedCase, Scenario } from './scenario.ts';

const people = 100_000;

export const scenario: Scenario = {
  measured: `over HTTP, parsed and checked, among ${people} people`,
  baseline: 'its own SQL through the bare driver, without what reads the session',
  rounds: 40,
  prepare: async () => {
    const app = await openBenchApp();
    const admin = await app.as(await buildAdmin(app.db));
    const cohort = await buildPeople(app.db);
    const bare = new pg.Client({ connectionString: app.connectionString });
    await bare.connect();
    const compare = async (name: string, read: () => Promise<unknown>): Promise<ComparedCase> => {
      const runMeasured = async () => void (await read());
      const statements = (await recordStatements(runMeasured)).filter(({ text }) => !/auth"?\."?session/.test(text));
      const runBaseline = async () => {
        for (const { text, values } of statements) await bare.query(text, values);
      };
      return { name, runMeasured, runBaseline };
    };
    const list = (input: InputOf<typeof listUsers>) => admin.call(listUsers, input);
    const log = (query: InputOf<typeof listAuditLog>['query']) => admin.call(listAuditLog, { query });
    const waiting = (query: InputOf<typeof listParticipantsWithoutCoach>['query']) =>
      admin.call(listParticipantsWithoutCoach, { query });
    const members = (query: InputOf<typeof listCohortMembers>['query']) =>
      admin.call(listCohortMembers, { params: { id: cohort.id }, query });
    const importRows = (query: InputOf<typeof listImportRows>['query']) =>
      admin.call(listImportRows, { params: { id: cohort.importId }, query });
    const undelivered = (query: InputOf<typeof listGivenUpDeliveries>['query']) =>
      admin.call(listGivenUpDeliveries, { query });
    const secondOfLog = (await log({})).nextCursor ?? undefined;
    const secondWaiting = (await waiting({})).nextCursor ?? undefined;
    const secondOfMembers = (await members({})).nextCursor ?? undefined;
    const secondOfImports = (await admin.call(listImports, { query: {} })).nextCursor ?? undefined;
    const second = (await admin.call(listUsers, { query: {} })).nextCursor ?? '';
    const cases = [];
    for (const order of userOrders) cases.push(await compare(`Users, ${order}`, () => list({ query: { order } })));
    cases.push(
      await compare('Users, second page', () => list({ query: { cursor: second } })),
      await compare('Users, found by name', () => list({ query: { search: 'Number 7777' } })),
      await compare('Users, found by a part of the email', () => list({ query: { search: 'member-99' } })),
      await compare('Users, found by what everybody has', () => list({ query: { search: 'people.example' } })),
      await compare('Users, nobody found', () => list({ query: { search: 'nobody at all' } })),
      await compare('Users, of one role', () => list({ query: { role: 'coach' } })),
      await compare('Users, of one role, found by name', () =>
        list({ query: { role: 'participant', search: '4321' } }),
      ),
      await compare('Admin dashboard', () => admin.call(readAdminDashboard)),
      await compare('Audit log', () => log({})),
      await compare('Audit log, second page', () => log({ cursor: secondOfLog })),
      await compare('Audit log, of one action', () => log({ action: 'cohort.enrol' })),
      await compare('Audit log, found by name', () => log({ search: 'Number 7777' })),
      await compare('Audit log, nothing found', () => log({ search: 'nobody at all' })),
      await compare('Audit log, of one person', () => log({ person: cohort.memberId })),
      await compare('Participants without a coach', () => waiting({})),
      await compare('Participants without a coach, second page', () => waiting({ cursor: secondWaiting })),
      await compare('Participants without a coach, found by name', () => waiting({ search: 'Number 777' })),
      await compare('Coaches to choose from', () => admin.call(listCoaches, { query: {} })),
      await compare('Coaches to choose from, found by name', () =>
        admin.call(listCoaches, { query: { search: 'cole' } }),
      ),
      await compare('Cohorts', () => admin.call(listCohorts, { query: {} })),
      await compare('Members of a cohort', () => members({})),
      await compare('Members of a cohort, second page', () => members({ cursor: secondOfMembers })),
      await compare('Members of a cohort, found by name', () => members({ search: 'Number 7777' })),
      await compare('Members of a cohort, who withdrew', () => members({ status: 'withdrawn' })),
      await compare('Imports', () => admin.call(listImports, { query: {} })),
      await compare('Imports, second page', () => admin.call(listImports, { query: { cursor: secondOfImports } })),
      await compare('Rows of an import', () => importRows({})),
      await compare('Rows of an import, found by name', () => importRows({ search: 'Number 77' })),
      await compare('Rows of an import, of one state', () => importRows({ state: 'sent' })),
      await compare('Undelivered messages', () => undelivered({})),
      await compare('Undelivered messages, found by name', () => undelivered({ search: 'Number 7' })),
      await compare('Role requests', () => admin.call(listRoleRequests, { query: {} })),
    );
    return {
      cases,
      close: async () => {
        await bare.end();
        await app.close();
      },
    };
  },
};

/**
 * Except for a hundred coaches, everybody is a member of a cohort with an invitation. One in fifty waits for a coach.
 * Each has two entries in the log.
 */
async function buildPeople(db: Db) {
  const coachIds = [];
  for (let index = 0; index < 100; index += 1) coachIds.push((await buildCoach(db)).id);
  const cohort = await buildCohort(db, { capacity: people });
  await sql`insert into courses (title, track_type) values ('Grid Fundamentals', 'fellowship')`.execute(db);
  await sql`
    with made as (
      insert into auth."user" (name, email, email_verified, first_name, last_name)
      select 'Member ' || n, 'member-' || n || '@people.example', true, 'Member', 'Number ' || n
      from generate_series(1, ${people}::integer) n
      returning id, email, first_name, last_name
    )
    insert into profiles (id, email, first_name, last_name, role, track_type, created_at)
    select id, email, first_name, last_name, 'participant', 'fellowship', now() - random() * interval '700 days'
    from made`.execute(db);
  await sql`
    update last_sign_ins set signed_in_at = now() - random() * interval '90 days' where random() < 0.9`.execute(db);
  await sql`
    insert into cohort_participants (cohort_id, participant_id)
    select ${cohort.id}, id from profiles where role = 'participant'`.execute(db);
  await sql`
    insert into invitations (user_id, expires_at, accepted_at)
    select id, now() + interval '7 days', nullif(signed_in_at, '-infinity')
    from profiles join last_sign_ins on user_id = id where role = 'participant'`.execute(db);
  await sql`
    insert into user_courses (user_id, course_id, coach_id)
    select id, (select id from courses limit 1),
      case when n % 50 > 0 then (${coachIds}::uuid[])[1 + n % ${coachIds.length}::integer] end
    from (select id, row_number() over (order by id) as n from profiles where role = 'participant') member`.execute(db);
  await sql`
    insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after)
    select now() - random() * interval '700 days', (select id from profiles where role = 'admin' limit 1), action, 'profile',
      id, '{"trackType": null}', '{"trackType": "fellowship"}'
    from profiles, unnest(array['cohort.enrol', 'user.create']) as action where role = 'participant'`.execute(db);
  await sql`
    insert into bulk_imports (filename, status, total_records, successful_records, created_by, completed_at)
    select 'people-' || n || '.csv', 'completed', 100, 100,
      (select id from profiles where role = 'admin' limit 1), now()
    from generate_series(1, 1000) n`.execute(db);
  const importId = await buildLargestImport(db);
  await sql`
    insert into deliveries (kind, recipient_id, address, subject, text_body, status, attempts, last_error, given_up_at, sent_at)
    select 'invitation', id, email, 'Welcome', 'Welcome', case when is_lost then 'given_up' else 'sent' end, 13,
      case when is_lost then '550 No such mailbox' end,
      case when is_lost then now() - random() * interval '30 days' end, case when not is_lost then now() end
    from (select id, email, random() < 0.01 as is_lost from profiles where role = 'participant') member`.execute(db);
  await sql`vacuum analyze`.execute(db);
  const member = await db
    .selectFrom('profiles')
    .select('id')
    .where('role', '=', 'participant')
    .executeTakeFirstOrThrow();
  return { id: cohort.id, memberId: member.id, importId };
}

/** An import with as many rows as an upload may have. Each row is a person. */
async function buildLargestImport(db: Db): Promise<string> {
  const { id } = await db
    .insertInto('bulkImports')
    .values((eb) => ({
      filename: 'largest.csv',
      status: 'completed',
      totalRecords: bulkLimits.records,
      successfulRecords: bulkLimits.records,
      createdBy: eb.selectFrom('profiles').select('id').where('role', '=', 'admin').limit(1),
      completedAt: new Date(),
    }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into bulk_import_rows (import_id, row_number, record, status, user_id)
    select ${id}, row_number() over (order by id), '{}', 'succeeded', id
    from (select id from profiles where role = 'participant' order by id limit ${bulkLimits.records}) member`.execute(
    db,
  );
  return id;
}
