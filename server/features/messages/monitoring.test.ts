import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  listConversations,
  markConversationRead,
  openConversation,
  readConversation,
  readOpenedConversation,
  sendMessage,
} from '#contract/messages.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildMessage, buildMessages, buildPair } from '#test/factories/messages.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const read = (client: Client, person: { id: string }, query: { before?: string; after?: string } = {}) =>
  client.call(readConversation, { params: { id: person.id }, query });
const wordsIn = ({ messages }: { messages: { text: string }[] }) => messages.map(({ text }) => text);

test('MSG-08 an attempt of an admin to send is answered in the documented words', async () => {
  const { coach } = await buildPair(server.db);
  const refused = await (await server.as(await buildAdmin(server.db))).refused(sendMessage, {
    params: { id: coach.id },
    body: { clientKey: randomUUID(), text: 'Hello', fileId: null },
  });
  expect(refused).toMatchObject({
    status: 403,
    problem: { detail: 'Admins have read-only access to communications for monitoring purposes' },
  });
});

test('MSG-09 the conversations of a person hold all that was sent to or by them, without words', async () => {
  const { coach, participant } = await buildPair(server.db);
  const other = await buildParticipant(server.db, { firstName: 'Olu', lastName: 'Bright' });
  await assignCoach(server.db, { participantId: other.id, coachId: coach.id });
  await buildMessage(server.db, coach, participant, { sentAt: new Date('2025-10-08T10:00:00Z') });
  await buildMessage(server.db, participant, coach, { sentAt: new Date('2025-10-08T10:30:00Z') });
  await buildMessage(server.db, other, coach, { sentAt: new Date('2025-10-08T11:00:00Z'), message: 'Secret' });
  const admin = await server.as(await buildAdmin(server.db));
  const ofCoach = await admin.call(listConversations, { params: { id: coach.id }, query: {} });
  expect(ofCoach).toMatchObject({
    person: { id: coach.id, role: 'coach' },
    rows: [
      { coach: { id: coach.id }, participant: { id: other.id, name: 'Olu Bright' }, messageCount: 1 },
      { participant: { id: participant.id }, messageCount: 2, latestAt: '2025-10-08T10:30:00.000Z' },
    ],
    nextCursor: null,
  });
  expect(JSON.stringify(ofCoach)).not.toContain('Secret');
  const ofParticipant = await admin.call(listConversations, { params: { id: participant.id }, query: {} });
  expect(ofParticipant.rows).toMatchObject([{ coach: { id: coach.id }, messageCount: 2 }]);
  expect(
    (await admin.call(listConversations, { params: { id: (await buildCoach(server.db)).id }, query: {} })).rows,
  ).toEqual([]);
});

test('each opening by an admin is logged once with its reason, however many pages are read; both people see it, each in their own role', async () => {
  const pair = await buildPair(server.db);
  const { coach, participant } = pair;
  await buildMessages(server.db, pair, { count: 120, isRead: true });
  const admin = await buildAdmin(server.db);
  const client = await server.as(admin);
  const ids = { coachId: coach.id, participantId: participant.id };
  const opened = await client.call(openConversation, { body: { ...ids, reason: ' A complaint ' } });
  const newest = await client.call(readOpenedConversation, { params: opened, query: {} });
  expect(newest).toMatchObject({ hasOlder: true, hasNewer: false, reason: 'A complaint', coach: { id: coach.id } });
  const query = { before: newest.messages[0]?.id };
  const older = await client.call(readOpenedConversation, { params: opened, query });
  expect(wordsIn(older)[0]).toBe('Message 21');
  const oldest = await client.call(readOpenedConversation, {
    params: opened,
    query: { before: older.messages[0]?.id },
  });
  expect(wordsIn(oldest)).toHaveLength(20);
  const all = [...oldest.messages];
  for (let hasNewer: boolean = oldest.hasNewer; hasNewer; ) {
    const newer = await client.call(readOpenedConversation, { params: opened, query: { after: all.at(-1)?.id } });
    all.push(...newer.messages);
    hasNewer = newer.hasNewer;
  }
  expect(all.map(({ id }) => id)).toEqual(
    [...oldest.messages, ...older.messages, ...newest.messages].map(({ id }) => id),
  );
  const again = await client.call(openConversation, { body: { ...ids, reason: null } });

  const logged = await server.db
    .selectFrom('conversationOpenings')
    .select(['id', 'adminId', 'reason'])
    .where('coachId', '=', coach.id)
    .orderBy('openedAt')
    .execute();
  expect(logged).toEqual([
    { id: opened.id, adminId: admin.id, reason: 'A complaint' },
    { id: again.id, adminId: admin.id, reason: null },
  ]);
  for (const [reader, partner] of [
    [coach, participant],
    [participant, coach],
  ] as const) {
    const { openings } = await read(await server.as(reader), partner);
    expect(openings.map(({ id }) => id)).toEqual([opened.id, again.id]);
  }
  const stranger = await buildPair(server.db);
  const silent = { coachId: stranger.coach.id, participantId: stranger.participant.id, reason: null };
  expect((await client.refused(openConversation, { body: silent })).status).toBe(404);
  const mistaken = { coachId: participant.id, participantId: coach.id, reason: null };
  expect((await client.refused(openConversation, { body: mistaken })).status).toBe(404);
});

test('an opening lasts for an hour', async () => {
  const { coach, participant } = await buildPair(server.db);
  await buildMessage(server.db, coach, participant);
  const client = await server.as(await buildAdmin(server.db));
  const restore = stopClockAt('2025-10-08T14:00:00Z');
  const body = { coachId: coach.id, participantId: participant.id, reason: null };
  const params = await client.call(openConversation, { body });
  restore();
  const within = stopClockAt('2025-10-08T14:59:59Z');
  expect((await client.call(readOpenedConversation, { params, query: {} })).messages).toHaveLength(1);
  within();
  const after = stopClockAt('2025-10-08T15:00:00Z');
  expect((await client.refused(readOpenedConversation, { params, query: {} })).status).toBe(404);
  after();
});

test('MSG-15 an admin who reads a conversation marks nothing as read', async () => {
  const { coach, participant } = await buildPair(server.db);
  const message = await buildMessage(server.db, coach, participant);
  const client = await server.as(await buildAdmin(server.db));
  const body = { coachId: coach.id, participantId: participant.id, reason: null };
  const params = await client.call(openConversation, { body });
  expect((await client.call(readOpenedConversation, { params, query: {} })).messages).toMatchObject([
    { isRead: false },
  ]);
  const refused = await client.refused(markConversationRead, {
    params: { id: coach.id },
    body: { upToId: message.id },
  });
  expect(refused.status).toBe(403);
  expect(await read(await server.as(participant), coach)).toMatchObject({ firstUnreadId: message.id });
});
