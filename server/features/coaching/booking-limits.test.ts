import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { bookSession, moveSession, readBooking, withdrawSession } from '#contract/booking.ts';
import { listNotices, markNoticeRead } from '#contract/notices.ts';
import { cancelSessionsOfPerson } from '#server/features/coaching/person-sessions.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import { buildAvailability, buildCoachingSession } from '#test/factories/coaching.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

let server: TestApp;
let restoreClock: () => void;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
/** It is Monday noon in US Eastern. */
beforeEach(() => {
  restoreClock = stopClockAt('2026-02-02T17:00:00Z');
});
afterEach(() => restoreClock());

const onWednesday = (half: number) => new Date(Date.UTC(2026, 1, 4, 15, 30 * half)).toISOString();

/** The coach has times on Monday from 1 to 4 PM and on Wednesday from 10 AM to 4 PM. */
async function pair(open: TestApp = server) {
  const coach = await buildCoach(server.db);
  const participant = await buildParticipant(server.db, { firstName: 'Ana', lastName: 'Alvarez' });
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  const times = { coachId: coach.id, weekStartDate: '2026-02-01' };
  await buildAvailability(server.db, { ...times, dayOfWeek: 1, startTime: '13:00', endTime: '16:00' });
  await buildAvailability(server.db, { ...times, dayOfWeek: 3, startTime: '10:00', endTime: '16:00' });
  return { coach, participant, client: await open.as(participant) };
}

const bodyFor = (coach: { id: string }, startsAt: string, id: string = randomUUID()) => ({
  body: { coachId: coach.id, startsAt, agenda: null, id },
});
const readOwn = (client: Client) => client.call(readBooking, { query: {} });
const tooMany = 'You have 4 sessions booked. Wait until one is over, or cancel one.';

test('a participant has four sessions to come; what is held or cancelled makes room, and a move needs none', async () => {
  const { coach, participant, client } = await pair();
  const both = { coachId: coach.id, participantId: participant.id };
  await buildCoachingSession(server.db, { ...both, scheduledAt: '2026-02-02T16:30:00Z' });
  const ids: string[] = [];
  for (const half of [0, 1, 2, 3]) {
    expect((await readOwn(client)).can.book).toBe(true);
    ids.push((await client.call(bookSession, bodyFor(coach, onWednesday(half)))).id);
  }
  expect(await readOwn(client)).toMatchObject({ can: { book: false }, mostOpenSessions: 4 });
  const refused = await client.refused(bookSession, bodyFor(coach, onWednesday(4)));
  expect(refused).toMatchObject({ status: 409, problem: { code: 'conflict', detail: tooMany } });
  const [first = '', second = ''] = ids;
  expect(await client.call(bookSession, bodyFor(coach, onWednesday(0), first))).toEqual({ id: first });
  await client.call(moveSession, { params: { id: first }, body: { startsAt: onWednesday(5) } });
  await client.call(withdrawSession, { params: { id: second } });
  expect((await readOwn(client)).can.book).toBe(true);
  await client.call(bookSession, bodyFor(coach, onWednesday(4)));
});

test('of ten bookings at once no more than the limit are made; the limit is a setting', async () => {
  const strict = await openTestApp(server.connectionString, { BOOKINGS_OPEN: '2' });
  const { coach, client } = await pair(strict);
  const answers = await Promise.allSettled(
    Array.from({ length: 10 }, (_, half) => client.call(bookSession, bodyFor(coach, onWednesday(half)))),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect((await readOwn(client)).sessions).toHaveLength(2);
  await strict.close();
});

test('half hours that begin within two hours are neither offered nor booked nor moved to; the notice is a setting', async () => {
  const { coach, client } = await pair();
  const [sooner, atNotice] = ['2026-02-02T18:30:00.000Z', '2026-02-02T19:00:00.000Z'];
  expect((await readOwn(client)).slots[0]).toBe(atNotice);
  const refusedSoon = await client.refused(bookSession, bodyFor(coach, sooner));
  expect(refusedSoon.problem.code).toBe('slot_taken');
  const { id } = await client.call(bookSession, bodyFor(coach, atNotice));
  const move = { params: { id }, body: { startsAt: sooner } };
  expect((await client.refused(moveSession, move)).problem.code).toBe('slot_taken');

  const lenient = await openTestApp(server.connectionString, { BOOKING_NOTICE_HOURS: '0' });
  const other = await pair(lenient);
  expect((await readOwn(other.client)).slots[0]).toBe('2026-02-02T18:00:00.000Z');
  await other.client.call(bookSession, bodyFor(other.coach, sooner));
  await lenient.close();
});

test('booking, cancelling and booking again is one unread line of the coach, of each participant; what was read stays', async () => {
  const { coach, client } = await pair();
  const byCoach = await server.as(coach);
  const lines = async () => (await byCoach.call(listNotices, { query: {} })).rows;
  const bookAndCancel = async () => {
    const { id } = await client.call(bookSession, bodyFor(coach, onWednesday(0)));
    await client.call(withdrawSession, { params: { id } });
  };
  for (let round = 0; round < 3; round += 1) await bookAndCancel();
  const { id } = await client.call(bookSession, bodyFor(coach, onWednesday(0)));
  const [line, ...others] = await lines();
  expect(others).toEqual([]);
  expect(line).toMatchObject({
    message: 'Ana Alvarez booked a session on Wed 4 Feb, 10:00 AM ET.',
    earlierCount: 6,
    isRead: false,
  });
  const unread = async () => (await byCoach.call(readSession)).unreadNotices;
  expect(await unread()).toBe(1);

  const second = await buildParticipant(server.db);
  await assignCoach(server.db, { participantId: second.id, coachId: coach.id });
  await (await server.as(second)).call(bookSession, bodyFor(coach, onWednesday(1)));
  expect(await lines()).toHaveLength(2);

  await byCoach.call(markNoticeRead, { params: { id: line?.id ?? '' } });
  await client.call(withdrawSession, { params: { id } });
  const after = await lines();
  expect(after.map(({ isRead, earlierCount }) => [isRead, earlierCount])).toEqual([
    [false, 0],
    [false, 0],
    [true, 6],
  ]);
  expect(await unread()).toBe(2);
  await decideDueNotices(server.app);
  expect(await lines()).toHaveLength(3);
});

test('sessions that end with a role or an account are one unread line of the coach too, of each participant', async () => {
  const { coach, participant, client } = await pair();
  const second = await buildParticipant(server.db);
  for (const half of [0, 1, 2]) await client.call(bookSession, bodyFor(coach, onWednesday(half)));
  await buildCoachingSession(server.db, {
    coachId: coach.id,
    participantId: second.id,
    scheduledAt: onWednesday(3),
  });
  const byCoach = await server.as(coach);
  const lines = async () => (await byCoach.call(listNotices, { query: {} })).rows;
  const [line] = await lines();
  expect(line?.earlierCount).toBe(2);
  await cancelSessionsOfPerson(server.db, null, participant.id, 'The account was closed');
  expect(await lines()).toMatchObject([
    {
      message: 'The session on Wed 4 Feb, 11:00 AM ET is cancelled. Reason: The account was closed',
      earlierCount: 5,
      isRead: false,
    },
  ]);
  expect((await byCoach.call(readSession)).unreadNotices).toBe(1);
  await cancelSessionsOfPerson(server.db, null, coach.id, 'The role of one of you has changed');
  expect(await lines()).toHaveLength(2);
  await decideDueNotices(server.app);
  expect(await lines()).toHaveLength(2);
});
