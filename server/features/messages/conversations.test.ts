import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { downloadFile } from '#contract/files.ts';
import {
  listConversations,
  markConversationRead,
  openConversation,
  readConversation,
  readOpenedConversation,
  sendMessage,
} from '#contract/messages.ts';
import { now } from '#server/platform/clock.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { docx, png } from '#test/factories/files.ts';
import { buildMessage, buildMessages, buildPair } from '#test/factories/messages.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { countStatements } from '#test/support/statements.ts';
import { uploadFile } from '#test/support/uploads.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

async function send(from: BuiltPerson, to: BuiltPerson, text: string, fileId: string | null = null) {
  const body = { clientKey: randomUUID(), text, fileId };
  return (await server.as(from)).call(sendMessage, { params: { id: to.id }, body });
}

const read = (client: Client, person: { id: string }, query: { before?: string; after?: string } = {}) =>
  client.call(readConversation, { params: { id: person.id }, query });
const wordsIn = ({ messages }: { messages: { text: string }[] }) => messages.map(({ text }) => text);

test('MSG-12 a thread is the whole exchange of the two and nothing else, in the order of sending, with names', async () => {
  const { coach, participant } = await buildPair(server.db, {
    coach: { firstName: 'Casey', lastName: 'Cole' },
    participant: { firstName: 'Robin', lastName: 'Reyes' },
  });
  const other = await buildParticipant(server.db);
  await assignCoach(server.db, { participantId: other.id, coachId: coach.id });
  await send(coach, participant, 'First');
  await send(coach, other, 'To somebody else');
  await send(participant, coach, 'Second');
  await send(coach, participant, 'Third');

  for (const [reader, partner] of [
    [coach, participant],
    [participant, coach],
  ] as const) {
    const thread = await read(await server.as(reader), partner);
    expect(wordsIn(thread)).toEqual(['First', 'Second', 'Third']);
    expect(thread.messages.map(({ senderName, recipientName }) => [senderName, recipientName])).toEqual([
      ['Casey Cole', 'Robin Reyes'],
      ['Robin Reyes', 'Casey Cole'],
      ['Casey Cole', 'Robin Reyes'],
    ]);
    expect(thread).toMatchObject({ person: { id: partner.id }, can: { send: true }, hasOlder: false, hasNewer: false });
  }
});

test('messages of one instant keep the order of sending, and so do those of a process whose clock is behind', async () => {
  const { coach, participant } = await buildPair(server.db);
  const restore = stopClockAt(now().toISOString());
  for (const text of ['One', 'Two', 'Three']) await send(coach, participant, text);
  restore();
  const behind = stopClockAt('2025-10-08T14:00:00Z');
  await send(participant, coach, 'Four');
  behind();
  expect(wordsIn(await read(await server.as(coach), participant))).toEqual(['One', 'Two', 'Three', 'Four']);
});

test('a long thread opens at the first unread message and is read on in both directions, each message once', async () => {
  const pair = await buildPair(server.db);
  const rows = await buildMessages(server.db, pair, { count: 200 });
  const firstUnread = rows[119];
  await server.db
    .updateTable('coachMessages')
    .set({ isRead: true, readAt: new Date() })
    .where(
      'id',
      'in',
      rows.slice(0, 119).map(({ id }) => id),
    )
    .execute();
  const reader = await server.as(pair.participant);
  let opened = await read(reader, pair.coach);
  const statements = await countStatements(server.app.pool, async () => {
    opened = await read(reader, pair.coach);
  });
  expect(statements).toBe(3);
  expect(opened).toMatchObject({ firstUnreadId: firstUnread?.id, hasOlder: true, hasNewer: true });
  expect(opened.messages.findIndex(({ id }) => id === firstUnread?.id)).toBe(10);
  expect(opened.messages).toHaveLength(50);

  const all = [...opened.messages];
  let { hasOlder, hasNewer } = opened;
  for (; hasOlder; ) {
    const part = await read(reader, pair.coach, { before: all[0]?.id });
    all.unshift(...part.messages);
    hasOlder = part.hasOlder;
  }
  for (; hasNewer; ) {
    const part = await read(reader, pair.coach, { after: all.at(-1)?.id });
    all.push(...part.messages);
    hasNewer = part.hasNewer;
  }
  expect(wordsIn({ messages: all })).toEqual(rows.map(({ message }) => message));
  expect(wordsIn(await read(await server.as(pair.coach), pair.participant))).toEqual(
    rows.slice(150).map(({ message }) => message),
  );
  const foreign = await buildMessage(server.db, pair.coach, await buildParticipant(server.db));
  const refused = await reader.refused(readConversation, {
    params: { id: pair.coach.id },
    query: { before: foreign.id },
  });
  expect(refused.problem.code).toBe('invalid_input');
});

