import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { removeUnusedUploadsJob } from '#server/features/files/file-jobs.ts';
import type { Actor } from '#server/platform/actor.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStoredFile } from '#test/factories/stored-files.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { markConversationRead, sendMessage } from './messages.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const actorOf = (person: BuiltPerson) => ({ ...person, sessionId: 'none' }) as unknown as Actor;

async function buildPair() {
  const coach = await buildCoach(app.db);
  const participant = await buildParticipant(app.db);
  await assignCoach(app.db, { participantId: participant.id, coachId: coach.id });
  return { coach, participant };
}

function messagesBetween(coach: BuiltPerson, participant: BuiltPerson) {
  return app.db
    .selectFrom('coachMessages')
    .selectAll()
    .where('senderId', 'in', [coach.id, participant.id])
    .orderBy('sentAt')
    .orderBy('id')
    .execute();
}

test('MSG-13 MSG-25 MSG-26 coach and own participant write to each other, unread and with whom it is for', async () => {
  const { coach, participant } = await buildPair();
  const restoreClock = stopClockAt('2025-10-08T14:00:00Z');
  await sendMessage(app.db, actorOf(coach), {
    recipientId: participant.id,
    text: 'How did the relay lab go?',
    subject: 'Relay lab',
    messageType: 'feedback',
  });
  restoreClock();
  const file = await buildStoredFile(app.db, { ownerId: participant.id, area: 'messages' });
  await sendMessage(app.db, actorOf(participant), { recipientId: coach.id, text: 'Well!', fileId: file.id });

  const [first, second, ...rest] = await messagesBetween(coach, participant);
  expect(rest).toEqual([]);
  expect(first).toMatchObject({
    senderId: coach.id,
    recipientId: participant.id,
    recipientType: 'fellow',
    subject: 'Relay lab',
    message: 'How did the relay lab go?',
    messageType: 'feedback',
    filePath: null,
    isRead: false,
    readAt: null,
    sentAt: new Date('2025-10-08T14:00:00Z'),
  });
  expect(second).toMatchObject({
    recipientId: coach.id,
    recipientType: 'coach',
    subject: 'Message from your participant',
    message: 'Well!',
    messageType: 'general',
    filePath: file.path,
    isRead: false,
  });
});

test('MSG-27 a message is of one of four types, general unless said, and of no other', async () => {
  const { coach, participant } = await buildPair();
  const types = [undefined, 'general', 'feedback', 'session_request', 'performance_note'] as const;
  for (const messageType of types) {
    const type = messageType ? { messageType } : {};
    await sendMessage(app.db, actorOf(coach), { recipientId: participant.id, text: 'Hello', ...type });
  }
  const stored = (await messagesBetween(coach, participant)).map(({ messageType }) => messageType);
  expect(stored.toSorted()).toEqual(types.map((type) => type ?? 'general').toSorted());
  const other = { senderId: coach.id, recipientId: participant.id, recipientType: 'fellow', messageType: 'other' };
  const inserting = app.db
    .insertInto('coachMessages')
    .values({ ...other, message: 'Hello' })
    .execute();
  await expect(inserting).rejects.toThrow(/message_type/);
});

test('MSG-17 MSG-18 a message needs text or an attachment; either alone will do', async () => {
  const { coach, participant } = await buildPair();
  const send = (facts: { text: string | null; fileId?: string }) =>
    sendMessage(app.db, actorOf(participant), { recipientId: coach.id, ...facts });
  await expect(send({ text: null })).rejects.toThrow('Please enter a message or attach a file');
  for (const blank of [' \n ', '\u200b', '\u200b \ufeff\u2060\u00ad', '\u3164\u2800\t', '\ufe0f\u200d']) {
    await expect(send({ text: blank })).rejects.toThrow('Please enter a message or attach a file');
  }
  expect(await messagesBetween(coach, participant)).toEqual([]);

  const file = await buildStoredFile(app.db, { ownerId: participant.id, area: 'messages' });
  await send({ text: null, fileId: file.id });
  await send({ text: 'See the drawing.', fileId: file.id });
  await send({ text: 'Only words.' });
  await send({ text: '👩‍🔧' });
  const sent = await messagesBetween(coach, participant);
  expect(sent.map(({ message, filePath }) => [message, filePath])).toEqual([
    ['', file.path],
    ['See the drawing.', file.path],
    ['Only words.', null],
    ['👩‍🔧', null],
  ]);
});

