import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { downloadCalendarItem } from '#contract/calendar-feeds.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import {
  buildActivity,
  buildAssignment,
  buildContentItem,
  buildWeeklyRequirement,
} from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { buildMemberWithCoach, eventsIn, openFeed, readEvents, readFeed } from '#test/support/calendar-feed.ts';
import { stopClockAt } from '#test/support/clock.ts';

let app: TestApp;
let restoreClock: () => void;

beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: 'https://switchyard.example' });
});
afterAll(() => app.close());
/** Wednesday of week 5 of the cohort that starts on 8 September 2025. */
beforeEach(() => {
  restoreClock = stopClockAt('2025-10-08T14:00:00Z');
});
afterEach(() => restoreClock());

test("a feed holds the person's activities, deadlines, sessions and requirements, and nobody else's", async () => {
  const { cohort, coach, participant } = await buildMemberWithCoach(app);
  const activity = await buildActivity(app.db, {
    cohortId: cohort.id,
    title: 'Relays, fuses; and "more"',
    weekNumber: 5,
    sessionDate: '2025-10-10',
    sessionTime: '14:00',
    durationMinutes: 90,
    location: 'Room 4',
    moduleName: 'Field Service Engineering',
    description: 'Line one\nline two\\end',
  });
  const online = { sessionDate: '2025-10-13', location: 'https://meet.example/secret' };
  await buildActivity(app.db, { cohortId: cohort.id, title: 'Whole day', ...online });
  await buildActivity(app.db, { cohortId: cohort.id, title: 'Without a day', sessionDate: null });
  await buildActivity(app.db, {
    cohortId: cohort.id,
    title: 'Another track',
    sessionDate: '2025-10-13',
    applicableFellowship: false,
    applicableAmp: true,
  });
  const assignment = await buildAssignment(app.db, {
    trainingActivityId: activity.id,
    title: 'Report',
    dueDate: '2025-10-12',
  });
  const closed = { title: 'Closed', dueDate: '2025-10-12', archivedAt: new Date() };
  await buildAssignment(app.db, { trainingActivityId: activity.id, ...closed });
  const reading = await buildContentItem(app.db, { trainingActivityId: activity.id, dueDate: '2025-10-14' });
  await buildAssignment(app.db, { contentItemId: reading.id, title: 'Due with its content' });
  await buildWeeklyRequirement(app.db, { cohortId: cohort.id, title: 'Quiz 5', dueDate: '2025-10-11' });
  const session = await buildCoachingSession(app.db, {
    coachId: coach.id,
    participantId: participant.id,
    scheduledAt: '2025-10-09T18:00:00Z',
    agenda: 'A private matter',
  });
  const stranger = await buildMemberWithCoach(app);
  await buildActivity(app.db, { cohortId: stranger.cohort.id, title: 'Foreign', sessionDate: '2025-10-10' });
  await buildWeeklyRequirement(app.db, { cohortId: stranger.cohort.id, title: 'Foreign', dueDate: '2025-10-11' });
  await buildCoachingSession(app.db, {
    coachId: stranger.coach.id,
    participantId: stranger.participant.id,
    scheduledAt: '2025-10-09T18:00:00Z',
  });

  const { path } = await openFeed(app, participant);
  const events = (await readEvents(app, path)).filter(({ start }) => start >= new Date('2025-10-09'));
  expect(events.map(({ summary }) => summary)).toEqual([
    'Coaching session with Cora Coach',
    'Relays, fuses; and "more"',
    'Due: Quiz 5',
    'Due: Report',
    'Whole day',
    'Due: Due with its content',
  ]);
  const [coaching, relays, , report, wholeDay] = events;
  expect(relays).toMatchObject({
    uid: `activity-${activity.id}@switchyard`,
    location: 'Room 4',
    url: `https://switchyard.example/activity/${activity.id}`,
    status: 'CONFIRMED',
    transparency: 'OPAQUE',
    description: [
      `Week 5 · Field Service Engineering · ${cohort.name}`,
      'Line one\nline two\\end',
      `https://switchyard.example/activity/${activity.id}`,
    ].join('\n\n'),
  });
  expect([relays?.start.toISOString(), relays?.end?.toISOString()]).toEqual([
    '2025-10-10T18:00:00.000Z',
    '2025-10-10T19:30:00.000Z',
  ]);
  expect(relays?.start.tz).toBe('America/New_York');
  expect([coaching?.start.toISOString(), coaching?.end?.toISOString()]).toEqual([
    '2025-10-09T18:00:00.000Z',
    '2025-10-09T18:30:00.000Z',
  ]);
  expect(coaching?.uid).toBe(`session-${session.id}@switchyard`);
  expect(wholeDay).toMatchObject({ datetype: 'date', location: 'Online', transparency: 'TRANSPARENT' });
  expect(report).toMatchObject({
    datetype: 'date',
    url: `https://switchyard.example/assignment/${assignment.id}`,
  });
  const { text } = await readFeed(app, path);
  expect(text).toMatch(/DTSTART;VALUE=DATE:20251012\r\nDTEND;VALUE=DATE:20251013\r\n/);
  expect(text).not.toMatch(/meet\.example|private matter|Foreign|Another track|Closed|Without a day/);
});

