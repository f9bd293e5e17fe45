import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookSession, moveSession, readBooking, withdrawSession } from '#contract/booking.ts';
import { buildAvailability, buildCoachingSession } from '#test/factories/coaching.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { toldBy } from '#test/support/live-news.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let restoreClock: () => void;

beforeAll(async () => {
  server = await startTestApp({ BOOKINGS_OPEN: '20' });
});
afterAll(() => server.close());
/** It is Monday noon in US Eastern, in the week that starts on Sunday, 1 February. */
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

test('COACH-50 a participant books free half hours with two coaches at once, and only what is taken is refused', async () => {
  const { coach, participant, client } = await pairWithTimes('10:00', '12:00');
  const second = await buildCoach(server.db);
  await assignCoach(server.db, { participantId: participant.id, coachId: second.id });
  const times = { coachId: second.id, weekStartDate: week, dayOfWeek: thursday };
  await buildAvailability(server.db, { ...times, startTime: '10:00', endTime: '12:00' });
  const offered = ['T15:00', 'T15:30', 'T16:00', 'T16:30'];
  const wanted = [
    ...offered.map((time) => ({ coach, startsAt: `2026-02-04${time}:00.000Z` })),
    ...offered.map((time) => ({ coach: second, startsAt: `2026-02-05${time}:00.000Z` })),
  ];
  await Promise.all(wanted.map((one) => book(client, one.coach, one.startsAt)));
  expect((await client.call(readBooking, { query: {} })).sessions).toHaveLength(8);
  const refused = await client.refused(bookSession, {
    body: { coachId: coach.id, startsAt: '2026-02-04T17:00:00Z', agenda: null },
  });
  expect(refused).toMatchObject({
    status: 409,
    problem: { code: 'slot_taken', detail: 'This time slot is no longer available' },
  });
});

test('booking, moving and cancelling leave room for the statement that renews the session of the person who asks', async () => {
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

test('a participant cancels an own session before it begins; the half hour is free, the coach is told, and it is on record', async () => {
  const { coach, participant, client } = await pairWithTimes('10:00', '11:30');
  const { id } = await book(client, coach, tenOnWednesday);
  await client.call(withdrawSession, { params: { id } });
  expect((await client.call(readBooking, { query: {} })).slots).toContain(tenOnWednesday);
  const stored = await server.db.selectFrom('coachingSessions').selectAll().where('id', '=', id).executeTakeFirst();
  expect(stored).toMatchObject({ status: 'cancelled', cancelReason: 'Cancelled by participant' });
  const told = await server.db
    .selectFrom('notices')
    .innerJoin('noticeEvents', 'noticeEvents.id', 'notices.eventId')
    .select(['title', 'category', 'link'])
    .where('notices.userId', '=', coach.id)
    .orderBy('title')
    .execute();
  const place = { category: 'coach_messages', link: '/coach?tab=sessions' };
  expect(told).toEqual([
    { title: 'A coaching session was booked', ...place },
    { title: 'A coaching session was cancelled', ...place },
  ]);
  const written = server.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'subjectType', 'before', 'after', 'reason']);
  expect(await written.where('subjectId', '=', id).execute()).toEqual([
    {
      action: 'session.cancel',
      actorId: participant.id,
      subjectType: 'coaching_session',
      before: { status: 'scheduled' },
      after: { status: 'cancelled' },
      reason: 'Cancelled by participant',
    },
  ]);
});

test('a person who asks once more with the id of the session has that one, told once; with an id of another session there is none', async () => {
  const { coach, client } = await pairWithTimes('10:00', '11:30');
  const body = { id: randomUUID(), coachId: coach.id, startsAt: tenOnWednesday, agenda: null };
  const both = await Promise.all([client.call(bookSession, { body }), client.call(bookSession, { body })]);
  expect(both).toEqual([{ id: body.id }, { id: body.id }]);
  const notices = await server.db.selectFrom('notices').select('title').where('userId', '=', coach.id).execute();
  expect(notices).toHaveLength(1);
  for (const startsAt of [halfPastTen, tenOnWednesday]) {
    const { client: stranger, coach: another } = await pairWithTimes('10:00', '11:30');
    const taken = { ...body, coachId: another.id, startsAt };
    const refused = await stranger.refused(bookSession, { body: taken });
    expect(refused).toMatchObject({ status: 409, problem: { code: 'conflict' } });
    expect(await scheduledOf(another)).toEqual([]);
  }
  const later = { ...body, startsAt: halfPastTen };
  expect((await client.refused(bookSession, { body: later })).status).toBe(409);
  await client.call(withdrawSession, { params: { id: body.id } });
  expect((await client.refused(bookSession, { body })).status).toBe(409);
  expect(await scheduledOf(coach)).toEqual([]);
});

