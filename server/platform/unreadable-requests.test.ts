import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processBulkInvitations } from '#contract/documented-functions.ts';
import { Problem } from '#contract/errors.ts';
import { checkImport } from '#contract/import-results.ts';
import { createResource } from '#contract/resources.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { startTestApp, type TestApp, testConfig } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { buildHttp } from './http.ts';
import { refuseUnsendableHeaders } from './unreadable-requests.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

interface Sent {
  url?: string;
  /** Sends more of the request while the server waits for it. */
  goOn?: (socket: Socket) => NodeJS.Timeout;
}

/** Sends bytes that no client library would, and reads until the server closes. */
function sendBytes(
  text: string,
  { url = server.url, goOn }: Sent = {},
): Promise<{ status: number; headers: string; problem: Problem }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let going: NodeJS.Timeout | undefined;
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(text);
      going = goOn?.(socket);
    });
    socket.on('close', () => clearInterval(going));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [headers = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
      resolve({ status: Number(headers.split(' ')[1]), headers, problem: Problem.parse(JSON.parse(body)) });
    });
  });
}

test.each([
  [
    'headers that are too large',
    `GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
    'too_large',
  ],
  ['a line that is no header', 'GET /healthz HTTP/1.1\r\nhost: x\r\nno header\r\n\r\n', 400, 'malformed_request'],
  ['what is no HTTP', 'hello\r\n\r\n', 400, 'malformed_request'],
])('%s: answered by a problem document', async (_what, text, status, code) => {
  const answer = await sendBytes(text);
  expect(answer.status).toBe(status);
  expect(answer.headers).toContain('content-type: application/problem+json');
  expect(answer.problem).toMatchObject({ status, code, errors: null });
  expect(answer.problem.detail).toMatch(/^The .+\.$/);
});

test.each([
  ['a batch of rows to check', checkImport, 8],
  ['a batch of invitations', processBulkInvitations, 8],
  ['anything else', createResource, 1],
])('%s: a request of JSON is taken up to its limit, and not a byte more', async (_what, endpoint, mebibytes) => {
  const admin = await server.as(await buildAdmin(server.db));
  const limit = mebibytes * 1024 * 1024;
  const codes: string[] = [];
  for (const size of [limit, limit + 1]) {
    const empty = JSON.stringify({ filler: '' });
    const answer = await admin.fetch(endpoint.path, {
      method: endpoint.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ filler: 'a'.repeat(size - empty.length) }),
    });
    codes.push(`${answer.status} ${(await problemOf(answer)).code}`);
  }
  expect(codes).toEqual(['422 invalid_input', '413 too_large']);
});

test('an answer whose headers cannot be sent becomes a problem document without what they held', async () => {
  const http = await buildHttp(testConfig({}));
  const broken: Record<string, string | string[]> = {
    location: '/x\nset-cookie: y',
    'set-cookie': ['a=1', 'b=\u20ac'],
  };
  for (const [name, value] of Object.entries(broken)) {
    http.get(`/${name}`, async (_request, reply) => reply.header(name, value).code(302).send());
  }
  refuseUnsendableHeaders(http);
  for (const name of Object.keys(broken)) {
    const answer = await http.inject(`/${name}`);
    expect(answer.statusCode).toBe(500);
    expect(answer.headers[name]).toBeUndefined();
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.headers['content-security-policy']).toBeDefined();
    expect(Problem.parse(answer.json())).toMatchObject({ code: 'internal', status: 500 });
    expect(answer.body).not.toContain('header');
  }
  await http.close();
});

/** Serves addresses that read what they get, with limits that a test can wait for. */
async function openReader() {
  const http = await buildHttp(testConfig({}), undefined, { stallInMs: 1_000, wholeInMs: 1_500 });
  http.addContentTypeParser('application/offset+octet-stream', async (_request: FastifyRequest, payload: Readable) =>
    buffer(payload),
  );
  http.post('/text', async ({ body }) => ({ length: JSON.stringify(body).length }));
  http.patch('/file', async ({ body }) => ({ length: (body as Buffer).length }));
  return { http, url: await http.listen({ host: '127.0.0.1', port: 0 }) };
}

const bit = (socket: Socket) => setInterval(() => socket.write(' '), 100);

test.each([
  ['stops half-way', undefined],
  ['comes by drops', bit],
])('a body that %s is given up and its connection closed', async (_what, goOn) => {
  const { http, url } = await openReader();
  const headers = 'host: x\r\ncontent-type: application/json\r\ncontent-length: 5000';
  const answer = await sendBytes(`POST /text HTTP/1.1\r\n${headers}\r\n\r\n{"half": `, { url, goOn });
  expect(answer.status).toBe(408);
  expect(answer.problem.detail).toBe('The request took too long to arrive.');
  await http.close();
});

test('a part of a file may take as long as it needs while it goes on, and is given up when it stalls', async () => {
  const { http, url } = await openReader();
  const begin = (length: number) =>
    `PATCH /file HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/offset+octet-stream\r\ncontent-length: ${length}\r\n\r\n`;
  const whole = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(begin(40));
      const going = bit(socket);
      socket.once('data', (answer) => {
        clearInterval(going);
        resolve(answer.toString());
      });
    });
    socket.on('error', reject);
  });
  expect(whole).toMatch(/^HTTP\/1\.1 200 /);
  expect((await sendBytes(`${begin(40)}half`, { url })).status).toBe(408);
  await http.close();
});