test('the file is well formed: zone, folded lines, stamps in UTC, and no character that may not be there', async () => {
  const { cohort, participant } = await buildMemberWithCoach(app);
  await buildActivity(app.db, {
    cohortId: cohort.id,
    title: `Łukasz\u0007 übt 🔌 ${'ein sehr langer Name, '.repeat(12)}`,
    sessionDate: '2025-10-10',
    sessionTime: '09:00',
    description: 'One\r\ntwo\rthree\u0001',
  });
  const { path } = await openFeed(app, participant);
  const { response, text } = await readFeed(app, path);
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(response.headers.get('x-robots-tag')).toContain('noindex');
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n')).toBe(true);
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
  expect(text).toContain('BEGIN:VTIMEZONE\r\nTZID:America/New_York\r\n');
  expect(text).toContain(
    'DTSTART;TZID=America/New_York:20251010T090000\r\nDTEND;TZID=America/New_York:20251010T100000',
  );
  expect(text).toMatch(/\r\nDTSTAMP:\d{8}T\d{6}Z\r\nLAST-MODIFIED:\d{8}T\d{6}Z\r\n/);
  const lines = text.split('\r\n');
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  expect(lines.join('')).not.toMatch(/[^\P{Cc}\t]/u);
  const [event] = (await readEvents(app, path)).filter(({ summary }) => String(summary).startsWith('Łukasz'));
  expect(event?.summary).toBe(`Łukasz übt 🔌 ${'ein sehr langer Name, '.repeat(12)}`);
  expect(event?.description).toContain('One\ntwo\nthree\n\nhttps://');
});

test('before, after and on the day of a change of the clocks every time is the right instant', async () => {
  const { coach, participant } = await buildMemberWithCoach(app);
  const at = (scheduledAt: string) =>
    buildCoachingSession(app.db, { coachId: coach.id, participantId: participant.id, scheduledAt });
  await at('2025-11-01T14:00:00Z');
  await at('2025-11-03T15:00:00Z');
  await at('2026-03-08T07:30:00Z');
  const { path } = await openFeed(app, participant);
  const sessions = (await readEvents(app, path)).filter(({ uid }) => uid.startsWith('session-'));
  expect(sessions.map(({ start }) => start.toISOString())).toEqual([
    '2025-11-01T14:00:00.000Z',
    '2025-11-03T15:00:00.000Z',
    '2026-03-08T07:30:00.000Z',
  ]);
  const { text } = await readFeed(app, path);
  expect(text.match(/DTSTART;TZID=America\/New_York:(\w+)/g)?.map((line) => line.slice(-6, -2))).toEqual([
    '1000',
    '1000',
    '0330',
  ]);
});

test('a change keeps the uid and raises the sequence; a cancelled session stays, as cancelled, for both sides', async () => {
  const { coach, participant } = await buildMemberWithCoach(app);
  const session = await buildCoachingSession(app.db, {
    coachId: coach.id,
    participantId: participant.id,
    scheduledAt: '2025-10-09T18:00:00Z',
  });
  const own = await openFeed(app, participant);
  const coachs = await openFeed(app, coach);
  const first = await eventNamed(own.path, 'Coaching session with Cora Coach');
  expect(first).toMatchObject({ sequence: 0, status: 'CONFIRMED' });
  const change = (facts: object) =>
    app.db.updateTable('coachingSessions').set(facts).where('id', '=', session.id).execute();
  await change({ scheduledAt: '2025-10-10T18:00:00Z' });
  const moved = await eventNamed(own.path, 'Coaching session with Cora Coach');
  expect(moved).toMatchObject({ uid: first.uid, sequence: 1 });
  expect(moved.start.toISOString()).toBe('2025-10-10T18:00:00.000Z');
  await change({ status: 'cancelled', cancelReason: 'Ill' });
  for (const [path, name] of [
    [own.path, 'Cora Coach'],
    [coachs.path, 'Paula Prior'],
  ] as const) {
    expect(await eventNamed(path, `Cancelled: Coaching session with ${name}`)).toMatchObject({
      uid: first.uid,
      sequence: 2,
      status: 'CANCELLED',
      transparency: 'TRANSPARENT',
    });
  }
});

