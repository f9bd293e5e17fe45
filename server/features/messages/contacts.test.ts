import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listContacts, markConversationRead } from '#contract/messages.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildMessage, buildPair } from '#test/factories/messages.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { countStatements } from '#test/support/statements.ts';
import { findContacts } from './contact-queries.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

async function contactsOf(person: BuiltPerson, query: { search?: string; cursor?: string } = {}) {
  return (await server.as(person)).call(listContacts, { query });
}

const namesIn = ({ rows }: { rows: { name: string }[] }) => rows.map(({ name }) => name);

test('MSG-04 a coach has exactly the enrolled participants under them as contacts', async () => {
  const { coach, participant } = await buildPair(server.db);
  const withdrawn = await buildParticipant(server.db);
  await assignCoach(server.db, { participantId: withdrawn.id, coachId: coach.id });
  await server.db.updateTable('userCourses').set({ status: 'withdrawn' }).where('userId', '=', withdrawn.id).execute();
  const twice = await buildParticipant(server.db, { firstName: 'Tam' });
  await assignCoach(server.db, { participantId: twice.id, coachId: coach.id });
  await assignCoach(server.db, { participantId: twice.id, coachId: coach.id });
  await buildMessage(server.db, withdrawn, coach);
  await buildPair(server.db);
  const { rows } = await contactsOf(coach);
  expect(rows.map(({ id }) => id)).toEqual([participant.id, twice.id]);
});

test('MSG-05 a participant has the assigned coach as the only contact, and without one none', async () => {
  const { coach, participant } = await buildPair(server.db, { coach: { firstName: 'Casey', lastName: 'Cole' } });
  const { rows } = await contactsOf(participant);
  expect(rows).toMatchObject([{ id: coach.id, name: 'Casey Cole', role: 'coach', latest: null, unreadCount: 0 }]);
  expect((await contactsOf(await buildParticipant(server.db))).rows).toEqual([]);

  // A second course of the same coach makes no second contact. The coach of a course that the participant left is no
  // contact.
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  const former = await buildCoach(server.db);
  const { id: courseId } = await assignCoach(server.db, { participantId: participant.id, coachId: former.id });
  await server.db
    .updateTable('userCourses')
    .set({ status: 'withdrawn' })
    .where('userId', '=', participant.id)
    .where('courseId', '=', courseId)
    .execute();
  await buildMessage(server.db, former, participant);
  expect((await contactsOf(participant)).rows.map(({ id }) => id)).toEqual([coach.id]);
});

test('MSG-06 an admin has all participants and all coaches as contacts, in pages of one statement', async () => {
  const admin = await buildAdmin(server.db);
  const deleted = await buildParticipant(server.db);
  await server.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', deleted.id).execute();
  for (let number = 1; number <= 60; number += 1) {
    await buildParticipant(server.db, { firstName: `Person ${String(number).padStart(2, '0')}` });
  }
  const everybody = await server.db
    .selectFrom('profiles')
    .select('id')
    .where('role', 'in', ['participant', 'coach'])
    .where('deletedAt', 'is', null)
    .execute();
  const first = await contactsOf(admin);
  expect(first.rows).toHaveLength(50);
  const second = await contactsOf(admin, { cursor: first.nextCursor ?? '' });
  expect(second.nextCursor).toBeNull();
  const found = [...first.rows, ...second.rows].map(({ id }) => id);
  expect(found.toSorted()).toEqual(everybody.map(({ id }) => id).toSorted());

  const actor = { ...admin, sessionId: 'none' } as unknown as Parameters<typeof findContacts>[1];
  expect(await countStatements(server.app.pool, () => findContacts(server.db, actor, {}))).toBe(1);
  const refused = await (await server.as(admin)).refused(listContacts, { query: { cursor: 'nonsense' } });
  expect(refused.problem.code).toBe('invalid_input');
});

test('MSG-03 the search narrows the contacts by name and by email', async () => {
  const coach = await buildCoach(server.db);
  const people = [
    { firstName: 'Nora', lastName: 'Okafor', email: 'nora@wires.example' },
    { firstName: 'Ben', lastName: 'Norton', email: 'ben@people-2.example' },
    { firstName: '100%', lastName: 'Sure', email: 'sure@wires.example' },
  ];
  for (const facts of people) {
    const { id } = await buildParticipant(server.db, facts);
    await assignCoach(server.db, { participantId: id, coachId: coach.id });
  }
  expect(namesIn(await contactsOf(coach, { search: 'nor' }))).toEqual(['Ben Norton', 'Nora Okafor']);
  expect(namesIn(await contactsOf(coach, { search: ' ora oka ' }))).toEqual(['Nora Okafor']);
  expect(namesIn(await contactsOf(coach, { search: 'WIRES.example' }))).toEqual(['100% Sure', 'Nora Okafor']);
  expect(namesIn(await contactsOf(coach, { search: '%' }))).toEqual(['100% Sure']);
  expect(namesIn(await contactsOf(coach, { search: 'nobody' }))).toEqual([]);
});