test('MSG-13 MSG-16 MSG-37 the recipient marks as read what was seen, the sender learns how far, and nothing else changes', async () => {
  const { coach, participant } = await buildPair(server.db);
  const [first, second] = [await send(coach, participant, 'First'), await send(coach, participant, 'Second')];
  const asCoach = await server.as(coach);
  const asParticipant = await server.as(participant);
  expect(first).toMatchObject({ isRead: false, readAt: null });
  expect(await read(asCoach, participant)).toMatchObject({ readUpToId: null });

  const mark = (client: Client, person: BuiltPerson, upToId: string) =>
    client.call(markConversationRead, { params: { id: person.id }, body: { upToId } });
  expect(await mark(asCoach, participant, second.id)).toEqual({ readCount: 0 });
  expect(await mark(asParticipant, coach, first.id)).toEqual({ readCount: 1 });
  expect(await read(asCoach, participant)).toMatchObject({
    readUpToId: first.id,
    messages: [
      { text: 'First', isRead: true, readAt: expect.any(String) },
      { text: 'Second', isRead: false, readAt: null },
    ],
  });
  expect(await mark(asParticipant, coach, second.id)).toEqual({ readCount: 1 });
  expect(await read(asCoach, participant)).toMatchObject({ readUpToId: second.id });

  const stored = await server.db
    .selectFrom('coachMessages')
    .selectAll()
    .where('senderId', '=', coach.id)
    .orderBy('sentAt')
    .execute();
  expect(stored.map(({ message, sentAt }) => [message, sentAt.toISOString()])).toEqual([
    ['First', first.sentAt],
    ['Second', second.sentAt],
  ]);
  const writing = server.app.endpoints.filter(({ path, method }) => /conversation/.test(path) && method !== 'GET');
  expect(writing.map(({ name }) => name).toSorted()).toEqual([
    'markConversationRead',
    'openConversation',
    'sendMessage',
  ]);
});

test('MSG-35 the sender is the person who is signed in, and a message goes to an own contact only', async () => {
  const { coach, participant } = await buildPair(server.db);
  const stranger = await buildPair(server.db);
  const body = { clientKey: randomUUID(), text: 'Hello', fileId: null, senderId: stranger.coach.id };
  const sent = await (await server.as(participant)).call(sendMessage, { params: { id: coach.id }, body });
  expect(sent).toMatchObject({ senderId: participant.id, recipientId: coach.id });
  const refused = await (await server.as(participant)).refused(sendMessage, {
    params: { id: stranger.coach.id },
    body: { ...body, clientKey: randomUUID() },
  });
  expect(refused).toMatchObject({ status: 403, problem: { detail: 'You can only write to your own coach.' } });
});

test('the same key sends once and answers the same, ten times at once too; for another person it is refused', async () => {
  const { coach, participant } = await buildPair(server.db);
  const other = await buildParticipant(server.db);
  await assignCoach(server.db, { participantId: other.id, coachId: coach.id });
  const client = await server.as(coach);
  const body = { clientKey: randomUUID(), text: 'Once', fileId: null };
  const input = { params: { id: participant.id }, body };
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.call(sendMessage, input)));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  await server.db.updateTable('userCourses').set({ coachId: null }).where('userId', '=', participant.id).execute();
  expect(await client.call(sendMessage, input)).toEqual(answers[0]);
  expect(wordsIn(await read(client, participant))).toEqual(['Once']);

  const elsewhere = await client.refused(sendMessage, { params: { id: other.id }, body });
  expect(elsewhere.problem.code).toBe('conflict');
  const sender = await read(client, participant);
  const recipient = await read(await server.as(participant), coach);
  expect([sender, recipient].map(({ messages }) => messages[0]?.clientKey)).toEqual([body.clientKey, null]);
});

test('a person who was a contact can be read about, and not written to', async () => {
  const { coach, participant } = await buildPair(server.db);
  await send(coach, participant, 'Good bye');
  await server.db.updateTable('userCourses').set({ coachId: null }).where('userId', '=', participant.id).execute();
  const thread = await read(await server.as(participant), coach);
  expect(thread).toMatchObject({ can: { send: false }, messages: [{ text: 'Good bye' }] });
});

