import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPassword } from '#contract/accounts.ts';
import { processBulkInvitations } from '#contract/documented-functions.ts';
import { listImportRows, readImport, resendImportInvitations } from '#contract/import-results.ts';
import { readNotificationPreferences } from '#contract/notices.ts';
import { buildCohort, buildCourse } from '#test/factories/cohorts.ts';
import { type BulkRecordInput, bulkRecordFor, bulkRecordsFor } from '#test/factories/imports.ts';
import { buildAdmin, buildCoach } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { linkInMail, mailsTo } from '#test/support/sign-in.ts';
import { post } from '#test/support/sign-in-ways.ts';

let server: TestApp;
let admin: Client;
let adminId: string;
let cohort: Awaited<ReturnType<typeof buildCohort>>;

beforeAll(async () => {
  server = await startTestApp();
  const person = await buildAdmin(server.db);
  adminId = person.id;
  admin = await server.as(person);
  await buildCourse(server.db);
  await server.runJobs();
  cohort = await buildCohort(server.db, { capacity: 5000 });
});
afterAll(() => server.close());

async function upload(records: BulkRecordInput[]): Promise<string> {
  const { import_id: id } = await admin.call(processBulkInvitations, { body: { records, filename: 'people.csv' } });
  return id ?? '';
}

function rowsOf(id: string, query = {}) {
  return admin.call(listImportRows, { params: { id }, query });
}

async function tokenOf(email: string | undefined): Promise<string> {
  const { hash } = await linkInMail(server.db, email ?? '');
  return new URLSearchParams(hash.slice(1)).get('access_token') ?? '';
}

async function accept(email: string | undefined): Promise<number> {
  return (await post(server, setPassword, { token: await tokenOf(email), newPassword: 'Grid-Power-77!' })).status;
}

async function expire(email: string | undefined): Promise<void> {
  await sql`update invitations set expires_at = now() - interval '1 minute' from profiles
    where profiles.id = user_id and email = ${email}`.execute(server.db);
}

function giveUpMail(email: string | undefined) {
  return server.db
    .updateTable('deliveries')
    .set({ status: 'given_up', givenUpAt: new Date(), lastError: 'no such mailbox' })
    .where('address', '=', email ?? '')
    .execute();
}

test('each row has its result, and each person the state of the invitation: sent, expired, accepted, not delivered', async () => {
  const records = bulkRecordsFor(cohort, 5).map((record, index) => ({ ...record, row: index + (index > 1 ? 4 : 2) }));
  const [sent, accepted, expired, undelivered, wrong] = records;
  if (wrong) wrong.email = 'wrong';
  const id = await upload(records);
  expect(await accept(accepted?.email)).toBe(200);
  await expire(expired?.email);
  await giveUpMail(undelivered?.email);

  const { rows, nextCursor } = await rowsOf(id);
  expect(nextCursor).toBeNull();
  expect(rows.map(({ row, fileRow, email, state, error }) => [row, fileRow, email, state, error])).toEqual([
    [1, 2, sent?.email, 'sent', null],
    [2, 3, accepted?.email, 'accepted', null],
    [3, 6, expired?.email, 'expired', null],
    [4, 7, undelivered?.email, 'not_delivered', null],
    [5, 8, 'wrong', 'failed', 'Invalid email format'],
  ]);
  expect(rows[0]).toMatchObject({ firstName: 'Nadia', lastName: 'Ng', role: 'participant' });
  expect(rows[0]?.invitation).toEqual({
    sentAt: expect.any(String),
    expiresAt: expect.any(String),
    acceptedAt: null,
  });
  expect(rows[1]?.invitation?.acceptedAt).toEqual(expect.any(String));
  expect(rows[4]).toMatchObject({ userId: null, invitation: null });

  const state = await admin.call(readImport, { params: { id } });
  expect(state.rowsByState).toEqual(
    ['failed', 'not_delivered', 'expired', 'sent', 'accepted'].map((known) => ({ state: known, rows: 1 })),
  );
  expect(state.errorReport).toEqual([{ row: 5, fileRow: 8, email: 'wrong', error: 'Invalid email format' }]);
  expect(state.can).toEqual({ undo: false, resendOverdue: true });
  expect(state.createdBy).toEqual({ firstName: 'Ada', lastName: 'Admin' });
  expect((await rowsOf(id, { state: 'expired' })).rows.map(({ email }) => email)).toEqual([expired?.email]);
  expect((await rowsOf(id, { search: undelivered?.email?.slice(0, -8) })).rows).toHaveLength(1);
  expect((await rowsOf(id, { search: '%' })).rows).toHaveLength(0);
});

test('of a person who was removed a row tells no invitation any more, and there is nothing to send again', async () => {
  const [gone, stays] = bulkRecordsFor(cohort, 2);
  const id = await upload([gone ?? {}, stays ?? {}]);
  const state = () => admin.call(readImport, { params: { id } });
  expect((await state()).can).toEqual({ undo: true, resendOverdue: false });
  await expire(gone?.email);
  expect((await state()).can.resendOverdue).toBe(true);
  await sql`update profiles set deleted_at = now() where email = ${gone?.email}`.execute(server.db);
  const { rows } = await rowsOf(id);
  expect(rows).toMatchObject([
    { state: 'deleted', invitation: null },
    { state: 'sent', email: stays?.email, invitation: { acceptedAt: null } },
  ]);
  expect((await state()).can).toEqual({ undo: true, resendOverdue: false });
});

