import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { markConversationRead, openConversation, readConversation, sendMessage } from '#contract/messages.ts';
import { listNotices } from '#contract/notices.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import { buildPair } from '#test/factories/messages.ts';
import { buildNotice } from '#test/factories/notices.ts';
import { type BuiltPerson, buildAdmin } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { toldBy } from '#test/support/live-news.ts';
import { openStream } from '#test/support/live-stream.ts';
import { mailsTo } from '#test/support/sign-in.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

async function send(from: BuiltPerson, to: BuiltPerson, text: string) {
  const body = { clientKey: randomUUID(), text, fileId: null };
  return (await server.as(from)).call(sendMessage, { params: { id: to.id }, body });
}

test('MSG-28 a message raises the notice New Message for its recipient alone, in every open browser', async () => {
  const { coach, participant } = await buildPair(server.db, { coach: { firstName: 'Casey', lastName: 'Cole' } });
  const other = await buildPair(server.db);
  const streams = await Promise.all(
    [participant, participant, coach, other.participant].map((person) => openStream(server, person)),
  );
  await send(coach, participant, 'Bring your gloves.');
  await send(other.coach, other.participant, 'Last');
  await vi.waitFor(() => expect(streams[3]?.text()).toContain('Last'));
  const noticesOf = (index: number) => streams[index]?.events().filter(({ event }) => event === 'notice') ?? [];
  const notice = { type: 'info', title: 'New Message', message: 'Casey Cole: Bring your gloves.' };
  for (const index of [0, 1]) expect(noticesOf(index)).toEqual([{ event: 'notice', data: notice }]);
  expect(noticesOf(2)).toEqual([]);
  expect(noticesOf(3)).toHaveLength(1);
  for (const stream of streams) stream.close();
});

test('a person who reads a conversation has read its notice behind the bell too, in every open browser; another one stays', async () => {
  const { coach, participant } = await buildPair(server.db);
  const other = await buildNotice(server.db, { userId: participant.id });
  const first = await send(coach, participant, 'First');
  const second = await send(coach, participant, 'Second');
  const asParticipant = await server.as(participant);
  const unread = async () => {
    const { rows } = await asParticipant.call(listNotices, { query: {} });
    return rows.flatMap(({ title, isRead }) => (isRead ? [] : [title]));
  };
  expect(await unread()).toEqual(['New Message', other.title]);
  expect((await asParticipant.call(readSession)).unreadNotices).toBe(2);
  const read = (upToId: string) =>
    asParticipant.call(markConversationRead, { params: { id: coach.id }, body: { upToId } });
  const ofReading = await toldBy(server, () => read(first.id));
  expect(ofReading(participant)).toEqual(['messages', 'notices']);
  expect(await unread()).toEqual([other.title]);
  expect((await asParticipant.call(readSession)).unreadNotices).toBe(1);
  await read(second.id);
  expect(await unread()).toEqual([other.title]);
});

test('open screens of both follow a message, a read mark and an opening; an admin who reads along follows too', async () => {
  const { coach, participant } = await buildPair(server.db);
  const admin = await buildAdmin(server.db);
  await send(coach, participant, 'First');
  const asAdmin = await server.as(admin);
  const body = { coachId: coach.id, participantId: participant.id, reason: null };
  const ofOpening = await toldBy(server, () => asAdmin.call(openConversation, { body }));
  expect([coach, participant].map(ofOpening)).toEqual([['messages'], ['messages']]);

  let sent = { id: '' };
  const ofMessage = await toldBy(server, async () => {
    sent = await send(coach, participant, 'Second');
  });
  expect(ofMessage(participant)).toEqual(['messages']);
  expect(ofMessage(coach)).toEqual(['messages']);
  expect(ofMessage(admin)).toContain('messages');

  const asParticipant = await server.as(participant);
  const ofReading = await toldBy(server, () =>
    asParticipant.call(markConversationRead, { params: { id: coach.id }, body: { upToId: sent.id } }),
  );
  expect(ofReading(participant)).toEqual(['messages', 'notices']);
  expect(ofReading(coach)).toEqual(['messages']);
});

test('a burst of messages is one mail and one notice; what comes later is another one, whether the others were read or not', async () => {
  const { coach, participant } = await buildPair(server.db);
  for (const text of ['One', 'Two', 'Three']) await send(coach, participant, text);
  await decideDueNotices(server.app);
  const newest = await send(coach, participant, 'Four');
  const asParticipant = await server.as(participant);
  const seen = { params: { id: coach.id }, body: { upToId: newest.id } };
  await asParticipant.call(markConversationRead, seen);
  await send(coach, participant, 'Five, within ten minutes');
  await decideDueNotices(server.app);
  expect(await mailsTo(server.db, participant.email)).toMatchObject([{ kind: 'message', subject: 'New Message' }]);

  await letTenMinutesPass(participant.id);
  await decideDueNotices(server.app);
  expect(await mailsTo(server.db, participant.email)).toHaveLength(2);

  await letTenMinutesPass(participant.id);
  await send(coach, participant, 'Six, while five is unread');
  await send(coach, participant, 'Seven, in the burst of six');
  await decideDueNotices(server.app);
  expect(await mailsTo(server.db, participant.email)).toHaveLength(3);
  const notices = await server.db
    .selectFrom('notices')
    .select(['title', 'message', 'link'])
    .where('userId', '=', participant.id)
    .orderBy('id')
    .execute();
  const name = `${coach.firstName} ${coach.lastName}`;
  const told = { title: 'New Message', link: `/cohorts?with=${coach.id}` };
  const texts = ['One', 'Five, within ten minutes', 'Six, while five is unread'];
  expect(notices).toEqual(texts.map((text) => ({ ...told, message: `${name}: ${text}` })));
  expect(await mailsTo(server.db, coach.email)).toEqual([]);
});

