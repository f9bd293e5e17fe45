import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import { mostCounted } from '#contract/matching.ts';
import { readProgramme } from '#contract/programmes.ts';
import { stipendOrders } from '#contract/stipends.ts';
import { findUnwritten } from '#server/features/payments/ledger-agreement.ts';
import { fillOutlooks } from '#server/features/stipends/week-outlooks.ts';
import { assignCoach } from './factories/cohorts.ts';
import { buildAdmin, buildCoach } from './factories/people.ts';
import { type Client, startTestApp, type TestApp } from './support/app.ts';
import { countBlocksRead, findSteps } from './support/blocks-read.ts';
import { addCohorts } from './support/many-cohorts.ts';
import { payWeekOfAll } from './support/paid-weeks.ts';
import { settleRows } from './support/settled-rows.ts';

const cohorts = 60;
const members = 20 * cohorts;
const paidWeek = 2;
const ofPayments = ['stipend_handover_rows', 'stipend_payment_parts', 'stipend_payment_reversals'];
const rowsOfPage = 50;

let server: TestApp;
let admin: Client;
let coach: Client;
let activityId: string;
let cohortId: string;
beforeAll(async () => {
  server = await startTestApp();
  cohortId = await addCohorts(server.app.patientDb, cohorts);
  await payWeekOfAll(server.app.patientDb, paidWeek);
  await settleRows(server.db, ['attendance_records', 'content_submissions', ...ofPayments]);
  admin = await server.as(await buildAdmin(server.db));
  const looksAfter = await buildCoach(server.db);
  coach = await server.as(looksAfter);
  const members = await server.db
    .selectFrom('cohortParticipants')
    .select('participantId')
    .where('cohortId', '=', cohortId)
    .orderBy('participantId')
    .limit(5)
    .execute();
  for (const { participantId } of members) await assignCoach(server.db, { participantId, coachId: looksAfter.id });
  const activity = await server.db
    .selectFrom('trainingActivities')
    .select('id')
    .where('cohortId', '=', cohortId)
    .limit(1)
    .executeTakeFirstOrThrow();
  activityId = activity.id;
  // A job does this every minute.
  await fillOutlooks(server.db);
});
afterAll(() => server.close());

async function stepsOf(address: string, client = admin) {
  let status = 0;
  const steps = await findSteps(server, async () => {
    status = (await client.fetch(address)).status;
  });
  expect(status).toBe(200);
  return steps;
}

test('the dashboard of an admin looks at each person once to count them', async () => {
  const looks = (await stepsOf('/api/dashboards/admin')).filter(
    ({ table, rows }) => rows >= members && ['profiles', 'person'].includes(table ?? ''),
  );
  expect(looks).toHaveLength(1);
});

test('those whom an activity of no cohort reaches are counted without being sorted', async () => {
  for (const address of ['/api/training-activities', '/api/training-activities/cohorts']) {
    const sorted = (await stepsOf(address)).filter(({ type, rows }) => /Sort/.test(type) && rows >= members);
    expect([address, sorted]).toEqual([address, []]);
  }
});

test('what is left to pay is found without looking at the weeks of everybody', async () => {
  for (const address of ['/api/stipends/handover?week=3', '/api/stipends/reconciliation?kind=approved_not_sent']) {
    const looks = (await stepsOf(address)).filter(
      ({ table, rows, removed }) => table === 'stipend_eligibility' && rows + removed >= members,
    );
    expect([address, looks]).toEqual([address, []]);
  }
});

test('a page of a paid week reads what was paid and handed over of its own rows alone, in every order', async () => {
  for (const order of stipendOrders) {
    const looks = (await stepsOf(`/api/stipends?week=${paidWeek}&order=${order}`)).filter(
      ({ table, rows, removed }) => ofPayments.includes(table ?? '') && rows + removed > 2 * rowsOfPage + 2,
    );
    expect([order, looks]).toEqual([order, []]);
  }
});

test('what is compared with the ledger each night does not read all of it for each batch', async () => {
  const lines = await server.db.selectFrom('stipendLedger').select(sql<number>`count(*)`.as('count')).execute();
  const looks = (await findSteps(server, () => findUnwritten(server.db))).filter(
    ({ table, rows, removed }) => table === 'stipend_ledger' && rows + removed > 5 * (lines[0]?.count ?? 0),
  );
  expect(lines[0]?.count).toBeGreaterThan(2 * members);
  expect(looks).toEqual([]);
});

