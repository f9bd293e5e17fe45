import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { listCoachSessions, reopenSession, updateSession } from '#contract/coach-sessions.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { toldBy } from '#test/support/live-news.ts';

let server: TestApp;
let restore: () => void;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
/** Monday, 12:05 PM ET. */
beforeEach(() => {
  restore = stopClockAt('2026-02-02T17:05:00Z');
});
afterEach(() => restore());

function at(instant: string): void {
  restore();
  restore = stopClockAt(instant);
}

async function pair() {
  const { db } = server;
  const [coach, participant] = [await buildCoach(db), await buildParticipant(db)];
  await assignCoach(db, { participantId: participant.id, coachId: coach.id });
  const [client, asParticipant] = [await server.as(coach), await server.as(participant)];
  const session = (scheduledAt = '2026-02-02T17:00:00Z', facts: object = {}) =>
    buildCoachingSession(db, { coachId: coach.id, participantId: participant.id, scheduledAt, ...facts });
  const close = (id: string, body: object) => client.call(updateSession, { params: { id }, body });
  const reopen = (id: string) => client.call(reopenSession, { params: { id } });
  const stored = (id: string) =>
    db.selectFrom('coachingSessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return { coach, participant, client, asParticipant, session, close, reopen, stored };
}

test('a session that was just completed or marked as missed is opened again, on record, and nobody gets a notice', async () => {
  const { coach, participant, session, close, reopen, stored } = await pair();
  const { id } = await session();
  for (const body of [{ status: 'completed' }, { status: 'no_show', noShowReason: 'Nobody came.' }]) {
    expect((await close(id, body)).can).toMatchObject({ complete: false, reopen: true });
    const told = await toldBy(server, () => reopen(id));
    for (const person of [coach, participant]) expect(told(person)).toEqual(['sessions']);
    expect(await stored(id)).toMatchObject({ status: 'scheduled', noShowReason: null, closedAt: null });
  }
  expect(await reopen(id)).toMatchObject({ status: 'scheduled', can: { complete: true, reopen: false } });
  const log = server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', id).orderBy('at').orderBy('id');
  const entries = (await log.execute()).filter(({ action }) => action === 'session.reopen');
  expect(entries).toMatchObject([
    { actorId: coach.id, before: { status: 'completed' }, after: { status: 'scheduled' } },
    { actorId: coach.id, before: { status: 'no_show' }, after: { status: 'scheduled' } },
  ]);
  expect(await server.db.selectFrom('notices').select('id').where('userId', '=', participant.id).execute()).toEqual([]);
});

test('notes that completed a session stay when it is opened again', async () => {
  const { session, close, reopen } = await pair();
  const { id } = await session('2026-02-02T15:00:00Z');
  expect((await close(id, { notes: 'Good talk.' })).can.reopen).toBe(true);
  expect(await reopen(id)).toMatchObject({ status: 'scheduled', notes: 'Good talk.', isOverdue: true });
});

test('it is refused after a minute, of sessions that were closed otherwise, and to other coaches', async () => {
  const { session, client, close, asParticipant } = await pair();
  const { id } = await session();
  await close(id, { status: 'completed' });
  const byOther = await server.as(await buildCoach(server.db));
  expect((await byOther.refused(reopenSession, { params: { id } })).status).toBe(404);
  expect((await asParticipant.refused(reopenSession, { params: { id } })).status).toBe(403);
  at('2026-02-02T17:06:00Z');
  expect((await client.refused(reopenSession, { params: { id } })).problem.detail).toBe(
    'A session can be opened again for one minute after it was completed or marked as missed.',
  );
  expect((await client.call(listCoachSessions)).past[0]?.can.reopen).toBe(false);
  for (const facts of [{ status: 'completed' }, { status: 'cancelled' }]) {
    const other = await session('2026-01-05T15:00:00Z', facts);
    expect((await client.refused(reopenSession, { params: { id: other.id } })).status).toBe(409);
  }
});

test('a session is not opened again over one that was booked meanwhile', async () => {
  const { session, client, close } = await pair();
  const { id } = await session('2026-02-02T17:00:00Z', { durationMinutes: 120 });
  await close(id, { status: 'completed' });
  await session('2026-02-02T18:30:00Z');
  expect((await client.refused(reopenSession, { params: { id } })).problem.code).toBe('slot_taken');
});