test('MSG-11 MSG-13 each contact carries the latest message and the number of unread ones; the latest conversation is first', async () => {
  const { coach, participant: early } = await buildPair(server.db, { participant: { firstName: 'Early' } });
  const late = await buildParticipant(server.db, { firstName: 'Late' });
  const silent = await buildParticipant(server.db, { firstName: 'Silent' });
  for (const { id } of [late, silent]) await assignCoach(server.db, { participantId: id, coachId: coach.id });
  const at = (time: string) => ({ sentAt: new Date(`2025-10-08T${time}:00Z`) });
  await buildMessage(server.db, early, coach, { message: 'One', ...at('10:00') });
  await buildMessage(server.db, early, coach, { message: 'Two', ...at('10:01') });
  await buildMessage(server.db, coach, late, { message: 'x'.repeat(300), ...at('11:00') });
  const seen = await buildMessage(server.db, early, coach, { message: 'Zero', isRead: true, ...at('09:00') });

  const { rows } = await contactsOf(coach);
  expect(rows).toMatchObject([
    {
      id: late.id,
      latest: { sentAt: '2025-10-08T11:00:00.000Z', preview: { isOwn: true, text: 'x'.repeat(140), hasFile: false } },
      unreadCount: 0,
    },
    { id: early.id, latest: { preview: { isOwn: false, text: 'Two' } }, unreadCount: 2 },
    { id: silent.id, latest: null, unreadCount: 0 },
  ]);
  expect((await contactsOf(late)).rows[0]).toMatchObject({ latest: { preview: { isOwn: false } }, unreadCount: 1 });

  const asCoach = await server.as(coach);
  expect((await asCoach.call(readSession)).unreadMessages).toBe(2);
  await asCoach.call(markConversationRead, { params: { id: early.id }, body: { upToId: seen.id } });
  expect((await contactsOf(coach)).rows[1]).toMatchObject({ unreadCount: 2 });
  const newest = await buildMessage(server.db, early, coach, { message: 'Three', ...at('10:02') });
  await asCoach.call(markConversationRead, { params: { id: early.id }, body: { upToId: newest.id } });
  expect((await contactsOf(coach)).rows[1]).toMatchObject({ unreadCount: 0 });
  expect((await asCoach.call(readSession)).unreadMessages).toBe(0);
});

test('an admin sees when the latest message was sent, but no words of it and nothing unread', async () => {
  const { coach, participant } = await buildPair(server.db, { participant: { firstName: 'Quiet' } });
  await buildMessage(server.db, coach, participant, { message: 'Private', sentAt: new Date('2025-10-08T11:00:00Z') });
  const { rows } = await contactsOf(await buildAdmin(server.db), { search: participant.email });
  expect(rows).toMatchObject([
    { id: participant.id, latest: { sentAt: '2025-10-08T11:00:00.000Z', preview: null }, unreadCount: 0 },
  ]);
});

test('contacts with one latest instant are in the order of their names, over the edge of a page too', async () => {
  const coach = await buildCoach(server.db);
  const sentAt = new Date('2025-10-08T11:00:00Z');
  for (let number = 1; number <= 55; number += 1) {
    const person = await buildParticipant(server.db, { firstName: `Same ${String(number).padStart(2, '0')}` });
    await assignCoach(server.db, { participantId: person.id, coachId: coach.id });
    if (number > 3) await buildMessage(server.db, person, coach, { sentAt });
  }
  const first = await contactsOf(coach);
  const second = await contactsOf(coach, { cursor: first.nextCursor ?? '' });
  const numbers = namesIn({ rows: [...first.rows, ...second.rows] }).map((name) => Number(name.slice(5, 7)));
  expect(numbers).toEqual([...Array.from({ length: 52 }, (_, index) => index + 4), 1, 2, 3]);
});

test('MSG-06 MSG-11 an admin reads through all people, latest message first, then those without one by name', async () => {
  const { coach, participant } = await buildPair(server.db, {
    coach: { lastName: 'Turner-Walk' },
    participant: { lastName: 'Turner-Walk' },
  });
  const expected = ['Casey Turner-Walk', 'Robin Turner-Walk'];
  await buildMessage(server.db, coach, participant, { sentAt: new Date('2025-10-09T11:00:00Z') });
  await buildMessage(server.db, coach, participant, { sentAt: new Date('2025-10-02T11:00:00Z') });
  const numbered = (number: number) => `Person ${String(number).padStart(3, '0')}`;
  for (let number = 1; number <= 110; number += 1) {
    const person = await buildParticipant(server.db, { firstName: numbered(number), lastName: 'Turner-Walk' });
    if (number > 55) await buildMessage(server.db, person, coach, { sentAt: new Date('2025-10-08T11:00:00Z') });
  }
  const order = Array.from({ length: 110 }, (_, index) => ((index + 55) % 110) + 1);
  expected.push(...order.map((number) => `${numbered(number)} Turner-Walk`));
  const admin = await buildAdmin(server.db);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await contactsOf(admin, { search: 'turner-walk', cursor });
    found.push(...namesIn(page));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(found).toEqual(expected);
});
