import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookSession, moveSession, readBooking, withdrawSession } from '#contract/booking.ts';
import { addLeave, removeLeave, saveAvailability } from '#contract/booking-setup.ts';
import { readParticipantDashboard } from '#contract/home.ts';
import { addDays } from '#contract/weeks.ts';
import { buildAvailability, buildCoachingSession } from '#test/factories/coaching.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { sizeOf } from '#test/support/depth.ts';
import { toldBy } from '#test/support/live-news.ts';

let server: TestApp;
let restoreClock: () => void;

beforeAll(async () => {
  server = await startTestApp({ BOOKING_NOTICE_HOURS: '0' });
});
afterAll(() => server.close());
/** Monday noon in US Eastern. The week starts on Sunday, 1 February. */
beforeEach(() => {
  restoreClock = stopClockAt('2026-02-02T17:00:00Z');
});
afterEach(() => restoreClock());

const week = '2026-02-01';
const [wednesday, thursday] = [3, 4];
const tenOnWednesday = '2026-02-04T15:00:00.000Z';
const halfPastTen = '2026-02-04T15:30:00.000Z';

async function pair() {
  const coach = await buildCoach(server.db);
  const participant = await buildParticipant(server.db, { firstName: 'Ana', lastName: 'Alvarez' });
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  return { coach, participant, client: await server.as(participant) };
}

async function withTimes(startTime = '10:00', endTime = '11:30', facts: object = {}) {
  const { coach, participant, client } = await pair();
  const times = { coachId: coach.id, weekStartDate: week, dayOfWeek: wednesday, startTime, endTime, ...facts };
  await buildAvailability(server.db, times);
  return { coach, participant, client };
}

const slotsOf = async (client: Client, coachId?: string) =>
  (await client.call(readBooking, { query: { coachId } })).slots;

const book = (client: Client, coach: { id: string }, startsAt = tenOnWednesday, agenda: string | null = null) =>
  client.call(bookSession, { body: { coachId: coach.id, startsAt, agenda } });

const refusedToBook = (client: Client, coach: { id: string }, startsAt: string) =>
  client.refused(bookSession, { body: { coachId: coach.id, startsAt, agenda: null } });

function scheduledWith(coach: { id: string }) {
  return server.db
    .selectFrom('coachingSessions')
    .selectAll()
    .where('coachId', '=', coach.id)
    .where('status', '=', 'scheduled')
    .orderBy('scheduledAt')
    .execute();
}

const slotTaken = { status: 409, problem: { code: 'slot_taken', detail: 'This time slot is no longer available' } };

test('COACH-49 half hours come from the availability of the week, and booking one makes a scheduled session of 30 minutes', async () => {
  const { coach, participant, client } = await withTimes();
  expect(await slotsOf(client)).toEqual([tenOnWednesday, halfPastTen, '2026-02-04T16:00:00.000Z']);
  const { id } = await book(client, coach, tenOnWednesday, '  The lab report ');
  expect(await scheduledWith(coach)).toMatchObject([
    {
      id,
      coachId: coach.id,
      participantId: participant.id,
      scheduledAt: new Date(tenOnWednesday),
      durationMinutes: 30,
      status: 'scheduled',
      agenda: 'The lab report',
    },
  ]);
  const booking = await client.call(readBooking, { query: {} });
  expect(booking.slots).toEqual([halfPastTen, '2026-02-04T16:00:00.000Z']);
  expect(booking.sessions).toMatchObject([{ id, coachName: 'Casey Cole', can: { move: true, cancel: true } }]);
});

test('half hours are those of the coming four weeks, not past, and only where a whole one fits', async () => {
  const { coach, client } = await withTimes('11:30', '13:15', { dayOfWeek: 1 });
  const offer = (weekStartDate: string) =>
    buildAvailability(server.db, {
      coachId: coach.id,
      weekStartDate,
      dayOfWeek: 1,
      startTime: '11:30',
      endTime: '12:30',
    });
  for (const sunday of ['2026-01-25', '2026-03-01', '2026-03-08']) await offer(sunday);
  expect(await slotsOf(client)).toEqual([
    '2026-02-02T17:00:00.000Z',
    '2026-02-02T17:30:00.000Z',
    '2026-03-02T16:30:00.000Z',
  ]);
});