test('a requirement that moves raises its sequence', async () => {
  const { cohort, participant } = await buildMemberWithCoach(app);
  const facts = { cohortId: cohort.id, title: 'Quiz 6', dueDate: '2025-10-11' };
  const { id } = await buildWeeklyRequirement(app.db, facts);
  const { path } = await openFeed(app, participant);
  const first = await eventNamed(path, 'Due: Quiz 6');
  await app.db.updateTable('weeklyRequirements').set({ dueDate: '2025-10-13' }).where('id', '=', id).execute();
  expect(await eventNamed(path, 'Due: Quiz 6')).toMatchObject({ uid: first.uid, sequence: Number(first.sequence) + 1 });
});

test("a coach's feed follows the cohorts of the own participants, an admin's those that are not over", async () => {
  const { cohort, coach } = await buildMemberWithCoach(app);
  const title = `Session of ${cohort.id}`;
  await buildActivity(app.db, { cohortId: cohort.id, title, sessionDate: '2025-10-10' });
  const over = await buildCohort(app.db, { status: 'completed' });
  await buildActivity(app.db, { cohortId: over.id, title: `Session of ${over.id}`, sessionDate: '2025-10-10' });
  const other = await openFeed(app, await buildCoach(app.db));
  const titlesAt = async (path: string) => (await readEvents(app, path)).map(({ summary }) => summary);
  expect(await titlesAt((await openFeed(app, coach)).path)).toContain(title);
  expect(await titlesAt(other.path)).not.toContain(title);
  const ofAdmin = await titlesAt((await openFeed(app, await buildAdmin(app.db))).path);
  expect(ofAdmin).toContain(title);
  expect(ofAdmin).not.toContain(`Session of ${over.id}`);
});

test('one activity, deadline or session is a file of its own, for those who may see it', async () => {
  const { cohort, coach, participant } = await buildMemberWithCoach(app);
  const activity = await buildActivity(app.db, {
    cohortId: cohort.id,
    title: 'Relays',
    sessionDate: '2025-10-10',
    sessionTime: '14:00',
  });
  const assignment = await buildAssignment(app.db, {
    trainingActivityId: activity.id,
    title: 'Report',
    dueDate: '2025-10-12',
  });
  const session = await buildCoachingSession(app.db, {
    coachId: coach.id,
    participantId: participant.id,
    scheduledAt: '2025-10-09T18:00:00Z',
  });
  const fileFor = async (person: BuiltPerson, kind: string, id: string) =>
    (await app.as(person)).fetch(downloadCalendarItem.path.replace(':kind', kind).replace(':id', id));
  const own = [
    ['activity', activity.id, 'Relays'],
    ['assignment', assignment.id, 'Due: Report'],
    ['session', session.id, 'Coaching session with Cora Coach'],
  ] as const;
  const stranger = await buildMemberWithCoach(app);
  for (const [kind, id, summary] of own) {
    const file = await fileFor(participant, kind, id);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="switchyard-${kind}.ics"`);
    expect(eventsIn(await file.text()).map((event) => event.summary)).toEqual([summary]);
    expect((await fileFor(stranger.participant, kind, id)).status).toBe(404);
    expect((await (await app.as(null)).fetch(`/api/calendar-items/${kind}/${id}`)).status).toBe(401);
  }
  expect((await fileFor(coach, 'assignment', assignment.id)).status).toBe(200);
  expect((await fileFor(stranger.coach, 'session', session.id)).status).toBe(404);
  const undated = await buildActivity(app.db, { cohortId: cohort.id, sessionDate: null });
  expect((await fileFor(participant, 'activity', undated.id)).status).toBe(404);
});
async function eventNamed(path: string, summary: string) {
  const found = (await readEvents(app, path)).find((event) => event.summary === summary);
  if (!found) throw new Error(`There is no event ${summary}`);
  return found;
}
