import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { changePassword, setPassword } from '#contract/accounts.ts';
import { makeCalendarFeed, readCalendarFeed, renewCalendarFeed, stopCalendarFeed } from '#contract/calendar-feeds.ts';
import { endOtherSessions, endSessionsOfPerson } from '#contract/sessions.ts';
import { issuePasswordLinks } from '#server/sign-in/password-links.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { buildMemberWithCoach, openFeed, readFeed } from '#test/support/calendar-feed.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { countStatements } from '#test/support/statements.ts';

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

test('the address is made once, shown again, renewed so that the old one stops, and taken away; each is on record', async () => {
  const { participant } = await buildMemberWithCoach(app);
  const client = await app.as(participant);
  expect(await client.call(readCalendarFeed)).toEqual({ feed: null });
  const made = await Promise.all(Array.from({ length: 5 }, () => client.call(makeCalendarFeed)));
  expect(new Set(made.map(({ address }) => address)).size).toBe(1);
  const [{ address = '' } = {}] = made;
  expect(address).toMatch(/^https:\/\/switchyard\.example\/calendar\/[\w-]{43}\.ics$/);
  expect(await client.call(readCalendarFeed)).toMatchObject({ feed: { address, lastReadAt: null } });
  const old = new URL(address).pathname;
  expect((await readFeed(app, old)).response.status).toBe(200);
  const { feed } = await client.call(readCalendarFeed);
  expect(feed?.lastReadAt).toBe('2025-10-08T14:00:00.000Z');

  const renewed = await client.call(renewCalendarFeed);
  expect(renewed).toMatchObject({ lastReadAt: null });
  const fresh = new URL(renewed.address).pathname;
  expect([(await readFeed(app, old)).response.status, (await readFeed(app, fresh)).response.status]).toEqual([
    404, 200,
  ]);
  await client.call(stopCalendarFeed);
  await client.call(stopCalendarFeed);
  expect((await readFeed(app, fresh)).response.status).toBe(404);
  expect(await client.call(readCalendarFeed)).toEqual({ feed: null });
  const acts = await app.db.selectFrom('auditLog').select('action').where('actorId', '=', participant.id).execute();
  expect(acts.map(({ action }) => action).sort()).toEqual([
    'calendar_feed.make',
    'calendar_feed.renew',
    'calendar_feed.stop',
  ]);
});

test('the database holds neither the address nor its secret in the clear', async () => {
  const { path } = await openFeed(app, (await buildMemberWithCoach(app)).participant);
  const token = path.slice('/calendar/'.length, -'.ics'.length);
  const stored = JSON.stringify(await app.db.selectFrom('calendarFeeds').selectAll().execute());
  expect(stored).not.toContain(token);
});

test('a change of role, a deleted person and a deleted sign-in each stop the address', async () => {
  const leave = [
    (id: string) => app.db.updateTable('profiles').set({ role: 'coach' }).where('id', '=', id).execute(),
    (id: string) => app.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', id).execute(),
    (id: string) => app.db.deleteFrom('auth.user').where('id', '=', id).execute(),
  ];
  for (const act of leave) {
    const { participant } = await buildMemberWithCoach(app);
    const { path } = await openFeed(app, participant);
    expect((await readFeed(app, path)).response.status).toBe(200);
    await act(participant.id);
    expect((await readFeed(app, path)).response.status).toBe(404);
  }
});

test('a reset password, signing out everywhere and ending all other sessions stop the address; a password changed by hand leaves it', async () => {
  const { participant } = await buildMemberWithCoach(app);
  const admin = await app.as(await buildAdmin(app.db));
  const opened = async () => (await openFeed(app, participant)).path;
  const isOpen = async (path: string) => (await readFeed(app, path)).response.status === 200;
  const [link = ''] = await issuePasswordLinks(app.db, 'https://switchyard.example', [
    { userId: participant.id, invitationId: null },
  ]);
  const token = /[\w-]{43}/.exec(link)?.[0] ?? '';
  const [first, currentPassword] = [await opened(), 'Blue-Kettle-47-Moon'];
  await (await app.as(null)).call(setPassword, { body: { token, newPassword: currentPassword } });
  expect(await isOpen(first)).toBe(false);
  const second = await opened();
  expect(second).not.toBe(first);
  const body = { currentPassword, newPassword: 'Green-Ladder-92-Rain' };
  await (await app.as(participant)).call(changePassword, { body });
  expect(await isOpen(second)).toBe(true);
  await (await app.as(participant)).call(endOtherSessions);
  expect(await isOpen(second)).toBe(false);
  const third = await opened();
  await admin.call(endSessionsOfPerson, { params: { id: participant.id } });
  expect(await isOpen(third)).toBe(false);
});