test('an attachment is an own, finished upload for messages', async () => {
  const { coach, participant } = await buildPair();
  const files = await Promise.all([
    buildStoredFile(app.db, { ownerId: coach.id, area: 'messages' }),
    buildStoredFile(app.db, { ownerId: participant.id, area: 'submissions' }),
    buildStoredFile(app.db, { ownerId: participant.id, area: 'messages', completedAt: null }),
  ]);
  for (const { id: fileId } of files) {
    const sending = sendMessage(app.db, actorOf(participant), { recipientId: coach.id, text: 'Look', fileId });
    await expect(sending).rejects.toMatchObject({ code: 'invalid_input' });
  }
  expect(await messagesBetween(coach, participant)).toEqual([]);
});

test('MSG-35 nobody writes to somebody who is not their own coach or participant', async () => {
  const { coach, participant } = await buildPair();
  const other = await buildPair();
  const [text, colleague] = ['Hello', await buildCoach(app.db)];
  const refused: [BuiltPerson, BuiltPerson][] = [
    [coach, other.participant],
    [participant, other.coach],
    [participant, other.participant],
    [coach, colleague],
    [coach, coach],
  ];
  for (const [from, to] of refused) {
    const sending = sendMessage(app.db, actorOf(from), { recipientId: to.id, text });
    await expect(sending).rejects.toMatchObject({ code: 'forbidden' });
  }
  await app.db.updateTable('userCourses').set({ status: 'withdrawn' }).where('userId', '=', participant.id).execute();
  const toFormerCoach = sendMessage(app.db, actorOf(participant), { recipientId: coach.id, text });
  await expect(toFormerCoach).rejects.toMatchObject({ code: 'forbidden' });
  expect(await messagesBetween(coach, participant)).toEqual([]);
});

test('people who write to one coach at once do not wait for each other, and the latest of their messages is the last', async () => {
  const { coach, participant } = await buildPair();
  const other = await buildParticipant(app.db);
  await assignCoach(app.db, { participantId: other.id, coachId: coach.id });
  const send = (db: Db, person: BuiltPerson) =>
    sendMessage(db, actorOf(person), { recipientId: coach.id, text: 'Hello' });
  const later = await inTransaction(app.db, async (open) => {
    await send(open, participant);
    return inTransaction(app.db, (db) => send(db, other));
  });
  const last = await app.db
    .selectFrom('lastMessages')
    .select('sentAt')
    .where('personId', '=', coach.id)
    .executeTakeFirstOrThrow();
  expect(last.sentAt.toISOString()).toBe(later.sentAt);
});

test('MSG-08 MSG-35 an admin sends nothing', async () => {
  const { coach } = await buildPair();
  const admin = await buildAdmin(app.db);
  const sending = sendMessage(app.db, actorOf(admin), { recipientId: coach.id, text: 'Hello' });
  await expect(sending).rejects.toThrow('Admins have read-only access to communications for monitoring purposes');
  const sent = app.db.selectFrom('coachMessages').select('id').where('senderId', '=', admin.id);
  expect(await sent.execute()).toEqual([]);
});

test('MSG-14 opening a conversation marks what was received as read, not what was sent', async () => {
  const { coach, participant } = await buildPair();
  await sendMessage(app.db, actorOf(coach), { recipientId: participant.id, text: 'From the coach' });
  await sendMessage(app.db, actorOf(participant), { recipientId: coach.id, text: 'From the participant' });
  expect(await markConversationRead(app.db, participant, coach.id)).toBe(1);
  const messages = await messagesBetween(coach, participant);
  expect(messages.map(({ senderId, isRead, readAt }) => [senderId, isRead, readAt !== null])).toEqual([
    [coach.id, true, true],
    [participant.id, false, false],
  ]);
  expect(await markConversationRead(app.db, participant, coach.id)).toBe(0);
});

test('what was uploaded for a message and not sent within a week is removed; what was sent stays', async () => {
  const { coach, participant } = await buildPair();
  const uploadedBefore = (days: number) => {
    const completedAt = new Date(Date.now() - days * 24 * 3_600_000);
    return buildStoredFile(app.db, { ownerId: participant.id, area: 'messages', completedAt });
  };
  const [sent, forgotten, waiting] = [await uploadedBefore(8), await uploadedBefore(8), await uploadedBefore(6)];
  await sendMessage(app.db, actorOf(participant), { recipientId: coach.id, text: null, fileId: sent.id });
  await removeUnusedUploadsJob.run(app.app, {}, { number: 1, isLast: false });
  const left = await app.db.selectFrom('storedFiles').select('id').where('ownerId', '=', participant.id).execute();
  expect(left.map(({ id }) => id).toSorted()).toEqual([sent.id, waiting.id].toSorted());
  expect(left.map(({ id }) => id)).not.toContain(forgotten.id);
});