function scheduledOf(coach: { id: string }) {
  const sessions = server.db.selectFrom('coachingSessions').select('id');
  return sessions.where('coachId', '=', coach.id).where('status', '=', 'scheduled').execute();
}

test('the free half hours are read in as few statements, however many there are', async () => {
  const { client } = await pairWithTimes('00:00', '24:00');
  expect((await client.call(readBooking, { query: {} })).slots).toHaveLength(48);
  expect(await countStatements(server.app.pool, () => client.call(readBooking, { query: {} }))).toBe(4);
});

test('a cancellation whose answer was lost is asked for again and is done once; what the coach cancelled is refused', async () => {
  const { coach, client } = await pairWithTimes('10:00', '12:00');
  const { id } = await book(client, coach, tenOnWednesday);
  const cancel = { params: { id } };
  const news = () => server.db.selectFrom('noticeEvents').select('id').where('subjectId', '=', id).execute();
  await client.call(withdrawSession, cancel);
  const told = await news();
  restoreClock();
  restoreClock = stopClockAt('2026-02-05T17:00:00Z');
  await client.call(withdrawSession, cancel);
  expect(await news()).toEqual(told);
  await server.db
    .updateTable('coachingSessions')
    .set({ cancelReason: 'Cancelled by coach' })
    .where('id', '=', id)
    .execute();
  expect(await client.refused(withdrawSession, cancel)).toMatchObject({ status: 409, problem: { code: 'conflict' } });
});

test('moving a session to the time that it has changes nothing and tells nobody, even if the coach takes no sessions then any more', async () => {
  const { coach, client } = await pairWithTimes('10:00', '12:00');
  const { id } = await book(client, coach, tenOnWednesday);
  await server.db.deleteFrom('coachAvailability').where('coachId', '=', coach.id).execute();
  const move = { params: { id }, body: { startsAt: tenOnWednesday } };
  const news = await toldBy(server, () => client.call(moveSession, move));
  expect(news(coach)).toEqual([]);
  const stored = server.db.selectFrom('coachingSessions').select(['scheduledAt', 'calendarSequence']);
  expect(await stored.where('id', '=', id).execute()).toEqual([
    { scheduledAt: new Date(tenOnWednesday), calendarSequence: 0 },
  ]);
  const events = server.db.selectFrom('noticeEvents').select('kind').where('subjectId', '=', id);
  const told = (await events.execute()).length;
  expect((await client.refused(moveSession, { ...move, body: { startsAt: halfPastTen } })).status).toBe(409);
  expect(await events.execute()).toHaveLength(told);
});

test('from the instant at which it begins a session is neither moved nor cancelled; it is shown until it is over', async () => {
  const { coach, client } = await pairWithTimes('10:00', '12:00');
  const { id } = await book(client, coach, tenOnWednesday);
  const at = (instant: string) => {
    restoreClock();
    restoreClock = stopClockAt(instant);
  };
  const sessions = async () => (await client.call(readBooking, { query: {} })).sessions;
  at('2026-02-04T14:59:59.999Z');
  expect(await sessions()).toMatchObject([{ id, can: { move: true, cancel: true } }]);
  const refusal = {
    status: 409,
    problem: { code: 'conflict', detail: 'You can only change a scheduled session that has not started.' },
  };
  for (const instant of [tenOnWednesday, '2026-02-04T15:29:59.999Z']) {
    at(instant);
    expect(await sessions()).toMatchObject([{ id, can: { move: false, cancel: false } }]);
    const move = { params: { id }, body: { startsAt: '2026-02-04T16:30:00.000Z' } };
    expect(await client.refused(moveSession, move)).toMatchObject(refusal);
    expect(await client.refused(withdrawSession, { params: { id } })).toMatchObject(refusal);
  }
  at(halfPastTen);
  expect(await sessions()).toEqual([]);
});

