import { afterAll, beforeAll, expect, test } from 'vitest';
import { processBulkInvitations } from '#contract/documented-functions.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { undoImport } from '#contract/import-results.ts';
import { handOverWeek, markStipendPaid, renewStipendPayee } from '#contract/payments.ts';
import { approveStipends } from '#contract/stipend-sets.ts';
import { approveStipend, approveStipendAmount, approveWeek, changeStipendAmount } from '#contract/stipends.ts';
import { deleteUser, exportUsers, updateUser } from '#contract/user-management.ts';
import { approveRoleRequest } from '#contract/users.ts';
import type { RunningJobs } from '#server/platform/jobs.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { bulkRecordFor } from '#test/factories/imports.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { startPaymentSystem } from '#test/support/payment-system.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';

let receiver: Awaited<ReturnType<typeof startPaymentSystem>>;
let server: TestApp;
let jobs: RunningJobs;
let admin: Client;
let adminId: string;
beforeAll(async () => {
  receiver = await startPaymentSystem();
  server = await startTestApp({
    STIPEND_WEBHOOK_URL: receiver.url,
    STIPEND_WEBHOOK_SECRET: 'a secret of the payment system',
    STIPEND_WEBHOOK_ALLOW_PRIVATE: '1',
  });
  jobs = await server.runJobs();
  const ada = await buildAdmin(server.db);
  adminId = ada.id;
  admin = await server.as(ada);
});
afterAll(async () => {
  await jobs.stop();
  await server.close();
  await receiver.close();
});

const proveBefore = (minutes: number) =>
  server.db
    .updateTable('auth.session')
    .set({ provedAt: new Date(Date.now() - minutes * 60_000) })
    .where('userId', '=', adminId)
    .execute();

interface Act {
  endpoint: Endpoint;
  input?: { params?: { id: string }; query?: object; body?: object };
  /** Reads what the act would change. */
  standing: () => Promise<unknown>;
}

const stipendRow = (id: string) => () =>
  server.db.selectFrom('stipendEligibility').selectAll().where('id', '=', id).executeTakeFirst();
const profile = (id: string) => () =>
  server.db.selectFrom('profiles').selectAll().where('id', '=', id).executeTakeFirst();

async function onStipend(
  endpoint: Endpoint,
  facts: Parameters<typeof buildStipend>[1] = {},
  body: object = {},
): Promise<Act> {
  const { id, version } = await buildStipend(server.db, { weekNumber: 3, ...facts });
  return { endpoint, input: { params: { id }, body: { version, ...body } }, standing: stipendRow(id) };
}

async function onRole(role: 'participant' | 'coach' | 'admin'): Promise<Act> {
  const { id, version } = await (role === 'participant' ? buildCoach : buildParticipant)(server.db);
  return { endpoint: updateUser, input: { params: { id }, body: { role, version } }, standing: profile(id) };
}

