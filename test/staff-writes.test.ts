import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessList } from '#server/platform/serve.ts';
import { type BuiltPerson, buildAdmin } from './factories/people.ts';
import { startTestApp, type TestApp } from './support/app.ts';
import { readContract } from './support/contract.ts';
import { addressOfCall, bodyOfCall, staffCalls } from './support/staff-calls.ts';

const writes = (await readContract()).filter(
  (endpoint) => endpoint.method !== 'GET' && !['public', 'signed', 'pending'].includes(endpoint.access),
);
/** What coaches and admins do and participants can not, and what both do for somebody else. */
const shared = [
  'correctAttendance',
  'rateWeek',
  'setModuleCompletion',
  'withdrawMember',
  'takeMemberBack',
  'lockTrack',
];
const ofStaff = writes.filter(
  (endpoint) => shared.includes(endpoint.name) || !accessList(endpoint).includes('participant'),
);

/** Writes that leave no entry, and why. */
const withoutEntry: Record<string, string> = {
  addLeave: 'the own times of a coach',
  removeLeave: 'the own times of a coach',
  saveAvailability: 'the own times of a coach',
  saveBookingSetup: 'the own link of a coach',
  claimReview: 'ends by itself after ten minutes',
  releaseReview: 'ends a claim',
  saveReviewDraft: 'nobody but the reviewer sees it',
  checkImport: 'writes nothing',
  previewActivityAssignment: 'writes nothing',
  processStipends: 'derives what follows from facts',
  processUnprocessedCohorts: 'derives what follows from facts',
  syncAuthProfiles: 'writes only where a profile is missing; account-functions.test.ts shows its entry',
};

let server: TestApp;
let admin: BuiltPerson;
beforeAll(async () => {
  server = await startTestApp();
  admin = await buildAdmin(server.db);
});
afterAll(() => server.close());

/** Acts that need a longer story, and the test that tells it and reads the entry. */
const shownIn: Record<string, string> = {
  approveStipend: 'server/features/stipends/stipend-decisions.test.ts',
  denyStipend: 'server/features/stipends/stipend-decisions.test.ts',
  approveWeek: 'server/features/stipends/stipend-decisions.test.ts',
  changeStipendAmount: 'server/features/stipends/stipend-decisions.test.ts',
  approveStipendAmount: 'server/features/stipends/second-approvers.test.ts',
  renewStipendPayee: 'server/features/stipends/payees.test.ts',
  handOverWeek: 'server/features/stipends/handovers.test.ts',
  resendImportInvitations: 'server/features/imports/import-results.test.ts',
  undoImport: 'server/features/imports/import-undo.test.ts',
  approveRoleRequest: 'server/features/users/role-requests.test.ts',
  declineRoleRequest: 'server/features/users/role-requests.test.ts',
  retryDelivery: 'server/features/notices/deliveries.test.ts',
  retryDeliveries: 'server/features/notices/deliveries.test.ts',
  copyProgramme: 'server/features/curriculum/programme-copies.test.ts',
  undoProgrammeCopy: 'server/features/curriculum/programme-copies.test.ts',
  rateWeek: 'server/features/coaching/ratings.test.ts',
  lockTrack: 'server/features/learning/tracks.test.ts',
  removeSecondFactor: 'server/features/accounts/sign-in-policy.test.ts',
  changeSignInPolicy: 'server/features/accounts/sign-in-policy.test.ts',
  resendInvitation: 'server/features/users/user-list.test.ts',
  answerAttendanceCorrection: 'server/features/learning/attendance-corrections.test.ts',
  answerStipendQuestion: 'server/features/stipends/stipend-explanations.test.ts',
  recallHandover: 'server/features/stipends/payments.test.ts',
  createAdminUser: 'server/features/accounts/account-functions.test.ts',
  processBulkInvitations: 'server/features/accounts/account-functions.test.ts',
};

test('every write of coaches and admins says how its entry is shown, or why there is none', () => {
  expect(ofStaff.length).toBeGreaterThan(60);
  const told = [staffCalls, shownIn, withoutEntry].flatMap((part) => Object.keys(part));
  expect(ofStaff.map(({ name }) => name).filter((name) => !told.includes(name))).toEqual([]);
  expect(told.filter((name) => !ofStaff.some((endpoint) => endpoint.name === name))).toEqual([]);
});

test.each(Object.entries(shownIn))('the entry of %s is read by the test that tells of it: %s', (name, file) => {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/auditLog|audit_log/);
  expect(text).toContain(name);
});

test.each(ofStaff.filter(({ name }) => name in staffCalls).map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s leaves an entry in the audit log, of the person who did it',
  async (name, endpoint) => {
    const call = await staffCalls[name]?.(server, admin);
    const person = call?.as ?? admin;
    const before = await entriesOf(person);
    const answer = await (await server.as(person)).fetch(addressOfCall(endpoint, call?.params ?? {}), {
      method: endpoint.method,
      ...(endpoint.body ? { headers: { 'content-type': 'application/json' }, body: bodyOfCall(endpoint, call) } : {}),
    });
    expect(answer.status, await answer.text()).toBe(200);
    expect(await entriesOf(person)).toBeGreaterThan(before);
  },
);

async function entriesOf({ id }: BuiltPerson): Promise<number> {
  const { count } = await server.db
    .selectFrom('auditLog')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('actorId', '=', id)
    .executeTakeFirstOrThrow();
  return count;
}