test('a session that the coach completed before its time is not the participant’s to move or cancel', async () => {
  const { coach, participant, client } = await pairWithTimes('10:00', '12:00');
  const both = { coachId: coach.id, participantId: participant.id };
  for (const status of ['completed', 'no_show', 'cancelled']) {
    const { id } = await buildCoachingSession(server.db, { ...both, scheduledAt: tenOnWednesday, status });
    const move = { params: { id }, body: { startsAt: halfPastTen } };
    expect(await client.refused(moveSession, move)).toMatchObject({ status: 409, problem: { code: 'conflict' } });
    expect((await client.refused(withdrawSession, { params: { id } })).status).toBe(409);
    const stored = server.db.selectFrom('coachingSessions').select(['status', 'scheduledAt']).where('id', '=', id);
    expect(await stored.execute()).toEqual([{ status, scheduledAt: new Date(tenOnWednesday) }]);
  }
});

test('a person who asks for somebody else’s coach sees the own coaches and no half hours', async () => {
  const { coach, client } = await pairWithTimes('10:00', '12:00');
  const { coach: foreign } = await pairWithTimes('10:00', '12:00');
  const booking = await client.call(readBooking, { query: { coachId: foreign.id } });
  expect(booking).toMatchObject({ coachId: null, slots: [], can: { book: false } });
  expect(booking.coaches.map(({ id }) => id)).toEqual([coach.id]);
});

test('who books, moves or cancels a session reads so in their own words, and the coach reads who did', async () => {
  const { coach, participant, client } = await pairWithTimes('10:00', '12:00');
  const linesOf = (person: { id: string }) =>
    server.db
      .selectFrom('notices')
      .select(['title', 'message'])
      .where('userId', '=', person.id)
      .orderBy('title')
      .execute();
  const { id } = await book(client, coach, tenOnWednesday);
  await client.call(moveSession, { params: { id }, body: { startsAt: halfPastTen } });
  await client.call(withdrawSession, { params: { id } });
  const [ten, half] = ['Wed 4 Feb, 10:00 AM ET', 'Wed 4 Feb, 10:30 AM ET'];
  expect(await linesOf(participant)).toEqual([
    { title: 'Your coaching session is booked', message: `You booked a session with Casey Cole on ${ten}.` },
    { title: 'Your coaching session is cancelled', message: `You cancelled the session with Casey Cole on ${half}.` },
    {
      title: 'Your coaching session is moved',
      message: `You moved the session with Casey Cole from ${ten} to ${half}.`,
    },
  ]);
  const name = await nameOf(participant);
  expect(await linesOf(coach)).toEqual([
    { title: 'A coaching session was booked', message: `${name} booked a session on ${ten}.` },
    { title: 'A coaching session was cancelled', message: `${name} cancelled the session on ${half}.` },
    { title: 'A coaching session was moved', message: `${name} moved the session from ${ten} to ${half}.` },
  ]);
});

async function nameOf({ id }: { id: string }): Promise<string | null> {
  const person = server.db.selectFrom('profiles').select('fullName').where('id', '=', id);
  return (await person.executeTakeFirstOrThrow()).fullName;
}

test('a session of somebody else cannot be found, moved or cancelled', async () => {
  const { coach, client } = await pairWithTimes('10:00', '12:00');
  const { client: stranger } = await pairWithTimes('10:00', '12:00');
  const { id } = await book(client, coach, tenOnWednesday);
  const missing = { status: 404, problem: { detail: 'We cannot find this session among yours.' } };
  const move = { params: { id }, body: { startsAt: halfPastTen } };
  expect(await stranger.refused(moveSession, move)).toMatchObject(missing);
  expect(await stranger.refused(withdrawSession, { params: { id } })).toMatchObject(missing);
  expect(await scheduledOf(coach)).toEqual([{ id }]);
});
