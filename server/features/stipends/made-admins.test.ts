import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminUser } from '#contract/documented-functions.ts';
import type { Role } from '#contract/roles.ts';
import { listStipendCohorts, setSecondApprover } from '#contract/stipend-cohorts.ts';
import {
  approveStipend,
  approveStipendAmount,
  approveWeek,
  changeStipendAmount,
  denyStipend,
  readStipend,
} from '#contract/stipends.ts';
import { updateUser } from '#contract/user-management.ts';
import { approveRoleRequest } from '#contract/users.ts';
import { type BuiltPerson, buildAdmin, buildParticipant, buildPerson } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';
import { startAppOfTwo } from '#test/support/two-admins.ts';

let app: TestApp;
let ada: BuiltPerson;
let bea: BuiltPerson;
let asAda: Client;
let asBea: Client;

beforeAll(async () => {
  ({ app, ada, bea, asAda, asBea } = await startAppOfTwo());
});
afterAll(() => app.close());

type Row = { id: string; version: number };
const of = ({ id, version }: Row) => ({ params: { id }, body: { version } });

async function ofTwo(weekNumber: number) {
  const stipend = await buildStipend(app.db, { weekNumber });
  await asAda.call(setSecondApprover, { params: { id: stipend.cohortId }, body: { isNeeded: true } });
  return stipend;
}

/** A person whom Ada made an admin by editing them. */
async function madeByAda(from: Role = 'participant') {
  const { id, version } = await buildPerson(app.db, { role: from, firstName: 'Mia', lastName: 'Made' });
  await asAda.call(updateUser, { params: { id }, body: { role: 'admin', version } });
  return { id };
}

/** A person whom an admin made an admin that many days ago. */
async function madeBy(giver: { id: string }, daysAgo: number, facts: { firstName?: string } = {}) {
  const made = await buildAdmin(app.db, { firstName: 'Mia', ...facts });
  await app.db
    .insertInto('adminGrants')
    .values({
      personId: made.id,
      grantedBy: giver.id,
      grantedAt: sql`now() - make_interval(days => ${daysAgo})`,
    })
    .execute();
  return { id: made.id, client: await app.as(made) };
}

test.for<[string, () => Promise<{ id: string }>]>([
  ['participant', () => madeByAda()],
  ['coach', () => madeByAda('coach')],
  [
    'applicant',
    async () => {
      const { id } = await buildParticipant(app.db);
      for (const table of ['profiles', 'auth.user'] as const) {
        await app.db.updateTable(table).set({ requestedRole: 'admin' }).where('id', '=', id).execute();
      }
      await asAda.call(approveRoleRequest, { params: { id }, body: { requestedRole: 'admin' } });
      return { id };
    },
  ],
])('a %s who was made an admin approves nothing for seven days', async ([, make]) => {
  const made = await make();
  const asMade = await app.as(made);
  const alone = await buildStipend(app.db, { weekNumber: 1 });
  const words = expect.stringContaining('You were made an admin less than 7 days ago.');
  expect((await asMade.refused(approveStipend, of(alone))).problem).toMatchObject({ code: 'conflict', detail: words });
  expect(await asMade.call(readStipend, { params: { id: alone.id } })).toMatchObject({
    can: { approve: false, deny: true },
    approvalRefusal: words,
  });
  expect(
    await asMade.call(denyStipend, { ...of(alone), body: { ...of(alone).body, reason: 'Not in the programme' } }),
  ).toMatchObject({ paymentStatus: 'denied' });
});

test('the maker of an admin is never the other of two approvers, whichever of them comes first', async () => {
  const { client: asMade } = await madeBy(ada, 8);
  const words = expect.stringContaining('one of you made the other an admin');
  for (const [first, second] of [
    [asAda, asMade],
    [asMade, asAda],
  ] as const) {
    const row = await first.call(approveStipend, of(await ofTwo(2)));
    expect(row.firstApproval).not.toBeNull();
    expect((await second.refused(approveStipend, of(row))).problem).toMatchObject({ code: 'conflict', detail: words });
    expect(await second.call(readStipend, { params: { id: row.id } })).toMatchObject({
      can: { approve: false },
      approvalRefusal: words,
    });
    const { pending } = await figuresOf(second, { week: 2 });
    expect(await second.call(approveWeek, { body: { weekNumber: 2, seen: pending } })).toMatchObject({
      approved: 0,
      skipped: pending.count,
    });
    expect(await asBea.call(approveStipend, of(row))).toMatchObject({ paymentStatus: 'approved' });
  }
  const change = app.db
    .updateTable('stipendEligibility')
    .set({ paymentStatus: 'approved', approvedBy: ada.id, approvedAt: new Date() })
    .where('id', '=', (await asMade.call(approveStipend, of(await ofTwo(3)))).id);
  await expect(change.execute()).rejects.toThrow(/made the other an admin/);
});

