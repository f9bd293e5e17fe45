import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPerson } from './factories/people.ts';
import { type Client, startTestApp, type TestApp } from './support/app.ts';

let server: TestApp;
let visitor: Client;
let participant: Client;
let admin: Client;
beforeAll(async () => {
  server = await startTestApp();
  visitor = await server.as(null);
  participant = await server.as(await buildPerson(server.db, { role: 'participant' }));
  admin = await server.as(await buildPerson(server.db, { role: 'admin' }));
});
afterAll(() => server.close());

const registration = {
  lastName: 'Reyes',
  email: 'ana@people.example',
  password: 'Sunny-Grid-2026!',
  requestedRole: 'coach',
  trackType: null,
};

test.each([
  ['a NUL in an address', () => post('/api/auth/sign-in/email', { email: 'a\u0000b', password: 'x' })],
  ['a NUL in a name', () => post('/api/auth/sign-up/email', { ...registration, firstName: 'A\u0000na' })],
  ['half a character in a name', () => post('/api/auth/sign-up/email', { ...registration, firstName: 'A\ud800' })],
  ['an address that is too long', () => post('/api/auth/sign-in/email', { email: 'x'.repeat(20_000), password: 'x' })],
  ['a NUL in a search', () => participant.fetch('/api/training-calendar?search=a%00b')],
  ['a page key without a date', () => admin.fetch(`/api/stipends?week=1&cursor=${'1_0000-01-01_'}${'-'.repeat(36)}`)],
  ['a page key before all dates', () => participant.fetch(`/api/submissions?cursor=${pageKey}`)],
])('%s is refused as input, not answered as a fault of the server', async (_, send) => {
  const answer = await send();
  expect(await answer.json()).toMatchObject({ status: 422, code: 'invalid_input' });
});

test('an address that cannot be decoded is a problem like any other', async () => {
  const answer = await visitor.fetch('/api/%c0');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await answer.json()).toMatchObject({ status: 400, code: 'malformed_request' });
});

test('what the API answers is kept by no cache', async () => {
  expect((await visitor.fetch('/api/session')).headers.get('cache-control')).toBe('no-store');
  expect((await visitor.fetch('/api/dashboards/admin')).headers.get('cache-control')).toBe('no-store');
});

const pageKey = Buffer.from('0000-01-01T00:00:00Z_00000000-0000-7000-8000-000000000000').toString('base64url');

function post(path: string, body: object): Promise<Response> {
  return visitor.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
