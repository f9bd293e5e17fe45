import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSession, signOut } from '#contract/accounts.ts';
import { roleCookie } from '#server/sign-in/auth-cookie.ts';
import { buildCoach } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('each session has a key of its own for what the device keeps, the same whenever it is read, and nobody has one', async () => {
  const coach = await buildCoach(server.db);
  const [here, there] = [await server.as(coach), await server.as(coach)];
  const { deviceKey } = await here.call(readSession);
  expect(Buffer.from(deviceKey ?? '', 'base64')).toHaveLength(32);
  expect((await here.call(readSession)).deviceKey).toBe(deviceKey);
  expect((await there.call(readSession)).deviceKey).not.toBe(deviceKey);
  const answer = await fetch(server.url + readSession.path);
  expect(await answer.json()).toMatchObject({ user: null, deviceKey: null });
});

test('a browser is told its role for the next page once, and loses it with the session; other clients are told none', async () => {
  const coach = await buildCoach(server.db);
  const client = await server.as(coach);
  const told = async (headers: Record<string, string>) =>
    (await client.fetch(readSession.path, { headers })).headers.getSetCookie();
  const fromBrowser = { 'sec-fetch-site': 'same-origin' };
  const publicUrl = server.app.config.publicUrl;
  expect(await told(fromBrowser)).toEqual([roleCookie('coach', publicUrl)]);
  expect(await told({})).toEqual([]);
  const [pair = ''] = roleCookie('coach', publicUrl).split(';');
  expect(pair).toMatch(/=coach$/);
  const signedOut = await fetch(server.url + readSession.path, { headers: { ...fromBrowser, cookie: pair } });
  expect(signedOut.headers.getSetCookie()).toEqual([roleCookie(null, publicUrl)]);
  const leaving = { ...fromBrowser, origin: server.url, cookie: `${client.cookie}; ${pair}` };
  const left = await fetch(server.url + signOut.path, { method: 'POST', headers: leaving });
  expect(left.headers.getSetCookie()).toContain(roleCookie(null, publicUrl));
  expect(roleCookie(null, publicUrl)).toMatch(/Max-Age=0;.*HttpOnly; SameSite=Lax/);
});