/** Applies to what the person was told, and to what they are about to be told. */
async function letTenMinutesPass(userId: string): Promise<void> {
  const earlier = sql<Date>`- interval '10 minutes'`;
  await server.db
    .updateTable('notices')
    .set({ createdAt: sql`created_at ${earlier}` })
    .where('userId', '=', userId)
    .execute();
  await server.db
    .updateTable('noticeEvents')
    .set({ dueAt: sql`due_at ${earlier}` })
    .where('userId', '=', userId)
    .execute();
}

test('a person who wants no mail about messages gets none', async () => {
  const { coach, participant } = await buildPair(server.db);
  await server.db
    .insertInto('notificationPreferences')
    .values({ userId: participant.id, coachMessages: false })
    .execute();
  await send(coach, participant, 'Quiet');
  await decideDueNotices(server.app);
  expect(await mailsTo(server.db, participant.email)).toEqual([]);
});

test('a person who read the last message and left is told of the next one once ten minutes are over, if it is unread then', async () => {
  const [stays, leaves] = [await buildPair(server.db), await buildPair(server.db)];
  for (const { coach, participant } of [stays, leaves]) {
    const first = await send(coach, participant, 'First');
    await decideDueNotices(server.app);
    const client = await server.as(participant);
    await client.call(markConversationRead, { params: { id: coach.id }, body: { upToId: first.id } });
    await send(coach, participant, 'Second');
    await decideDueNotices(server.app);
    expect(await mailsTo(server.db, participant.email)).toHaveLength(1);
  }
  const asStaying = await server.as(stays.participant);
  const thread = { params: { id: stays.coach.id }, query: {} };
  const { messages } = await asStaying.call(readConversation, thread);
  await asStaying.call(markConversationRead, { ...thread, body: { upToId: messages.at(-1)?.id ?? '' } });

  const restoreClock = stopClockAt(new Date(Date.now() + 11 * 60 * 1000).toISOString());
  await decideDueNotices(server.app);
  restoreClock();
  expect(await mailsTo(server.db, stays.participant.email)).toHaveLength(1);
  const mails = await mailsTo(server.db, leaves.participant.email);
  expect(mails.map(({ textBody }) => textBody)).toContainEqual(expect.stringContaining('Second'));
  const { rows } = await (await server.as(leaves.participant)).call(listNotices, { query: {} });
  expect(rows.map(({ message, isRead }) => [message.split(': ')[1], isRead])).toEqual([
    ['Second', false],
    ['First', true],
  ]);
});

async function readUpTo(reader: BuiltPerson, sender: BuiltPerson, { id: upToId }: { id: string }) {
  const client = await server.as(reader);
  await client.call(markConversationRead, { params: { id: sender.id }, body: { upToId } });
}

async function unreadNoticesOf(person: BuiltPerson) {
  const { rows } = await (await server.as(person)).call(listNotices, { query: {} });
  return rows.filter(({ isRead }) => !isRead);
}

test('a message that relied on the notice of an earlier one is told of by it, though the earlier one is read by then', async () => {
  const { coach, participant } = await buildPair(server.db);
  const first = await send(coach, participant, 'First');
  await decideDueNotices(server.app);
  await readUpTo(participant, coach, first);
  const second = await send(coach, participant, 'Second, to be told later');
  const third = await send(coach, participant, 'Third, while the second is unread');
  await readUpTo(participant, coach, second);
  await decideDueNotices(server.app);
  expect(await mailsTo(server.db, participant.email)).toHaveLength(1);
  const restoreClock = stopClockAt(new Date(Date.now() + 11 * 60 * 1000).toISOString());
  await decideDueNotices(server.app);
  restoreClock();
  expect(await mailsTo(server.db, participant.email)).toHaveLength(2);
  expect(await unreadNoticesOf(participant)).toHaveLength(1);
  await readUpTo(participant, coach, third);
  expect(await unreadNoticesOf(participant)).toEqual([]);
});

test('a person who has read a thread in part is told of the next message, once', async () => {
  const { coach, participant } = await buildPair(server.db);
  const first = await send(coach, participant, 'First');
  await send(coach, participant, 'Second, while the first is unread');
  await decideDueNotices(server.app);
  await readUpTo(participant, coach, first);
  expect(await unreadNoticesOf(participant)).toEqual([]);
  await send(coach, participant, 'Third, while the second is unread');
  await send(coach, participant, 'Fourth, while the third is unread');
  const restoreClock = stopClockAt(new Date(Date.now() + 11 * 60 * 1000).toISOString());
  await decideDueNotices(server.app);
  restoreClock();
  expect(await mailsTo(server.db, participant.email)).toHaveLength(2);
  expect((await unreadNoticesOf(participant)).map(({ message }) => message)).toEqual([
    expect.stringContaining('Third'),
  ]);
});