test('MSG-36 nobody but the two reads a thread, an admin only what was opened, each by every endpoint', async () => {
  const { coach, participant } = await buildPair(server.db);
  const content = '%PDF-1.7 the wiring plan';
  const fileId = await uploadFile(await server.as(coach), { area: 'messages', name: 'plan.pdf' }, content);
  const { id } = await send(coach, participant, 'See the plan', fileId);
  const admin = await buildAdmin(server.db);
  const other = await buildPair(server.db);
  const secondCoach = await buildCoach(server.db);
  await assignCoach(server.db, { participantId: participant.id, coachId: secondCoach.id });

  const fileStatus = async (person: BuiltPerson) =>
    (await (await server.as(person)).fetch(downloadFile.path.replace(':id', fileId))).status;
  for (const person of [other.coach, other.participant]) {
    const client = await server.as(person);
    for (const partner of [coach, participant]) {
      for (const query of [{}, { before: id }, { after: id }]) {
        expect((await client.refused(readConversation, { params: { id: partner.id }, query })).status).toBe(404);
      }
      const mark = { params: { id: partner.id }, body: { upToId: id } };
      expect((await client.refused(markConversationRead, mark)).status).toBe(404);
      expect((await client.refused(listConversations, { params: { id: partner.id }, query: {} })).status).toBe(403);
    }
    const pair = { coachId: coach.id, participantId: participant.id, reason: null };
    expect((await client.refused(openConversation, { body: pair })).status).toBe(403);
    expect(await fileStatus(person)).toBe(404);
  }
  const asSecondCoach = await server.as(secondCoach);
  expect((await asSecondCoach.call(readConversation, { params: { id: participant.id }, query: {} })).messages).toEqual(
    [],
  );
  expect((await asSecondCoach.refused(readConversation, { params: { id: coach.id }, query: {} })).status).toBe(404);
  expect(await Promise.all([coach, participant, secondCoach, admin].map(fileStatus))).toEqual([200, 200, 404, 404]);

  const asAdmin = await server.as(admin);
  expect((await asAdmin.refused(readConversation, { params: { id: coach.id }, query: {} })).status).toBe(403);
  const opening = await asAdmin.call(openConversation, {
    body: { coachId: coach.id, participantId: participant.id, reason: null },
  });
  expect(wordsIn(await asAdmin.call(readOpenedConversation, { params: opening, query: {} }))).toEqual(['See the plan']);
  expect(await fileStatus(admin)).toBe(200);
  const colleague = await buildAdmin(server.db);
  expect(
    (await (await server.as(colleague)).refused(readOpenedConversation, { params: opening, query: {} })).status,
  ).toBe(404);
  expect(await fileStatus(colleague)).toBe(404);
  const asParticipant = await server.as(participant);
  expect((await asParticipant.refused(readOpenedConversation, { params: opening, query: {} })).status).toBe(403);
});

test('MSG-18 MSG-29 an attachment goes along with its name, and its recipient downloads it', async () => {
  const { coach, participant } = await buildPair(server.db);
  const content = '%PDF-1.7 the wiring plan';
  const fileId = await uploadFile(await server.as(coach), { area: 'messages', name: 'Wiring plan.pdf' }, content);
  const sent = await send(coach, participant, '', fileId);
  const file = { id: fileId, name: 'Wiring plan.pdf', size: content.length };
  expect(sent).toMatchObject({ text: '', file });
  const recipient = await server.as(participant);
  expect(await read(recipient, coach)).toMatchObject({ messages: [{ text: '', file }] });
  const answer = await recipient.fetch(downloadFile.path.replace(':id', fileId));
  expect(answer.headers.get('content-disposition')).toContain('Wiring plan.pdf');
  expect(await answer.text()).toBe(content);
});

test('MSG-19 pdf, doc, docx, txt and images of every kind are sent along; other types, and what only bears such a name, are refused', async () => {
  const { coach, participant } = await buildPair(server.db);
  const client = await server.as(coach);
  const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
  const taken: [name: string, content: Uint8Array | string][] = [
    ['plan.pdf', '%PDF-1.7 plan'],
    ['letter.doc', Buffer.from('d0cf11e0a1b11ae1'.padEnd(1024, '0'), 'hex')],
    ['letter.docx', docx()],
    ['notes.txt', 'Notes'],
    ['photo.jpg', jpeg],
    ['photo.jpeg', jpeg],
    ['photo.png', png],
    ['photo.gif', 'GIF89a'.padEnd(64, '\0')],
    ['photo.bmp', 'BM'.padEnd(64, '\0')],
    ['photo.webp', 'RIFF \0\0\0WEBPVP8 '.padEnd(64, '\0')],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"></svg>'],
  ];
  for (const [name, content] of taken) {
    const fileId = await uploadFile(client, { area: 'messages', name }, content);
    expect(await send(coach, participant, '', fileId), name).toMatchObject({ file: { id: fileId, name } });
  }
  const refused = ['program.exe', 'movie.mp4', 'page.html', 'table.xlsx', 'all.zip', 'noname'];
  for (const name of refused) {
    await expect(uploadFile(client, { area: 'messages', name }, 'MZ'), name).rejects.toThrow('415');
  }
  await expect(uploadFile(client, { area: 'messages', name: 'program.pdf' }, 'MZ program')).rejects.toThrow('415');
});

test('markup in a message is stored and sent as the characters that it is', async () => {
  const { coach, participant } = await buildPair(server.db);
  const text = '<img src=x onerror=alert(1)> **bold** & "quotes"\nnext line';
  await send(coach, participant, text);
  expect(wordsIn(await read(await server.as(participant), coach))).toEqual([text]);
});
