import { afterAll, beforeAll, expect, test } from 'vitest';
import { listUserIds, listUsers, previewInvitations, resendUserInvitations } from '#contract/user-management.ts';
import { newId } from '#server/platform/ids.ts';
import { invitePeople } from '#server/sign-in/invitations.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { mailsTo } from '#test/support/sign-in.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let owner: BuiltPerson;
let admin: Client;
beforeAll(async () => {
  server = await startTestApp();
  owner = await buildAdmin(server.db);
  admin = await server.as(owner);
});
afterAll(() => server.close());

async function buildInvited(firstName: string): Promise<BuiltPerson> {
  const person = await buildParticipant(server.db, { firstName });
  await invitePeople(server.db, [{ ...person, userId: person.id }], null, server.app);
  await server.db
    .updateTable('invitations')
    .set({ sentAt: new Date('2026-01-01'), expiresAt: new Date('2026-01-08') })
    .where('userId', '=', person.id)
    .execute();
  return person;
}

const idsOf = (people: { id: string }[]) => people.map(({ id }) => id);
const preview = (people: { id: string }[]) => admin.call(previewInvitations, { body: { userIds: idsOf(people) } });
const resend = (people: { id: string }[], seenAt: string) =>
  admin.call(resendUserInvitations, { body: { userIds: idsOf(people), seenAt } });

test('invitations go again to those who wait for one; each other person is named with the reason', async () => {
  const [expired, accepted] = [await buildInvited('Ann'), await buildInvited('Ben')];
  const registered = await buildParticipant(server.db, { firstName: 'Cid' });
  await server.db
    .updateTable('invitations')
    .set({ acceptedAt: new Date() })
    .where('userId', '=', accepted.id)
    .execute();
  const gone = newId();
  const chosen = [expired, accepted, registered, { id: gone }];
  const refused = [
    { id: accepted.id, name: 'Ben Reyes', reason: 'Accepted the invitation already' },
    { id: registered.id, name: 'Cid Reyes', reason: 'Registered themselves, without an invitation' },
    { id: gone, name: 'Somebody', reason: 'No longer there' },
  ];
  const said = await preview(chosen);
  expect(said).toEqual({ ready: [expired.id], refused, at: expect.any(String) });
  expect(await mailsTo(server.db, expired.email)).toHaveLength(1);

  expect(await resend(chosen, said.at)).toEqual({ sent: 1, refused });
  expect(await mailsTo(server.db, expired.email)).toHaveLength(2);
  expect(await mailsTo(server.db, accepted.email)).toHaveLength(1);
  const links = server.db.selectFrom('auth.passwordLink').select('kind').where('userId', '=', expired.id);
  expect(await links.execute()).toEqual([{ kind: 'invitation' }]);
  const trail = server.db.selectFrom('auditLog').select('action').where('subjectId', 'in', idsOf(chosen));
  expect(await trail.execute()).toEqual([{ action: 'user.invite_again' }]);
});

test('sent twice, or by two admins at once, everybody gets one mail', async () => {
  const people = [await buildInvited('Ann'), await buildInvited('Ben')];
  const { at } = await preview(people);
  const answers = await Promise.all([resend(people, at), resend(people.toReversed(), at)]);
  expect(answers.map(({ sent }) => sent).toSorted()).toEqual([0, 2]);
  const reasons = answers.flatMap(({ refused }) => refused.map(({ reason }) => reason));
  expect(reasons).toEqual(['Invited again since you looked', 'Invited again since you looked']);
  for (const { email } of people) expect(await mailsTo(server.db, email)).toHaveLength(2);
});

test('an invitation of an import stays one of that import, and any number takes the same statements', async () => {
  const people = [];
  for (let index = 0; index < 32; index += 1) people.push(await buildInvited('Person'));
  const [first] = people;
  const { id: importId } = await server.db
    .insertInto('bulkImports')
    .values({ filename: 'people.csv', totalRecords: 1, createdBy: owner.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  await server.db
    .updateTable('invitations')
    .set({ importId })
    .where('userId', '=', first?.id ?? '')
    .execute();
  const { at } = await preview(people);
  const count = (chosen: { id: string }[]) => countStatements(server.app.pool, () => resend(chosen, at));
  expect(await count(people.slice(2))).toBe(await count(people.slice(0, 2)));
  const invitations = await server.db
    .selectFrom('invitations')
    .select(['userId', 'importId'])
    .where('userId', 'in', idsOf(people))
    .where('sentAt', '>', new Date('2026-02-01'))
    .execute();
  expect(invitations).toHaveLength(32);
  expect(invitations.filter((row) => row.importId === importId)).toEqual([{ userId: first?.id, importId }]);
});

test('all who match can be chosen, in the order of the list, up to 1,000 people', async () => {
  const [amy, bob] = [
    await buildParticipant(server.db, { firstName: 'Amy', email: 'amy@matching.example' }),
    await buildCoach(server.db, { firstName: 'Bob', email: 'bob@matching.example' }),
  ];
  const query = { search: '@matching.', order: 'name' as const };
  expect(await admin.call(listUserIds, { query })).toEqual({ ids: [amy.id, bob.id] });
  expect((await admin.call(listUsers, { query })).rows.map(({ id }) => id)).toEqual([amy.id, bob.id]);
  expect(await admin.call(listUserIds, { query: { ...query, role: 'coach' } })).toEqual({ ids: [bob.id] });
  await server.db
    .insertInto('profiles')
    .values(
      Array.from({ length: 1001 }, (_, index) => ({
        id: newId(),
        email: `n${index}@crowded.example`,
        firstName: 'Crowd',
        lastName: 'Of',
        role: 'participant',
      })),
    )
    .execute();
  const { problem } = await admin.refused(listUserIds, { query: { search: '@crowded.' } });
  expect(problem.detail).toBe('More than 1,000 people match. Please narrow the filters to select all of them.');
  const coach = await server.as(bob);
  expect((await coach.refused(listUserIds, { query: {} })).status).toBe(403);
});
