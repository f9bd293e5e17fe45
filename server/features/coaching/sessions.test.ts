import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readBooking } from '#contract/booking.ts';
import { cancelSession, listCoachSessions, listUpcomingSessions, updateSession } from '#contract/coach-sessions.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { toldBy } from '#test/support/live-news.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let restoreClock: () => void;

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
/** Monday noon in US Eastern. */
beforeEach(() => {
  restoreClock = stopClockAt('2026-02-02T17:00:00Z');
});
afterEach(() => restoreClock());

const [toCome, running, over] = ['2026-02-02T17:30:00Z', '2026-02-02T16:45:00Z', '2026-02-02T16:15:00Z'];
type Facts = Partial<Parameters<typeof buildCoachingSession>[1]>;

async function pair() {
  const coach = await buildCoach(server.db);
  const participant = await buildParticipant(server.db, { firstName: 'Ana', lastName: 'Alvarez' });
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  const session = (scheduledAt: string, facts: Facts = {}) =>
    buildCoachingSession(server.db, { coachId: coach.id, participantId: participant.id, scheduledAt, ...facts });
  return { coach, participant, session, client: await server.as(coach) };
}

const stored = (id: string) =>
  server.db.selectFrom('coachingSessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('COACH-29 COACH-30 COACH-32 COACH-44 upcoming ones next first, what was cancelled of them apart, the others under past, with the participant and all that is known', async () => {
  const { participant, session, client } = await pair();
  const later = await session('2026-02-03T15:00:00Z');
  const next = await session(toCome, { agenda: 'Career plan', teamsLink: 'https://meet.example/1' });
  const held = await session('2026-01-26T15:00:00Z', { status: 'completed', notes: 'On track.' });
  const missed = await session('2026-01-27T15:00:00Z', { status: 'no_show' });
  const offAhead = await session('2026-02-05T15:00:00Z', { status: 'cancelled', cancelReason: 'Cancelled by coach' });
  const offBefore = await session('2026-01-28T15:00:00Z', { status: 'cancelled', cancelReason: 'Cancelled by coach' });
  const { upcoming, cancelled, past, olderOverdue } = await client.call(listCoachSessions);
  expect(upcoming.map(({ id }) => id)).toEqual([next.id, later.id]);
  expect(upcoming[0]).toEqual({
    id: next.id,
    participantId: participant.id,
    firstName: 'Ana',
    lastName: 'Alvarez',
    email: participant.email,
    scheduledAt: '2026-02-02T17:30:00.000Z',
    durationMinutes: 30,
    agenda: 'Career plan',
    notes: null,
    status: 'scheduled',
    teamsLink: 'https://meet.example/1',
    cancelReason: null,
    noShowReason: null,
    isOverdue: false,
    can: { complete: false, cancel: true, markNoShow: false, writeNotes: false, reopen: false, openPerson: true },
  });
  expect(past.map(({ id, status }) => [id, status])).toEqual([
    [offBefore.id, 'cancelled'],
    [missed.id, 'no_show'],
    [held.id, 'completed'],
  ]);
  expect(cancelled).toMatchObject([{ id: offAhead.id, status: 'cancelled', cancelReason: 'Cancelled by coach' }]);
  expect(olderOverdue).toEqual([]);
});

test('COACH-31 COACH-38 past are the ten newest, however many to come were cancelled; scheduled ones whose end has passed are overdue and never lost', async () => {
  const { session, client } = await pair();
  const forgotten = await session('2025-12-01T15:00:00Z');
  for (let day = 10; day < 20; day += 1) await session(`2026-01-${day}T15:00:00Z`, { status: 'completed' });
  const justOver = await session(over);
  const stillRunning = await session(running);
  const off = [];
  for (let day = 10; day < 22; day += 1) off.push(await session(`2026-03-${day}T15:00:00Z`, { status: 'cancelled' }));
  const { upcoming, cancelled, past, olderOverdue } = await client.call(listCoachSessions);
  expect(upcoming.map(({ id, isOverdue }) => [id, isOverdue])).toEqual([[stillRunning.id, false]]);
  expect(cancelled.map(({ id }) => id)).toEqual(off.map(({ id }) => id));
  expect(past).toHaveLength(10);
  expect(past[0]).toMatchObject({ id: justOver.id, isOverdue: true });
  const times = past.map(({ scheduledAt }) => scheduledAt);
  expect(times).toEqual([...times].sort().reverse());
  expect(olderOverdue.map(({ id, isOverdue }) => [id, isOverdue])).toEqual([[forgotten.id, true]]);
  expect(await countStatements(server.app.pool, () => client.call(listCoachSessions))).toBe(5);
});

