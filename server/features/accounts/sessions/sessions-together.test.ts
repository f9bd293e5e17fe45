import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSession, signOut } from '#contract/accounts.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { statementsSent } from '#test/support/statements.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

/** Asks with all cookies in one turn. Returns who each of them was told to be. */
async function askTogether(cookies: string[]) {
  const asked = cookies.map((cookie) =>
    server.app.http.inject({ method: 'GET', url: readSession.path, headers: { cookie } }),
  );
  const answers = await Promise.all(asked);
  return answers.map((answer) => readSession.response.parse(answer.json()).user?.email ?? null);
}

test('people who ask at once are looked up in one statement, and each is told of themselves alone', async () => {
  const coach = await buildCoach(server.db);
  const people = [coach, ...(await Promise.all([1, 2, 3].map(() => buildParticipant(server.db))))];
  const clients = await Promise.all(people.map((person) => server.as(person)));
  const ended = await server.as(coach);
  await ended.call(signOut);
  const [first, second, third, last] = clients.map(({ cookie }) => cookie) as [string, string, string, string];
  const unknown = first.replace(/=[^.]+/, '=nobody-has-this-token');

  let told: (string | null)[] = [];
  const sent = await statementsSent(server.app.pool, async () => {
    told = await askTogether([first, second, '', third, ended.cookie, first, unknown, last]);
  });

  const emails = people.map(({ email }) => email);
  expect(told).toEqual([emails[0], emails[1], null, emails[2], null, emails[0], null, emails[3]]);
  expect(sent.filter(({ text }) => text.includes('session.token = any'))).toHaveLength(1);
});

test('a session that ends between two requests opens nothing to the second one', async () => {
  const person = await buildParticipant(server.db);
  const { cookie, call } = await server.as(person);
  expect(await askTogether([cookie, cookie])).toEqual([person.email, person.email]);
  await call(signOut);
  expect(await askTogether([cookie, cookie])).toEqual([null, null]);
});

test('each of those who ask at once is told that their session can’t be read, and is asked anew next time', async () => {
  const [one, other] = await Promise.all([buildParticipant(server.db), buildParticipant(server.db)]);
  const cookies = [(await server.as(one)).cookie, (await server.as(other)).cookie];
  const ask = () =>
    Promise.all(cookies.map((cookie) => server.app.http.inject({ url: readSession.path, headers: { cookie } })));
  await server.db.schema.withSchema('auth').alterTable('sign_in_policy').renameTo('policy_away').execute();
  const refused = await ask();
  await server.db.schema.withSchema('auth').alterTable('policy_away').renameTo('sign_in_policy').execute();
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([500, 500]);
  expect(await askTogether(cookies)).toEqual([one.email, other.email]);
});
