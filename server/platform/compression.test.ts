import { request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { listUsers } from '#contract/user-management.ts';
import { nobody } from '#server/platform/actor.ts';
import { buildHttp } from '#server/platform/http.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp, testConfig } from '#test/support/app.ts';
import { readContract } from '#test/support/contract.ts';
import { schemaOf } from '#test/support/sample-body.ts';

let server: TestApp;
let cookie: string;
beforeAll(async () => {
  server = await startTestApp();
  const admin = await buildAdmin(server.db);
  for (let count = 0; count < 20; count += 1) await buildParticipant(server.db);
  ({ cookie } = await server.as(admin));
});
afterAll(() => server.close());

interface Answer {
  encoding: string | undefined;
  vary: string | undefined;
  bytes: Buffer;
}

/** A bare request, because fetch undoes the compression. */
function ask(path: string, acceptEncoding: string): Promise<Answer> {
  const headers = { cookie, 'accept-encoding': acceptEncoding };
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, server.url), { headers }, async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part as Buffer);
      const { 'content-encoding': encoding, vary } = answer.headers;
      resolve({ encoding, vary, bytes: Buffer.concat(parts) });
    });
    asked.on('error', reject).end();
  });
}

test('a large answer leaves compressed as the browser takes it, and a small one as it is', async () => {
  const plain = await ask(listUsers.path, 'identity');
  expect(plain.encoding).toBeUndefined();
  const squeezed = await ask(listUsers.path, 'gzip, deflate, br, zstd');
  expect(squeezed).toMatchObject({ encoding: 'br', vary: expect.stringMatching(/accept-encoding/i) });
  expect(squeezed.bytes.length).toBeLessThan(plain.bytes.length / 2);
  expect(JSON.parse(brotliDecompressSync(squeezed.bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()));
  expect((await ask(listUsers.path, 'gzip')).encoding).toBe('gzip');
  expect((await ask('/api/session', 'gzip')).encoding).toBeUndefined();
});

test('the description of the interface leaves compressed too', async () => {
  const { encoding, bytes } = await ask('/api/openapi.json', 'br');
  expect(encoding).toBe('br');
  expect(bytes.length).toBeLessThan(100_000);
});

/** Names in an answer that sound like a secret and are none. */
const noSecrets: Record<string, string> = {
  listWaysIn: 'hasPassword is a yes or no',
  readProofWays: 'hasPassword is a yes or no',
  readSecondFactor: 'recoveryCodesLeft is a number',
  signInByMailCode: 'isPasswordRemoved is a yes or no',
  signInByMailLink: 'isPasswordRemoved is a yes or no',
};

const soundsSecret = /"\w*(token|secret|password|recoverycode|nonce|challenge)\w*":/i;

test('an endpoint that answers a secret says so', async () => {
  const contract = await readContract();
  const sounding = contract
    .filter(({ binary, response }) => !binary && soundsSecret.test(JSON.stringify(schemaOf(response))))
    .filter(({ holdsSecret }) => !holdsSecret);
  expect(sounding.map(({ name }) => name).toSorted()).toEqual(Object.keys(noSecrets).toSorted());
  const secret = contract.filter(({ holdsSecret }) => holdsSecret).map(({ name }) => name);
  expect(secret.toSorted()).toEqual(
    [
      // Tokens, secrets, keys and codes.
      ...[
        'readSession',
        'signIn',
        'confirmRegistration',
        'issueServiceToken',
        'enrolSecondFactor',
        'confirmSecondFactor',
      ],
      ...['renewRecoveryCodes', 'makeCalendarFeed', 'readCalendarFeed', 'renewCalendarFeed'],
      // What must be signed or come back within ten minutes.
      ...['startProviderLink', 'requestSignInNonce', 'requestWalletSignIn', 'requestWalletLink'],
      ...['requestPasskey', 'requestPasskeySignIn'],
    ].toSorted(),
  );
});

test('what an endpoint answers is compressed if it holds no secret and is no stream', async () => {
  const http = await buildHttp(testConfig({}));
  const app = { http, endpoints: [], sessions: { identify: async () => nobody } } as unknown as App;
  const response = z.object({ text: z.string() });
  const open = endpoint({
    name: 'open',
    method: 'GET',
    path: '/api/open',
    access: 'public',
    summary: '',
    shows: [],
    response,
  });
  const handler = async () => ({ text: 'a'.repeat(5_000) });
  serve(app, open, handler);
  serve(app, { ...open, name: 'secret', path: '/api/secret', holdsSecret: true }, handler);
  serve(app, { ...open, name: 'stream', path: '/api/stream', binary: { 200: ['text/csv'] } }, handler);
  const encodingOf = async (url: string) => {
    const answer = await http.inject({ url, headers: { 'accept-encoding': 'gzip, br, zstd' } });
    expect(answer.statusCode).toBe(200);
    return answer.headers['content-encoding'];
  };
  expect(await encodingOf('/api/open')).toBe('br');
  expect(await encodingOf('/api/secret')).toBeUndefined();
  expect(await encodingOf('/api/stream')).toBeUndefined();
  await http.close();
});