test('leave, times marked as not available and sessions of either side take half hours away', async () => {
  const { coach, participant, client } = await withTimes('10:00', '13:00');
  await withTimesOnThursday(coach);
  await server.db
    .insertInto('coachLeave')
    .values({ coachId: coach.id, startsOn: '2026-02-05', endsOn: '2026-02-05' })
    .execute();
  const closed = { coachId: coach.id, weekStartDate: week, dayOfWeek: wednesday, isAvailable: false };
  await buildAvailability(server.db, { ...closed, startTime: '12:30', endTime: '14:00' });
  const another = await buildParticipant(server.db);
  const elsewhere = await buildCoach(server.db);
  // One session with another participant takes 10:15 to 10:45. From 11:30 to 12:00 this participant is with another
  // coach.
  const sessions = { coachId: coach.id, participantId: another.id };
  await buildCoachingSession(server.db, { ...sessions, scheduledAt: '2026-02-04T15:15:00Z' });
  await buildCoachingSession(server.db, { ...sessions, scheduledAt: '2026-02-04T17:00:00Z', status: 'cancelled' });
  await buildCoachingSession(server.db, {
    coachId: elsewhere.id,
    participantId: participant.id,
    scheduledAt: '2026-02-04T16:30:00Z',
  });
  expect(await slotsOf(client)).toEqual(['2026-02-04T16:00:00.000Z', '2026-02-04T17:00:00.000Z']);
});

function withTimesOnThursday(coach: { id: string }) {
  const times = { coachId: coach.id, weekStartDate: week, dayOfWeek: thursday };
  return buildAvailability(server.db, { ...times, startTime: '10:00', endTime: '11:00' });
}

test('on 8 March 2026 the half hours that the clocks skip are not offered, and the others keep their wall clock', async () => {
  restoreClock();
  restoreClock = stopClockAt('2026-03-06T17:00:00Z');
  const { coach, client } = await pair();
  const times = { coachId: coach.id, weekStartDate: '2026-03-08' };
  await buildAvailability(server.db, { ...times, dayOfWeek: 0, startTime: '01:30', endTime: '04:00' });
  await buildAvailability(server.db, { ...times, dayOfWeek: 1, startTime: '10:00', endTime: '10:30' });
  const slots = ['2026-03-08T06:30', '2026-03-08T07:00', '2026-03-08T07:30', '2026-03-09T14:00'];
  expect(await slotsOf(client)).toEqual(slots.map((slot) => `${slot}:00.000Z`));
  for (const startsAt of await slotsOf(client)) {
    const another = await buildParticipant(server.db);
    await assignCoach(server.db, { participantId: another.id, coachId: coach.id });
    await book(await server.as(another), coach, startsAt);
  }
  expect(await scheduledWith(coach)).toHaveLength(4);
});

test('on 1 November 2026 a wall-clock time that comes twice is one half hour, the first', async () => {
  restoreClock();
  restoreClock = stopClockAt('2026-10-30T17:00:00Z');
  const { coach, client } = await pair();
  const times = { coachId: coach.id, weekStartDate: '2026-11-01' };
  await buildAvailability(server.db, { ...times, dayOfWeek: 0, startTime: '00:30', endTime: '02:30' });
  await buildAvailability(server.db, { ...times, dayOfWeek: 1, startTime: '10:00', endTime: '10:30' });
  const slots = ['2026-11-01T04:30', '2026-11-01T05:00', '2026-11-01T05:30', '2026-11-01T07:00', '2026-11-02T15:00'];
  expect(await slotsOf(client)).toEqual(slots.map((slot) => `${slot}:00.000Z`));
  expect(await refusedToBook(client, coach, '2026-11-01T06:00:00Z')).toMatchObject(slotTaken);
});