test('of many overdue sessions the oldest fifty are read and all are counted; the next come as these are completed', async () => {
  const { session, client } = await pair();
  for (let number = 0; number < 63; number += 1) {
    await session(new Date(Date.parse('2025-11-03T15:00:00Z') + number * 1_800_000).toISOString());
  }
  const { past, olderOverdue, olderOverdueCount } = await client.call(listCoachSessions);
  expect([past.length, olderOverdue.length, olderOverdueCount]).toEqual([10, 50, 53]);
  expect(olderOverdue[0]?.scheduledAt).toBe('2025-11-03T15:00:00.000Z');
  const id = olderOverdue[0]?.id ?? '';
  await client.call(updateSession, { params: { id }, body: { status: 'completed' } });
  const after = await client.call(listCoachSessions);
  expect([after.olderOverdue.length, after.olderOverdueCount]).toEqual([50, 52]);
  expect(after.olderOverdue.map((shown) => shown.id)).not.toContain(id);
});

test('sixty upcoming sessions are counted, and read once each by pages, next first', async () => {
  const { session, client } = await pair();
  await session(over);
  for (let number = 59; number >= 0; number -= 1) {
    await session(new Date(Date.parse(toCome) + number * 1_800_000).toISOString());
  }
  const { upcoming, upcomingCount } = await client.call(listCoachSessions);
  expect([upcoming.length, upcomingCount]).toEqual([25, 60]);
  const rows = [];
  let cursor: string | undefined;
  do {
    const page = await client.call(listUpcomingSessions, { query: { cursor } });
    rows.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(rows).toHaveLength(60);
  expect(rows.slice(0, 25)).toEqual(upcoming);
  const times = rows.map(({ scheduledAt }) => scheduledAt);
  expect(times).toEqual([...new Set(times)].sort());
  expect((await client.refused(listUpcomingSessions, { query: { cursor: 'made up' } })).status).toBe(422);
});

test('COACH-33 a scheduled session is completed from its beginning on; its notes stay unless given', async () => {
  const { session, client } = await pair();
  const early = await session(toCome);
  const tooEarly = await client.refused(updateSession, { params: { id: early.id }, body: { status: 'completed' } });
  expect(tooEarly).toMatchObject({
    status: 409,
    problem: { detail: 'You can only complete a scheduled session that has started.' },
  });
  expect(await stored(early.id)).toMatchObject({ status: 'scheduled' });
  expect((await client.call(listCoachSessions)).upcoming[0]?.can.complete).toBe(false);
  for (const at of [running, over, '2025-12-01T15:00:00Z']) {
    const { id } = await session(at, { notes: 'Prepared' });
    expect(await client.call(updateSession, { params: { id }, body: { status: 'completed' } })).toMatchObject({
      status: 'completed',
      notes: 'Prepared',
      can: { complete: false, cancel: false },
    });
  }
  for (const facts of [{ status: 'completed' }, { status: 'cancelled' }, { status: 'no_show' }]) {
    const { id } = await session('2026-01-05T15:00:00Z', facts);
    const refusal = await client.refused(updateSession, { params: { id }, body: { status: 'completed' } });
    expect(refusal).toMatchObject({ status: 409, problem: { code: 'conflict' } });
    expect((await client.refused(cancelSession, { params: { id }, body: { reason: null } })).status).toBe(409);
    expect((await stored(id)).status).toBe(facts.status);
  }
});

test('COACH-34 COACH-35 an upcoming session is cancelled with its reason and the participant is told, once; one that began is not', async () => {
  const { coach, participant, session, client } = await pair();
  for (const at of [running, over]) {
    const { id } = await session(at);
    expect(await client.refused(cancelSession, { params: { id }, body: { reason: null } })).toMatchObject({
      status: 409,
      problem: { detail: 'You can only cancel a scheduled session that has not started.' },
    });
    expect((await stored(id)).status).toBe('scheduled');
  }
  const { id } = await session(toCome);
  const news = await toldBy(server, () => client.call(cancelSession, { params: { id }, body: { reason: null } }));
  expect(await stored(id)).toMatchObject({ status: 'cancelled', cancelReason: 'Cancelled by coach' });
  expect(news(participant)).toEqual(['notices', 'sessions']);
  const message = 'Casey Cole cancelled the session on Mon 2 Feb, 12:30 PM ET. Reason: Cancelled by coach';
  const told = await server.db.selectFrom('notices').selectAll().where('userId', '=', participant.id).execute();
  expect(told).toMatchObject([{ title: 'A coaching session was cancelled', message, link: '/coaching' }]);
  const own = await server.db.selectFrom('notices').selectAll().where('userId', '=', coach.id).execute();
  const ownMessage = 'You cancelled the session with Ana Alvarez on Mon 2 Feb, 12:30 PM ET. Reason: Cancelled by coach';
  expect(own).toMatchObject([{ title: 'Your coaching session is cancelled', message: ownMessage }]);
  const second = await session('2026-02-03T15:00:00Z');
  await client.call(cancelSession, { params: { id: second.id }, body: { reason: ' I am ill. ' } });
  const eventsOfSecond = () =>
    server.db.selectFrom('noticeEvents').select('id').where('subjectId', '=', second.id).execute();
  const events = await eventsOfSecond();
  await client.call(cancelSession, { params: { id: second.id }, body: { reason: 'I am ill.' } });
  expect((await stored(second.id)).cancelReason).toBe('Cancelled by coach: I am ill.');
  expect(await eventsOfSecond()).toEqual(events);
  const other = await client.refused(cancelSession, { params: { id: second.id }, body: { reason: null } });
  expect(other.status).toBe(409);
});

test('COACH-36 COACH-37 notes are written on completed sessions, and on one that is over they complete it', async () => {
  const { session, client } = await pair();
  const write = (id: string, notes: string | null) => client.call(updateSession, { params: { id }, body: { notes } });
  const held = await session('2026-01-26T15:00:00Z', { status: 'completed' });
  expect((await write(held.id, ' First. ')).notes).toBe('First.');
  expect((await write(held.id, 'Changed.')).notes).toBe('Changed.');
  expect(await write(held.id, null)).toMatchObject({ notes: null, status: 'completed' });
  const past = await session(over);
  expect(await write(past.id, 'Good talk.')).toMatchObject({
    notes: 'Good talk.',
    status: 'completed',
    isOverdue: false,
  });
  for (const { id } of [await session(running), await session(toCome)]) {
    expect(await client.refused(updateSession, { params: { id }, body: { notes: 'Too early' } })).toMatchObject({
      status: 409,
      problem: { detail: 'You can write notes once a session is over.' },
    });
    expect(await stored(id)).toMatchObject({ notes: null, status: 'scheduled' });
  }
  const cancelled = await session('2026-02-05T15:00:00Z', { status: 'cancelled' });
  const refusal = await client.refused(updateSession, { params: { id: cancelled.id }, body: { notes: 'No' } });
  expect(refusal.status).toBe(409);
});

test('a no-show is marked with its reason, which is kept, only once the session has begun, and can have notes', async () => {
  const { session, client } = await pair();
  const markMissed = (id: string) => ({
    params: { id },
    body: { status: 'no_show' as const, noShowReason: ' No answer by phone. ' },
  });
  const early = await session(toCome);
  expect(await client.refused(updateSession, markMissed(early.id))).toMatchObject({
    status: 409,
    problem: { detail: 'You can only mark a scheduled session as missed once it has started.' },
  });
  const begun = await session(running);
  for (const body of [{ status: 'no_show' as const }, { status: 'no_show' as const, noShowReason: ' ' }]) {
    const refused = await client.refused(updateSession, { params: { id: begun.id }, body });
    expect(refused.problem).toMatchObject({ code: 'invalid_input', errors: [{ path: 'noShowReason' }] });
  }
  const reasoned = { params: { id: begun.id }, body: { noShowReason: 'Ill' } };
  expect((await client.refused(updateSession, reasoned)).status).toBe(422);
  expect(await client.call(updateSession, markMissed(begun.id))).toMatchObject({
    status: 'no_show',
    noShowReason: 'No answer by phone.',
  });
  expect((await client.call(listCoachSessions)).past[0]?.noShowReason).toBe('No answer by phone.');
  const noted = await client.call(updateSession, { params: { id: begun.id }, body: { notes: 'Wrote to her.' } });
  expect(noted).toMatchObject({ status: 'no_show', notes: 'Wrote to her.' });
});

test('on a session that is over, a no-show with notes stays a no-show, and a meeting link alone completes nothing', async () => {
  const { session, client } = await pair();
  const missed = await session(over);
  const body = { status: 'no_show' as const, noShowReason: 'No answer.', notes: 'Wrote to her.' };
  expect(await client.call(updateSession, { params: { id: missed.id }, body })).toMatchObject(body);
  const { id } = await session('2026-01-26T15:00:00Z');
  const linked = { params: { id }, body: { teamsLink: 'https://meet.example/1' } };
  expect(await client.call(updateSession, linked)).toMatchObject({ status: 'scheduled', isOverdue: true, notes: null });
  expect(await stored(id)).toMatchObject({ closedAt: null });
});

test('a coach gives a scheduled session its meeting link, which the participant has then; only https', async () => {
  const { participant, session, client } = await pair();
  const { id } = await session(toCome);
  for (const teamsLink of ['http://meet.example/1', 'javascript:alert(1)', 'meet']) {
    expect((await client.refused(updateSession, { params: { id }, body: { teamsLink } })).status).toBe(422);
  }
  await client.call(updateSession, { params: { id }, body: { teamsLink: 'https://meet.example/1' } });
  const booking = await (await server.as(participant)).call(readBooking, { query: {} });
  expect(booking.sessions).toMatchObject([{ id, teamsLink: 'https://meet.example/1' }]);
  const { id: held } = await session('2026-01-26T15:00:00Z', { status: 'completed' });
  expect(await client.refused(updateSession, { params: { id: held }, body: { teamsLink: null } })).toMatchObject({
    status: 409,
    problem: { detail: 'You can only add a meeting link to a scheduled session.' },
  });
});

test('COACH-43 a coach reads and changes the own sessions only', async () => {
  const { participant, session } = await pair();
  const { id } = await session(toCome);
  const { client: stranger } = await pair();
  expect(await stranger.call(listCoachSessions)).toEqual({
    upcoming: [],
    upcomingCount: 0,
    cancelled: [],
    past: [],
    olderOverdue: [],
    olderOverdueCount: 0,
  });
  expect(await stranger.call(listUpcomingSessions, { query: {} })).toEqual({ rows: [], nextCursor: null });
  const change = { params: { id }, body: { status: 'completed' as const } };
  expect(await stranger.refused(updateSession, change)).toMatchObject({
    status: 404,
    problem: { detail: 'We cannot find this session among yours.' },
  });
  expect((await stranger.refused(cancelSession, { params: { id }, body: { reason: null } })).status).toBe(404);
  for (const person of [participant, await buildAdmin(server.db)]) {
    const client = await server.as(person);
    expect((await client.refused(updateSession, change)).status).toBe(403);
    expect((await client.refused(listCoachSessions)).status).toBe(403);
  }
  expect((await stored(id)).status).toBe('scheduled');
});

test('what a coach writes is on record by its name, when a session was closed is kept, and nothing written is nothing done', async () => {
  const { coach, participant, session, client } = await pair();
  const trailOf = (id: string) =>
    server.db
      .selectFrom('auditLog')
      .select(['action', 'actorId', 'subjectType', 'before', 'after'])
      .where('subjectId', '=', id)
      .orderBy('at')
      .execute();
  const line = { action: 'session.update', actorId: coach.id, subjectType: 'coaching_session' };
  const scheduled = { status: 'scheduled' };
  const { id } = await session(running);
  const nothing = await toldBy(server, () => client.call(updateSession, { params: { id }, body: {} }));
  expect(nothing(participant)).toEqual([]);
  expect(await trailOf(id)).toEqual([]);
  const teamsLink = 'https://meet.example/2';
  const linked = await toldBy(server, () => client.call(updateSession, { params: { id }, body: { teamsLink } }));
  for (const person of [coach, participant]) expect(linked(person)).toEqual(['sessions']);
  expect(await stored(id)).toMatchObject({ teamsLink, closedAt: null });
  await client.call(updateSession, {
    params: { id },
    body: { status: 'no_show', noShowReason: 'Ill', notes: 'Wrote' },
  });
  expect(await stored(id)).toMatchObject({ closedAt: new Date('2026-02-02T17:00:00Z') });
  expect(await trailOf(id)).toEqual([
    { ...line, before: scheduled, after: { ...scheduled, written: ['teamsLink'] } },
    { ...line, before: scheduled, after: { status: 'no_show', written: ['notes', 'noShowReason'] } },
  ]);
  const past = await session(over);
  await client.call(updateSession, { params: { id: past.id }, body: { notes: 'Good talk.' } });
  expect(await stored(past.id)).toMatchObject({ status: 'completed', closedAt: new Date('2026-02-02T17:00:00Z') });
  expect(await trailOf(past.id)).toEqual([
    { ...line, before: scheduled, after: { status: 'completed', written: ['notes'] } },
  ]);
  const ended = await session(toCome);
  await client.call(cancelSession, { params: { id: ended.id }, body: { reason: 'I am ill.' } });
  const reasons = server.db.selectFrom('auditLog').select(['action', 'before', 'after', 'reason']);
  expect(await reasons.where('subjectId', '=', ended.id).execute()).toEqual([
    { action: 'session.cancel', before: scheduled, after: { status: 'cancelled' }, reason: 'I am ill.' },
  ]);
});
