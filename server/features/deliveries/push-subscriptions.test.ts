import { createECDH } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPush, subscribePush } from '#contract/push.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
let client: Client;
beforeAll(async () => {
  server = await startTestApp({ PUSH_ALLOW_PRIVATE: '1' });
  client = await server.as(await buildParticipant(server.db));
});
afterAll(() => server.close());

const pair = createECDH('prime256v1');
const keys = { p256dh: pair.generateKeys('base64url'), auth: 'A'.repeat(22) };

test.each(['http://10.0.0.5:8080/push/1', 'http://push.internal/2', 'http://127.0.0.1:9/3', 'https://push.example/4'])(
  'where private push services are allowed, a browser of %s is added',
  async (endpoint) => {
    await client.call(subscribePush, { body: { endpoint, keys } });
    expect(await client.call(checkPush, { body: { endpoint } })).toEqual({ isOwn: true });
  },
);

test.each([
  ['no point of the curve', 'B'.repeat(87)],
  ['a point of the curve at infinity and more', 'A'.repeat(87)],
])('a key that is %s is refused, instead of failing when something is pushed', async (_, p256dh) => {
  const endpoint = 'https://push.example/refused';
  expect(await client.refused(subscribePush, { body: { endpoint, keys: { ...keys, p256dh } } })).toMatchObject({
    status: 422,
    problem: { code: 'invalid_input', errors: [{ path: 'keys.p256dh', message: "This is not a browser's key." }] },
  });
  expect(await client.call(checkPush, { body: { endpoint } })).toEqual({ isOwn: false });
});
