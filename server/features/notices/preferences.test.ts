import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  defaultPreferences,
  type NotificationPreferences,
  readNotificationPreferences,
  saveNotificationPreferences,
} from '#contract/notices.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const opposite: NotificationPreferences = {
  emailEnabled: false,
  smsEnabled: true,
  pushEnabled: false,
  assignmentReminders: false,
  deadlineAlerts: false,
  performanceFeedback: false,
  stipendUpdates: false,
  coachMessages: false,
};

function rowsOf(userId: string) {
  return server.db.selectFrom('notificationPreferences').selectAll().where('userId', '=', userId).execute();
}

test('PREF-04 in every role somebody without stored preferences reads the defaults, and reading stores nothing', async () => {
  for (const build of [buildParticipant, buildCoach, buildAdmin]) {
    const person = await build(server.db);
    const { preferences } = await (await server.as(person)).call(readNotificationPreferences);
    expect(preferences).toEqual({
      emailEnabled: true,
      smsEnabled: false,
      pushEnabled: true,
      assignmentReminders: true,
      deadlineAlerts: true,
      performanceFeedback: true,
      stipendUpdates: true,
      coachMessages: true,
    });
    expect(await rowsOf(person.id)).toEqual([]);
  }
});

test('PREF-05 saving stores all eight values in the one row of the person, also of two requests at once', async () => {
  const person = await buildParticipant(server.db);
  const client = await server.as(person);
  const told = await toldBy(server, async () =>
    expect(await client.call(saveNotificationPreferences, { body: opposite })).toEqual(opposite),
  );
  // Otherwise a form that is open elsewhere would write back its earlier values.
  expect(told(person)).toEqual(['preferences']);
  expect(await rowsOf(person.id)).toEqual([{ userId: person.id, ...opposite }]);
  expect((await client.call(readNotificationPreferences)).preferences).toEqual(opposite);

  const chosen = { ...defaultPreferences, stipendUpdates: false };
  await Promise.all([1, 2, 3].map(() => client.call(saveNotificationPreferences, { body: chosen })));
  expect(await rowsOf(person.id)).toEqual([{ userId: person.id, ...chosen }]);
});

test('PREF-08 a person reads and writes their own preferences alone, whatever the request names; nobody signed out does', async () => {
  const [robin, other] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  const client = await server.as(robin);
  await (await server.as(other)).call(saveNotificationPreferences, { body: opposite });
  const answer = await client.fetch(`${saveNotificationPreferences.path}?userId=${other.id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...defaultPreferences, userId: other.id, user_id: other.id }),
  });
  expect(answer.status).toBe(200);
  expect(await rowsOf(other.id)).toEqual([{ userId: other.id, ...opposite }]);
  expect(await rowsOf(robin.id)).toEqual([{ userId: robin.id, ...defaultPreferences }]);
  expect((await client.call(readNotificationPreferences)).preferences).toEqual(defaultPreferences);

  const nobody = await server.as(null);
  expect((await nobody.refused(readNotificationPreferences)).status).toBe(401);
  expect((await nobody.refused(saveNotificationPreferences, { body: opposite })).status).toBe(401);
});

test('an answer that leaves one of the eight out is refused and changes nothing', async () => {
  const person = await buildCoach(server.db);
  const { coachMessages, ...incomplete } = opposite;
  expect(coachMessages).toBe(false);
  const refused = await (await server.as(person)).refused(saveNotificationPreferences, { body: incomplete as never });
  expect(refused.problem).toMatchObject({ code: 'invalid_input', errors: [{ path: 'coachMessages' }] });
  expect(await rowsOf(person.id)).toEqual([]);
});

test('the server says by which channels it can send', async () => {
  const read = async (given: TestApp) =>
    (await (await given.as(await buildCoach(given.db))).call(readNotificationPreferences)).isSetUp;
  expect(await read(server)).toMatchObject({ email: false, sms: false });
  const withMail = await startTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' });
  expect(await read(withMail)).toMatchObject({ email: true });
  await withMail.close();
});