test.each([
  ['of 23 hours', '2026-03-07', '2026-03-08', '2026-03-07T04:30', '2026-03-09T04:00'],
  ['of 25 hours', '2026-10-31', '2026-11-01', '2026-10-31T03:30', '2026-11-02T05:00'],
])(
  'leave over a day %s ends with that day: all before and behind it is offered',
  async (_, first, last, before, behind) => {
    restoreClock();
    restoreClock = stopClockAt(`${addDays(first, -2)}T17:00:00Z`);
    const { coach, client } = await pair();
    const coachClient = await server.as(coach);
    for (const weekStartDate of [addDays(last, -7), last]) {
      const ranges = [0, 1, 5, 6].map((dayOfWeek) => ({ dayOfWeek, startTime: '00:00', endTime: '24:00' }));
      await coachClient.call(saveAvailability, { params: { weekStartDate }, body: { ranges } });
    }
    const added = await coachClient.call(addLeave, { body: { startsOn: first, endsOn: last, note: null } });
    const slots = await slotsOf(client);
    expect(slots.findLast((slot) => slot < `${last}T12`)).toBe(`${before}:00.000Z`);
    expect(slots.find((slot) => slot > `${last}T12`)).toBe(`${behind}:00.000Z`);
    expect(await refusedToBook(client, coach, `${last}T17:00:00Z`)).toMatchObject(slotTaken);
    await book(client, coach, `${behind}:00Z`);
    await coachClient.call(removeLeave, { params: { id: added.id } });
    await book(client, coach, `${last}T17:00:00Z`);
    expect(await scheduledWith(coach)).toHaveLength(2);
  },
);

test('COACH-50 what is taken, overlaps, is past or was never offered is refused in these words, and nothing is booked', async () => {
  const { coach, client } = await withTimes('10:00', '12:00');
  const another = await buildParticipant(server.db);
  const taken = { coachId: coach.id, participantId: another.id };
  await buildCoachingSession(server.db, { ...taken, scheduledAt: '2026-02-04T15:10:00Z', durationMinutes: 60 });
  const refusals = [
    // The session begins inside the half hour, runs through it, or still runs into it.
    tenOnWednesday,
    halfPastTen,
    '2026-02-04T16:00:00Z',
    '2026-02-04T16:45:00Z',
    '2026-02-04T20:00:00Z',
    '2026-01-28T15:00:00Z',
    '2027-02-03T15:00:00Z',
  ];
  for (const startsAt of refusals)
    expect(await refusedToBook(client, coach, startsAt), startsAt).toMatchObject(slotTaken);
  expect(await scheduledWith(coach)).toHaveLength(1);
  await book(client, coach, '2026-02-04T16:30:00Z');
  expect(await scheduledWith(coach)).toHaveLength(2);
});

test('COACH-50 of many who book one half hour at once, one has it and all others read why not', async () => {
  const { coach } = await withTimes();
  const clients = await manyClientsOf(coach);
  for (const startsAt of [tenOnWednesday, halfPastTen, '2026-02-04T16:00:00Z']) {
    const answers = await Promise.all(clients.map((client) => tryToBook(client, { coachId: coach.id, startsAt })));
    expect(countsOf(answers)).toEqual(oneOfMany);
  }
  expect(await scheduledWith(coach)).toHaveLength(3);
});

const atOnce = sizeOf({ usual: 10, deep: 50 });
const oneOfMany = { 200: 1, '409 slot_taken: This time slot is no longer available': atOnce - 1 };

async function manyClientsOf(coach: { id: string }): Promise<Client[]> {
  const clients: Client[] = [];
  for (let number = 0; number < atOnce; number += 1) {
    const { id: participantId } = await buildParticipant(server.db);
    await assignCoach(server.db, { participantId, coachId: coach.id });
    clients.push(await server.as({ id: participantId }));
  }
  return clients;
}

async function tryToBook(client: Client, wish: { coachId: string; startsAt: string }): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ ...wish, agenda: null });
  const answer = await client.fetch(bookSession.path, { method: 'POST', headers, body });
  const { code, detail } = (await answer.json()) as { code?: string; detail?: string };
  return answer.ok ? String(answer.status) : `${answer.status} ${code}: ${detail}`;
}

const countsOf = (answers: string[]) =>
  Object.fromEntries([...Map.groupBy(answers, (answer) => answer)].map(([answer, same]) => [answer, same.length]));

