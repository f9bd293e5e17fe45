import { afterAll, beforeAll, expect, test } from 'vitest';
import { listSessions } from '#contract/sessions.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { createPerson } from '#test/support/second-factor.ts';
import { signInWith } from '#test/support/sign-in.ts';
import { countedAddress, countedSite, isAddressOrRange } from './client-address.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

/** Returns the address that the server keeps for a sign-in's limit and its session. */
async function addressOf(instance: TestApp, forwardedFor: string): Promise<string | null> {
  const person = await createPerson(server);
  await server.db.deleteFrom('auth.rateLimit').execute();
  const { status } = await signInWith(instance, person.email, person.password, { 'x-forwarded-for': forwardedFor });
  expect(status).toBe(200);
  const session = await server.db
    .selectFrom('auth.session')
    .select('ipAddress')
    .where('userId', '=', person.id)
    .executeTakeFirstOrThrow();
  const counters = await server.db.selectFrom('auth.rateLimit').select('key').execute();
  expect(counters.map(({ key }) => key)).toContain(`sign-in-from:${countedAddress({ ip: session.ipAddress ?? '' })}`);
  return session.ipAddress;
}

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['198.51.100.4, 203.0.113.7', '203.0.113.7'],
  ['anything, 203.0.113.7', '203.0.113.7'],
  ['anything', '127.0.0.1'],
  ['203.0.113.7, anything', '127.0.0.1'],
  ['203.0.113.7:4711', '127.0.0.1'],
  ["'; drop table", '127.0.0.1'],
  [',', '127.0.0.1'],
  ['fe80::1%anything', '127.0.0.1'],
  ['::ffff:203.0.113.7%anything', '127.0.0.1'],
  ['fe80::1%anything, 203.0.113.7', '203.0.113.7'],
])('a proxy on this machine says where a request comes from: %s is %s', async (forwardedFor, address) => {
  expect(await addressOf(server, forwardedFor)).toBe(address);
});

test('only the proxies that are named are believed', async () => {
  const open = (list: string) =>
    openTestApp(server.connectionString, { DATA_DIR: server.app.config.dataDir, TRUST_PROXY: list });
  const [elsewhere, chain] = [await open('10.0.0.0/8'), await open('127.0.0.1, 203.0.113.0/24')];
  try {
    expect(await addressOf(elsewhere, '203.0.113.7')).toBe('127.0.0.1');
    expect(await addressOf(chain, '192.0.2.1, 198.51.100.4, 203.0.113.7')).toBe('198.51.100.4');
  } finally {
    await elsewhere.close();
    await chain.close();
  }
});

test('text that is no address stands in no list of sessions', async () => {
  const person = await createPerson(server);
  const forwardedFor = { 'x-forwarded-for': '<b>somewhere</b>' };
  const { cookie } = await signInWith(server, person.email, person.password, forwardedFor);
  const answer = await fetch(`${server.url}${listSessions.path}`, { headers: { cookie, ...forwardedFor } });
  expect(await answer.json()).toMatchObject({ rows: [{ place: 'This computer' }] });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:203.0.113.7%eth0', '203.0.113.7'],
])('limits count %s as %s', (ip, counted) => {
  expect(countedAddress({ ip })).toBe(counted);
});

test.each([
  ['203.0.113.7', null],
  ['::ffff:203.0.113.7', null],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
])('of %s the site is %s', (ip, site) => {
  expect(countedSite({ ip })).toBe(site);
});

test.each(['10.0.0.7', '10.0.0.0/8', '::1', '2001:db8::/32', '192.0.2.1/32'])('%s names proxies', (text) => {
  expect(isAddressOrRange(text)).toBe(true);
});

test.each([
  '',
  '1',
  'true',
  'loopback',
  'proxy.example',
  '10.0.0.0/33',
  '0.0.0.0/0',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '::/129',
])('"%s" names no proxy', (text) => {
  expect(isAddressOrRange(text)).toBe(false);
});
