import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookSession, moveSession, readBooking, withdrawSession } from '#contract/booking.ts';
import { buildAvailability, buildCoachingSession } from '#test/factories/coaching.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let restoreClock: () => void;

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
/** Monday noon in US Eastern, in the week that starts on Sunday, 1 February. */
beforeEach(() => {
  restoreClock = stopClockAt('2026-02-02T17:00:00Z');
});
afterEach(() => restoreClock());

const week = '2026-02-01';
const [wednesday, thursday] = [3, 4];
const tenOnWednesday = '2026-02-04T15:00:00.000Z';
const halfPastTen = '2026-02-04T15:30:00.000Z';

async function pairWithTimes(startTime: string, endTime: string) {
  const coach = await buildCoach(server.db);
  const participant = await buildParticipant(server.db);
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  await buildAvailability(server.db, {
    coachId: coach.id,
    weekStartDate: week,
    dayOfWeek: wednesday,
    startTime,
    endTime,
  });
  return { coach, participant, client: await server.as(participant) };
}

const book = (client: Client, coach: { id: string }, startsAt: string) =>
  client.call(bookSession, { body: { coachId: coach.id, startsAt, agenda: null } });

const refusedToBook = (client: Client, coach: { id: string }, startsAt: string) =>
  client.refused(bookSession, { body: { coachId: coach.id, startsAt, agenda: null } });

function scheduledWith(coach: { id: string }) {
  return server.db
    .selectFrom('coachingSessions')
    .select('id')
    .where('coachId', '=', coach.id)
    .where('status', '=', 'scheduled')
    .execute();
}

test('of four half hours that a participant asks two coaches for at once three are booked, and the fourth is refused in words', async () => {
  const { coach, participant, client } = await pairWithTimes('10:00', '12:00');
  const second = await buildCoach(server.db);
  await assignCoach(server.db, { participantId: participant.id, coachId: second.id });
  const times = { coachId: second.id, weekStartDate: week, dayOfWeek: thursday };
  await buildAvailability(server.db, { ...times, startTime: '10:00', endTime: '12:00' });
  const wanted = [
    { coach, startsAt: tenOnWednesday },
    { coach, startsAt: halfPastTen },
    { coach: second, startsAt: '2026-02-05T15:00:00.000Z' },
    { coach: second, startsAt: '2026-02-05T15:30:00.000Z' },
  ];
  const answers = await Promise.allSettled(wanted.map((one) => book(client, one.coach, one.startsAt)));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const { sessions, can } = await client.call(readBooking, { query: {} });
  expect([sessions.length, can.book]).toEqual([3, false]);
  expect(await refusedToBook(client, coach, '2026-02-04T16:30:00Z')).toMatchObject({
    status: 409,
    problem: {
      code: 'conflict',
      detail:
        'You have 3 sessions to come, which is as many as can be booked at once. Cancel one, or book again when one is over.',
    },
  });
});

test('at the limit a booking repeated is still the same session, one can be moved, and a cancelled one makes room', async () => {
  const { coach, client } = await pairWithTimes('10:00', '13:00');
  const { id } = await book(client, coach, tenOnWednesday);
  await book(client, coach, halfPastTen);
  await book(client, coach, '2026-02-04T16:00:00Z');
  expect(await book(client, coach, tenOnWednesday)).toEqual({ id });
  await client.call(moveSession, { params: { id }, body: { startsAt: '2026-02-04T16:30:00Z' } });
  await client.call(withdrawSession, { params: { id } });
  expect((await client.call(readBooking, { query: {} })).can.book).toBe(true);
  await book(client, coach, '2026-02-04T17:00:00Z');
  expect(await scheduledWith(coach)).toHaveLength(3);
});

test('what is over, running or cancelled does not count towards the limit', async () => {
  const { coach, participant, client } = await pairWithTimes('10:00', '11:30');
  const facts = { coachId: coach.id, participantId: participant.id };
  await buildCoachingSession(server.db, { ...facts, scheduledAt: '2026-02-02T16:50:00Z' });
  await buildCoachingSession(server.db, { ...facts, scheduledAt: '2026-01-30T15:00:00Z' });
  await buildCoachingSession(server.db, { ...facts, scheduledAt: '2026-02-05T15:00:00Z', status: 'cancelled' });
  for (const startsAt of [tenOnWednesday, halfPastTen, '2026-02-04T16:00:00Z']) await book(client, coach, startsAt);
  expect((await client.call(readBooking, { query: {} })).can.book).toBe(false);
});

test('booking, moving and cancelling leave room for the statement that renews the session of whoever asks', async () => {
  const { coach, client } = await pairWithTimes('10:00', '12:00');
  let id = '';
  const acts = [
    async () => {
      ({ id } = await book(client, coach, tenOnWednesday));
    },
    () => client.call(moveSession, { params: { id }, body: { startsAt: halfPastTen } }),
    () => client.call(withdrawSession, { params: { id } }),
  ];
  const beginAndCommit = 2;
  for (const act of acts) expect(await countStatements(server.app.pool, act)).toBeLessThanOrEqual(9 + beginAndCommit);
});