test('COACH-50 of many who ask for two overlapping half hours at once one has one, and all others read why not', async () => {
  const { coach } = await withTimes('10:00', '10:30');
  await buildAvailability(server.db, {
    coachId: coach.id,
    weekStartDate: week,
    dayOfWeek: wednesday,
    startTime: '10:15',
    endTime: '10:45',
  });
  const clients = await manyClientsOf(coach);
  const asked = (index: number) => (index % 2 ? tenOnWednesday : '2026-02-04T15:15:00.000Z');
  const answers = await Promise.all(
    clients.map((client, index) => tryToBook(client, { coachId: coach.id, startsAt: asked(index) })),
  );
  expect(countsOf(answers)).toEqual(oneOfMany);
  expect(await scheduledWith(coach)).toHaveLength(1);
});

test('COACH-50 one who asks two coaches for the same time many times at once has one session, and reads every other time why not', async () => {
  const { coach, participant, client } = await withTimes();
  const second = await buildCoach(server.db);
  await assignCoach(server.db, { participantId: participant.id, coachId: second.id });
  const times = { coachId: second.id, weekStartDate: week, dayOfWeek: wednesday };
  await buildAvailability(server.db, { ...times, startTime: '10:00', endTime: '11:00' });
  expect(await slotsOf(client, second.id)).toEqual([tenOnWednesday, halfPastTen]);
  const answers = await Promise.all(
    Array.from({ length: atOnce }, (_, index) =>
      tryToBook(client, { coachId: index % 2 ? coach.id : second.id, startsAt: tenOnWednesday }),
    ),
  );
  expect(countsOf(answers)).toEqual(oneOfMany);
  expect([...(await scheduledWith(coach)), ...(await scheduledWith(second))]).toHaveLength(1);
});

test('COACH-46 without a coach there is nothing to book, and with somebody else’s neither', async () => {
  const { coach } = await withTimes();
  const client = await server.as(await buildParticipant(server.db));
  expect(await client.call(readBooking, { query: { coachId: coach.id } })).toEqual({
    coaches: [],
    coachId: null,
    slots: [],
    mostOpenSessions: 4,
    can: { book: false },
    sessions: [],
  });
  expect(await refusedToBook(client, coach, tenOnWednesday)).toMatchObject({
    status: 403,
    problem: { detail: 'You can only book with your own coach.' },
  });
  expect(await scheduledWith(coach)).toEqual([]);
});

test.each([
  ['was deleted', { deletedAt: new Date() }],
  ['coaches no more', { role: 'participant' }],
])('nobody books with a coach who %s, and nobody moves a session with one', async (_, facts) => {
  const { coach, participant, client } = await withTimes();
  const { id } = await buildCoachingSession(server.db, {
    coachId: coach.id,
    participantId: participant.id,
    scheduledAt: '2026-02-05T15:00:00Z',
  });
  await server.db.updateTable('profiles').set(facts).where('id', '=', coach.id).execute();
  expect((await refusedToBook(client, coach, tenOnWednesday)).status).toBe(403);
  const moved = await client.refused(moveSession, { params: { id }, body: { startsAt: tenOnWednesday } });
  expect(moved.status).toBe(403);
  expect((await scheduledWith(coach)).map((session) => session.id)).toEqual([id]);
});

test('COACH-45 COACH-47 the coach of the enrolled course, whose link shows while scheduling is enabled: their own before Calendly and Microsoft', async () => {
  const { coach, client } = await withTimes();
  const save = (facts: object) => server.db.updateTable('profiles').set(facts).where('id', '=', coach.id).execute();
  const coaches = async () => (await client.call(readBooking, { query: {} })).coaches;
  await save({
    calendlyLink: 'https://calendly.com/cole',
    microsoftBookingLink: 'https://outlook.office365.com/cole',
    externalBookingInstructions: 'One line, please.',
  });
  expect(await coaches()).toEqual([
    { id: coach.id, firstName: 'Casey', lastName: 'Cole', externalLink: null, instructions: null },
  ]);
  await save({ schedulingEnabled: true, schedulingLink: 'https://book.example/cole' });
  expect(await coaches()).toMatchObject([
    { externalLink: 'https://book.example/cole', instructions: 'One line, please.' },
  ]);
  const dashboard = await client.call(readParticipantDashboard);
  expect(dashboard.coaching?.coach?.schedulingLink).toBe('https://book.example/cole');
  await save({ schedulingEnabled: false });
  expect(await coaches()).toMatchObject([{ externalLink: null, instructions: null }]);
  await save({ schedulingEnabled: true });
  await server.db.updateTable('userCourses').set({ status: 'completed' }).where('coachId', '=', coach.id).execute();
  expect(await coaches()).toEqual([]);
});