test('after a change of role there is no address until a new one is made', async () => {
  const { participant } = await buildMemberWithCoach(app);
  const { client, address } = await openFeed(app, participant);
  await app.db.updateTable('profiles').set({ role: 'coach' }).where('id', '=', participant.id).execute();
  expect(await client.call(readCalendarFeed)).toEqual({ feed: null });
  const again = await client.call(makeCalendarFeed);
  expect(again.address).not.toBe(address);
  expect((await readFeed(app, new URL(again.address).pathname)).response.status).toBe(200);
});

test('unknown, misspelt and taken-away addresses are refused alike', async () => {
  const { client, path } = await openFeed(app, (await buildMemberWithCoach(app)).participant);
  await client.call(stopCalendarFeed);
  const unknown = `/calendar/${'A'.repeat(43)}.ics`;
  const answers = await Promise.all(
    [path, unknown, path.replace('.ics', ''), '/calendar/short.ics', `/calendar/${'A'.repeat(250)}.ics`].map(refusalAt),
  );
  const [first] = answers;
  expect(first).toMatchObject({ status: 404, code: 'not_found' });
  for (const answer of answers) expect(answer).toEqual(first);
});

async function refusalAt(path: string) {
  const { response, text } = await readFeed(app, path);
  const { code, detail } = JSON.parse(text);
  return { status: response.status, code, detail };
}

test('a program that has the calendar as it is gets 304, and the whole of it after any change', async () => {
  const { cohort, participant } = await buildMemberWithCoach(app);
  const activity = await buildActivity(app.db, { cohortId: cohort.id, sessionDate: '2025-10-10' });
  const { path } = await openFeed(app, participant);
  const tag = (await readFeed(app, path)).response.headers.get('etag') ?? '';
  expect(tag).toMatch(/^W\/"/);
  const again = await readFeed(app, path, { 'if-none-match': `"another", ${tag}` });
  expect([again.response.status, again.text]).toEqual([304, '']);
  await app.db.deleteFrom('trainingActivities').where('id', '=', activity.id).execute();
  const changed = await readFeed(app, path, { 'if-none-match': tag });
  expect(changed.response.status).toBe(200);
  expect(changed.response.headers.get('etag')).not.toBe(tag);
});

test('a calendar of any size is read in three statements', async () => {
  const { cohort, participant } = await buildMemberWithCoach(app);
  const { path } = await openFeed(app, participant);
  await readFeed(app, path);
  const few = await countStatements(app.app.pool, () => readFeed(app, path));
  for (let number = 0; number < 30; number++) {
    await buildActivity(app.db, { cohortId: cohort.id, sessionDate: '2025-10-10' });
  }
  expect(await countStatements(app.app.pool, () => readFeed(app, path))).toBe(few);
  expect(few).toBe(3);
});

test('reading too often, and guessing too often, has to wait', async () => {
  const strict = await startTestApp({ RATE_LIMIT_FACTOR: '0.02' });
  try {
    const client = await strict.as(await buildParticipant(strict.db));
    const { address } = await client.call(makeCalendarFeed);
    const anybody = await strict.as(null);
    const statusOf = async (path: string) => (await anybody.fetch(path)).status;
    const own = new URL(address).pathname;
    expect([await statusOf(own), await statusOf(own), await statusOf(own), await statusOf(own)]).toEqual([
      200, 200, 200, 429,
    ]);
    const wrong = `/calendar/${'A'.repeat(43)}.ics`;
    expect([await statusOf(wrong), await statusOf(wrong), await statusOf(wrong)]).toEqual([404, 404, 429]);
    const refused = await anybody.fetch(own);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await strict.close();
  }
});