test('the rows come in pages of 50, in file order, without a gap', async () => {
  const records = bulkRecordsFor(cohort, 120);
  const id = await upload(records);
  const emails: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await rowsOf(id, { cursor });
    expect(page.rows.length).toBeLessThanOrEqual(50);
    emails.push(...page.rows.map(({ email }) => email));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(emails).toEqual(records.map(({ email }) => email));
});

test('one invitation is sent again, or all that expired or were not delivered; earlier links stop working', async () => {
  const records = bulkRecordsFor(cohort, 4);
  const [sent, accepted, expired, undelivered] = records;
  const id = await upload(records);
  await accept(accepted?.email);
  await expire(expired?.email);
  await giveUpMail(undelivered?.email);
  const oldToken = await tokenOf(expired?.email);

  expect(await admin.call(resendImportInvitations, { params: { id }, body: {} })).toEqual({ sent: 2 });
  expect((await rowsOf(id)).rows.map(({ state }) => state)).toEqual(['sent', 'accepted', 'sent', 'sent']);
  for (const email of [expired?.email, undelivered?.email]) {
    expect(await mailsTo(server.db, email ?? '')).toHaveLength(2);
  }
  expect(await mailsTo(server.db, sent?.email ?? '')).toHaveLength(1);
  expect((await post(server, setPassword, { token: oldToken, newPassword: 'Grid-Power-77!' })).status).toBe(404);
  expect(await accept(expired?.email)).toBe(200);
  const none = await admin.refused(resendImportInvitations, { params: { id }, body: {} });
  const conflict = { status: 409, problem: { code: 'conflict' } };
  expect(none).toMatchObject(conflict);
  expect(none.problem.detail).toBe('No invitation of this import has expired or failed.');

  const news = await toldBy(server, async () =>
    expect(await admin.call(resendImportInvitations, { params: { id }, body: { rows: [1] } })).toEqual({ sent: 1 }),
  );
  expect(news({ id: adminId })).toContain('imports');
  expect(await mailsTo(server.db, sent?.email ?? '')).toHaveLength(2);
  const foreign = await upload([bulkRecordFor(cohort)]);
  for (const rows of [[2], [99]]) {
    const refused = await admin.refused(resendImportInvitations, { params: { id }, body: { rows } });
    expect(refused).toMatchObject(conflict);
    expect(refused.problem.detail).toBe('The person has already accepted the invitation, or was removed.');
  }
  expect((await rowsOf(foreign)).rows[0]?.state).toBe('sent');
  const audited = await server.db
    .selectFrom('auditLog')
    .select(['actorId', 'subjectType', 'subjectId'])
    .where('action', '=', 'invitation.resend')
    .execute();
  const people = (await rowsOf(id)).rows;
  const resent = [people[0], people[2], people[3]].map((row) => row?.userId);
  expect(audited).toHaveLength(3);
  expect(audited).toEqual(
    expect.arrayContaining(resent.map((subjectId) => ({ actorId: adminId, subjectType: 'user', subjectId }))),
  );
});

test('two admins who resend at once send each person one mail', async () => {
  const records = bulkRecordsFor(cohort, 3);
  const id = await upload(records);
  for (const { email } of records) await expire(email);
  const answers = await Promise.allSettled(
    [1, 2].map(() => admin.call(resendImportInvitations, { params: { id }, body: {} })),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const { email } of records) expect(await mailsTo(server.db, email ?? '')).toHaveLength(2);
});

test('a telephone number is kept as it is dialled, not as confirmed by the person; what is none is refused', async () => {
  const good = bulkRecordFor(cohort, { phone: ' +1 (212) 555-0134 ' });
  const id = await upload([
    good,
    bulkRecordFor(cohort, { phone: '1.55512E+10' }),
    bulkRecordFor(cohort, { phone: '1' }),
    bulkRecordFor(cohort, { phone: '030 901820' }),
  ]);
  const person = await server.db
    .selectFrom('profiles')
    .select(['id', 'phone', 'phoneConfirmedAt'])
    .where('email', '=', good.email ?? '')
    .executeTakeFirstOrThrow();
  expect(person).toMatchObject({ phone: '+12125550134', phoneConfirmedAt: null });
  const { rows } = await rowsOf(id);
  expect(rows.map(({ error }) => error)).toEqual([null, ...Array(3).fill('Invalid phone number')]);
  expect(await (await server.as(person)).call(readNotificationPreferences)).toMatchObject({
    phone: null,
    unconfirmedPhone: '+12125550134',
  });
});

test('what an upload became is for admins', async () => {
  const id = await upload(bulkRecordsFor(cohort, 1));
  const coach = await server.as(await buildCoach(server.db));
  expect(await coach.refused(listImportRows, { params: { id }, query: {} })).toMatchObject({ status: 403 });
  expect(await coach.refused(resendImportInvitations, { params: { id }, body: {} })).toMatchObject({ status: 403 });
  const unknown = { params: { id: cohort.id } };
  expect(await admin.refused(listImportRows, { ...unknown, query: {} })).toMatchObject({ status: 404 });
  expect(await admin.refused(resendImportInvitations, { ...unknown, body: {} })).toMatchObject({
    status: 404,
    problem: { detail: 'This upload was not found.' },
  });
});