test('a session is moved in one step: the old half hour is free again only when the new one is taken', async () => {
  const { coach, client } = await withTimes();
  const another = await buildParticipant(server.db);
  await buildCoachingSession(server.db, { coachId: coach.id, participantId: another.id, scheduledAt: halfPastTen });
  const { id } = await book(client, coach, tenOnWednesday, 'Kept');
  const move = { params: { id }, body: { startsAt: halfPastTen } };
  expect(await client.refused(moveSession, move)).toMatchObject(slotTaken);
  expect(await slotsOf(client)).toEqual(['2026-02-04T16:00:00.000Z']);
  const news = await toldBy(server, () =>
    client.call(moveSession, { params: { id }, body: { startsAt: '2026-02-04T16:00:00Z' } }),
  );
  expect(news(coach)).toEqual(['notices', 'sessions']);
  expect(await slotsOf(client)).toEqual([tenOnWednesday]);
  const [, moved] = await scheduledWith(coach);
  expect(moved).toMatchObject({ id, agenda: 'Kept', calendarSequence: 1 });
  const [notice] = await server.db
    .selectFrom('notices')
    .select(['title', 'message'])
    .where('userId', '=', coach.id)
    .orderBy('id', 'desc')
    .execute();
  expect(notice?.message).toBe('Ana Alvarez moved the session from Wed 4 Feb, 10:00 AM ET to Wed 4 Feb, 11:00 AM ET.');
});

test('a session with a former coach can be cancelled, not moved, and the screen is told so', async () => {
  const { coach, participant, client } = await withTimes();
  const { id } = await book(client, coach);
  await server.db.updateTable('userCourses').set({ coachId: null }).where('userId', '=', participant.id).execute();
  const { sessions } = await client.call(readBooking, { query: {} });
  expect(sessions).toMatchObject([{ id, can: { move: false, cancel: true } }]);
  const refused = await client.refused(moveSession, { params: { id }, body: { startsAt: halfPastTen } });
  expect(refused.status).toBe(403);
  await client.call(withdrawSession, { params: { id } });
  expect(await scheduledWith(coach)).toEqual([]);
});

test('a session that overlaps its own new time can be moved there', async () => {
  const { coach, participant, client } = await withTimes();
  const { id } = await buildCoachingSession(server.db, {
    coachId: coach.id,
    participantId: participant.id,
    scheduledAt: '2026-02-04T15:15:00Z',
  });
  await client.call(moveSession, { params: { id }, body: { startsAt: tenOnWednesday } });
  expect(await scheduledWith(coach)).toMatchObject([{ id, scheduledAt: new Date(tenOnWednesday) }]);
});

test('what has begun, and what is not one’s own, is neither moved nor cancelled', async () => {
  const { coach, participant, client } = await withTimes();
  const facts = { coachId: coach.id, participantId: participant.id };
  const { id } = await buildCoachingSession(server.db, { ...facts, scheduledAt: '2026-02-02T16:50:00Z' });
  const move = { params: { id }, body: { startsAt: tenOnWednesday } };
  expect(await client.refused(moveSession, move)).toMatchObject({ status: 409, problem: { code: 'conflict' } });
  expect(await client.refused(withdrawSession, { params: { id } })).toMatchObject({ status: 409 });
  const { client: stranger } = await pair();
  expect((await stranger.refused(moveSession, move)).status).toBe(404);
  expect((await stranger.refused(withdrawSession, { params: { id } })).status).toBe(404);
  for (const person of [coach, await buildAdmin(server.db)]) {
    expect((await (await server.as(person)).refused(readBooking, { query: {} })).status).toBe(403);
  }
});
