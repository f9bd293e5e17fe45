import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessList } from '#server/platform/serve.ts';
import { type BuiltPerson, buildAdmin } from './factories/people.ts';
import { startTestApp, type TestApp } from './support/app.ts';
import { readContract } from './support/contract.ts';
import { sendCall } from './support/made-call.ts';
import { deafPaymentSystem } from './support/money-calls.ts';
import { staffCalls } from './support/staff-calls.ts';

const writes = (await readContract()).filter(
  (endpoint) => endpoint.method !== 'GET' && !['public', 'signed', 'pending'].includes(endpoint.access),
);
/** Writes that coaches and admins can do and participants cannot, and writes that both do for somebody else. */
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
  previewCoachAssignment: 'writes nothing',
  previewEnrolments: 'writes nothing',
  previewInvitations: 'writes nothing',
  tryRules: 'writes nothing',
  processStipends: 'derives what follows from facts',
  processUnprocessedCohorts: 'derives what follows from facts',
  syncAuthProfiles: 'writes only where a profile is missing; account-functions.test.ts shows its entry',
};

let server: TestApp;
let admin: BuiltPerson;
beforeAll(async () => {
  server = await startTestApp(deafPaymentSystem);
  await server.runJobs();
  admin = await buildAdmin(server.db);
});
afterAll(() => server.close());

test('every write of coaches and admins is called below, or says why it leaves no entry', () => {
  expect(ofStaff.length).toBeGreaterThan(60);
  const told = [staffCalls, withoutEntry].flatMap((part) => Object.keys(part));
  expect(ofStaff.map(({ name }) => name).filter((name) => !told.includes(name))).toEqual([]);
  expect(told.filter((name) => !ofStaff.some((endpoint) => endpoint.name === name))).toEqual([]);
});

test.each(ofStaff.filter(({ name }) => name in staffCalls).map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s leaves an entry in the audit log, of the person who did it',
  async (name, endpoint) => {
    const call = await staffCalls[name]?.(server, admin);
    const person = call?.as ?? admin;
    const before = await entriesOf(person);
    const answer = await sendCall(await server.as(person), endpoint, call ?? {});
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