test('the record of a person reads a page of what they did and of what was done to them', async () => {
  const { id: busyId } = await buildAdmin(server.db);
  await sql`
    insert into audit_log (at, actor_id, action, subject_type, subject_id)
    select now() - make_interval(mins => n), case when n % 2 = 0 then ${busyId}::uuid end, 'user.update', 'user',
      gen_random_uuid() from generate_series(1, 2000) n`.execute(server.db);
  await sql`analyze audit_log`.execute(server.db);
  const looks = (await stepsOf(`/api/audit-log?person=${busyId}`)).filter(
    ({ table, rows, removed }) => table === 'audit_log' && rows + removed > rowsOfPage + 1,
  );
  expect(looks).toEqual([]);
});

test('the figures of a cohort’s weeks come from the index alone, and from that cohort’s part of it', async () => {
  const looks = (await stepsOf(`/api/figures/cohorts/${cohortId}/weeks`)).filter(
    ({ table }) => table === 'stipend_eligibility',
  );
  expect(looks).toEqual([{ type: 'Index Only Scan', table: 'stipend_eligibility', rows: 100, removed: 0 }]);
});

test('a coach’s lists of own participants look at nobody else', async () => {
  for (const address of ['/api/coach/weekly-ratings', `/api/activities/${activityId}/attendance`]) {
    const looks = (await stepsOf(address, coach)).filter(
      ({ table, rows, removed }) => ['profiles', 'cohort_participants'].includes(table ?? '') && rows + removed > 20,
    );
    expect([address, looks]).toEqual([address, []]);
  }
});

test('the facts of a week that a coach rates are found once for each person', async () => {
  const looks = (await stepsOf('/api/coach/rated-weeks', coach)).filter(({ table }) => table === 'members');
  expect(looks).toEqual([{ type: 'CTE Scan', table: 'members', rows: 5, removed: 0 }]);
});

test('what a cohort is taught is read once for all its members, and what they did from indexes alone', async () => {
  const steps = await stepsOf(`/api/figures/cohorts/${cohortId}/completion`);
  const looksAt = (tables: string[]) => steps.filter(({ table }) => tables.includes(table ?? ''));
  const taught = looksAt(['training_activities', 'content_items', 'content_assignments']);
  expect(taught.filter(({ rows }) => rows > 32)).toEqual([]);
  const done = looksAt(['attendance_records', 'content_submissions']);
  expect(done.map(({ type, rows }) => [type, rows])).toEqual([
    ['Index Only Scan', 200],
    ['Index Only Scan', 200],
  ]);
});

test('what a program is used for is found without counting all that was judged and attended', async () => {
  const address = `/api/programmes/${defaultProgrammeId}`;
  const used = ['stipend_eligibility', 'attendance_records', 'performance_feedback'];
  const looks = (await stepsOf(address)).filter(
    ({ table, rows, removed }) => used.includes(table ?? '') && rows + removed > mostCounted + 1,
  );
  expect(looks).toEqual([]);
  const found = await admin.call(readProgramme, { params: { id: defaultProgrammeId } });
  expect([found.timeStaysBecause, found.lastWeekInUse]).toEqual(['More than 1,000 stipends were judged by them.', 5]);
});

test('one more participant costs a coach few blocks', async () => {
  const others = await server.db
    .selectFrom('cohortParticipants')
    .select('participantId')
    .where('cohortId', '=', cohortId)
    .orderBy('participantId', 'desc')
    .limit(15)
    .execute();
  const other = await buildCoach(server.db);
  for (const { participantId } of others) await assignCoach(server.db, { participantId, coachId: other.id });
  const ofOther = await server.as(other);
  for (const address of ['/api/dashboards/coach', '/api/coach/participants']) {
    const blocksOf = (client: Client) => countBlocksRead(server, () => client.fetch(address));
    const perPerson = ((await blocksOf(ofOther)) - (await blocksOf(coach))) / 10;
    expect(perPerson).toBeLessThan(130);
  }
});

test('PostgreSQL plans once what the commonest screens ask for, whoever asks', async () => {
  const screens: [Client, string[]][] = [
    [admin, ['/api/session', '/api/dashboards/admin', '/api/users', '/api/submissions', '/api/stipends?week=3']],
    [coach, ['/api/dashboards/coach', '/api/coach/participants', '/api/coach/sessions/upcoming', '/api/submissions']],
  ];
  for (let run = 0; run < 8; run += 1) {
    for (const [client, addresses] of screens) {
      for (const address of addresses) expect((await client.fetch(address)).status).toBe(200);
    }
  }
  // Requests one after another use the same connection.
  const { rows } = await server.app.pool.query<{ statement: string; runs: number; kept: number }>(
    `select statement, (custom_plans + generic_plans)::integer as runs, generic_plans::integer as kept
     from pg_prepared_statements where custom_plans + generic_plans > 6`,
  );
  expect(rows.length).toBeGreaterThan(screens.flatMap(([, addresses]) => addresses).length);
  expect(rows.filter(({ runs, kept }) => runs - kept > 5)).toEqual([]);
});