test('nor approves the one of them an amount that the other one changed', async () => {
  const { client: asMade } = await madeBy(ada, 8);
  for (const [setter, other] of [
    [asAda, asMade],
    [asMade, asAda],
  ] as const) {
    const first = await asBea.call(approveStipend, of(await ofTwo(4)));
    const asCarol = await app.as(await buildAdmin(app.db, { firstName: 'Carol' }));
    const approved = await asCarol.call(approveStipend, of(first));
    const { id, version } = await setter.call(changeStipendAmount, {
      params: { id: approved.id },
      body: { version: approved.version, amountCents: 70_000 },
    });
    const { problem } = await other.refused(approveStipendAmount, of({ id, version }));
    expect(problem.detail).toContain('one of you made the other an admin');
    expect((await other.call(readStipend, { params: { id } })).can.approveAmount).toBe(false);
    expect(await asBea.call(approveStipendAmount, of({ id, version }))).toMatchObject({ amountAwaitsApproval: false });
  }
});

test('seven days after somebody was made an admin they approve, a day before they do not, by no path', async () => {
  const { client: asOld } = await madeBy(ada, 7);
  const { id: newId, client: asNew } = await madeBy(ada, 6);
  const stipend = await buildStipend(app.db, { weekNumber: 5 });
  const { pending: seen } = await figuresOf(asNew, { week: 5 });
  const { problem } = await asNew.refused(approveWeek, { body: { weekNumber: 5, seen } });
  expect(problem).toMatchObject({ code: 'conflict', detail: expect.stringContaining('less than 7 days ago') });
  const approving = app.db.updateTable('stipendEligibility').where('id', '=', stipend.id);
  const now = new Date();
  for (const change of [
    { paymentStatus: 'approved', approvedBy: newId, approvedAt: now },
    { firstApprovedBy: newId, firstApprovedAt: now },
    { amountApprovedBy: newId, amountApprovedAt: now },
  ]) {
    await expect(approving.set(change).execute()).rejects.toThrow(/for seven days/);
  }
  expect(await asOld.call(approveStipend, of(stipend))).toMatchObject({ paymentStatus: 'approved' });
});

test('that one approver be enough is agreed to by nobody whom the asking admin made one, nor by a new admin', async () => {
  const stipend = await ofTwo(6);
  const params = { id: stipend.cohortId };
  const agreeing = { params, body: { isNeeded: false, confirms: true } };
  const { client: asMade } = await madeBy(ada, 8);
  const { client: asNew } = await madeBy(bea, 1);
  const askedOffFor = async (client: Client) => {
    const { cohorts } = await client.call(listStipendCohorts);
    return cohorts.find(({ id }) => id === params.id)?.askedOff;
  };
  await asAda.call(setSecondApprover, { params, body: { isNeeded: false } });
  for (const client of [asMade, asNew]) {
    expect((await client.refused(setSecondApprover, agreeing)).problem.code).toBe('conflict');
    expect(await askedOffFor(client)).toMatchObject({ isOwn: false, can: { agree: false } });
  }
  expect(await askedOffFor(asAda)).toMatchObject({ isOwn: true, can: { agree: false } });
  expect(await askedOffFor(asBea)).toMatchObject({ isOwn: false, can: { agree: true } });
  expect(await asBea.call(setSecondApprover, agreeing)).toEqual({ isNeeded: false, askedOff: null });
});

test('the maker of an admin is written down for good, whichever way the role was given', async () => {
  const grant = (personId: string) =>
    app.db.selectFrom('adminGrants').select('grantedBy').where('personId', '=', personId).execute();
  const raised = await madeByAda();
  const createdAs = { email: 'nia@people.example', password: 'Turbine-7-hall', firstName: 'Nia', lastName: 'Nox' };
  await asAda.call(createAdminUser, { body: createdAs });
  const created = await app.db
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', createdAs.email)
    .executeTakeFirstOrThrow();
  for (const { id } of [raised, created]) {
    expect(await grant(id)).toEqual([{ grantedBy: ada.id }]);
    await expect(app.db.deleteFrom('adminGrants').where('personId', '=', id).execute()).rejects.toThrow(/append-only/);
  }
  expect(await grant(ada.id)).toEqual([]);
  const coach = await buildParticipant(app.db);
  await asAda.call(updateUser, { params: { id: coach.id }, body: { role: 'coach', version: coach.version } });
  expect(await grant(coach.id)).toEqual([]);
});