const acts: Record<string, () => Promise<Act>> = {
  'deleting somebody': async () => {
    const { id } = await buildParticipant(server.db);
    return { endpoint: deleteUser, input: { params: { id } }, standing: profile(id) };
  },
  'making somebody a coach': () => onRole('coach'),
  'making somebody an admin': () => onRole('admin'),
  'taking a role away': () => onRole('participant'),
  'approving a role request': async () => {
    const { id } = await buildParticipant(server.db);
    for (const table of ['profiles', 'auth.user'] as const) {
      await server.db.updateTable(table).set({ requestedRole: 'coach' }).where('id', '=', id).execute();
    }
    const input = { params: { id }, body: { requestedRole: 'coach' } };
    return { endpoint: approveRoleRequest, input, standing: profile(id) };
  },
  'undoing an import': async () => {
    const cohort = await buildCohort(server.db);
    const body = { records: [bulkRecordFor(cohort)], filename: 'people.csv' };
    const id = (await admin.call(processBulkInvitations, { body })).import_id ?? '';
    const standing = () =>
      server.db.selectFrom('bulkImports').select('undoneAt').where('id', '=', id).executeTakeFirst();
    return { endpoint: undoImport, input: { params: { id } }, standing };
  },
  'exporting all people': async () => {
    const standing = () =>
      server.db.selectFrom('auditLog').select('id').where('action', '=', 'user.export').orderBy('id').execute();
    return { endpoint: exportUsers, standing };
  },
  'approving a stipend': () => onStipend(approveStipend),
  'approving chosen stipends': async () => {
    const { id, version } = await buildStipend(server.db, { weekNumber: 3 });
    return { endpoint: approveStipends, input: { body: { rows: [{ id, version }] } }, standing: stipendRow(id) };
  },
  'approving a week': async () => {
    const { id } = await buildStipend(server.db, { weekNumber: 4 });
    const { pending: seen } = await figuresOf(admin, { week: 4 });
    return { endpoint: approveWeek, input: { body: { weekNumber: 4, seen } }, standing: stipendRow(id) };
  },
  'approving a changed amount': async () => {
    const act = await onStipend(approveStipendAmount, { paymentStatus: 'approved' });
    const other = await server.as(await buildAdmin(server.db, { firstName: 'Bea' }));
    const id = act.input?.params?.id ?? '';
    const cohort = server.db.selectFrom('stipendEligibility').select('cohortId').where('id', '=', id);
    await server.db.updateTable('cohorts').set({ needsSecondApprover: true }).where('id', 'in', cohort).execute();
    const body = { version: 1, amountCents: 40_000 };
    const { version } = await other.call(changeStipendAmount, { params: { id }, body });
    return { ...act, input: { params: { id }, body: { version } } };
  },
  "an amount above the rule's": () => onStipend(changeStipendAmount, {}, { amountCents: 50_001 }),
  'handing a week over': async () => {
    const { id } = await buildStipend(server.db, { weekNumber: 5, paymentStatus: 'approved' });
    const standing = () =>
      server.db.selectFrom('stipendHandoverRows').select('stipendId').where('stipendId', '=', id).execute();
    return { endpoint: handOverWeek, input: { body: { weekNumber: 5 } }, standing };
  },
  "taking over a payee's new name": async () => {
    const { id, fellowId } = await buildStipend(server.db, { weekNumber: 6, paymentStatus: 'approved' });
    await server.db.updateTable('profiles').set({ lastName: 'Nguyen' }).where('id', '=', fellowId).execute();
    return { endpoint: renewStipendPayee, input: { params: { id }, body: { version: 2 } }, standing: stipendRow(id) };
  },
  'marking as paid': () => onStipend(markStipendPaid, { paymentStatus: 'approved' }, { reference: 'CHK 1' }),
};

test.for(Object.entries(acts))('%s asks for a fresh proof, and changes nothing without it', async ([, make]) => {
  await proveBefore(0);
  const { endpoint, input = {}, standing } = await make();
  const before = await standing();
  await proveBefore(16);
  const { status, problem } = await admin.refused(endpoint, input as never);
  expect([status, problem.code]).toEqual([403, 'proof_required']);
  expect(await standing()).toEqual(before);
  await proveBefore(14);
  const address = endpoint.path.replace(':id', String(input.params?.id));
  const answer = await admin.fetch(address, {
    method: endpoint.method,
    ...(input.body ? { body: JSON.stringify(input.body), headers: { 'content-type': 'application/json' } } : {}),
  });
  expect([endpoint.name, answer.status]).toEqual([endpoint.name, 200]);
  await answer.text();
  expect(await standing()).not.toEqual(before);
});

test("an amount of the rule's or below, and denying, ask for none", async () => {
  await proveBefore(16);
  const { id, version } = await buildStipend(server.db, { weekNumber: 6 });
  const body = { version, amountCents: 50_000 - 1 };
  expect(await admin.call(changeStipendAmount, { params: { id }, body })).toMatchObject({ amountCents: 49_999 });
});
