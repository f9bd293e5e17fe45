import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readHealth, readReadiness } from '#contract/health.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { type Client, openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('the process says that it is alive, and what it stands on', async () => {
  const anybody = await server.as(null);
  expect(await anybody.call(readHealth)).toEqual({ status: 'ok' });
  expect(await anybody.call(readReadiness)).toMatchObject({ status: 'ok', database: 'ok', storage: 'ok' });
});

/** The server keeps a result for a moment, so the test waits for the next one. */
async function expectSoon(anybody: Client, expected: object) {
  await vi.waitFor(async () => expect(await readiness(anybody)).toEqual(expected));
}

async function readiness(anybody: Client) {
  const answer = await anybody.fetch(readReadiness.path);
  return { http: answer.status, ...readReadiness.response.parse(await answer.json()) };
}

test('a process whose folder, jobs or database is away answers 503, names the part, and still says that it is alive', async () => {
  const anybody = await server.as(null);
  const well = { http: 200, status: 'ok', database: 'ok', storage: 'ok', jobs: 'ok' };
  expect(await readiness(anybody)).toEqual(well);

  const folder = path.join(server.app.config.dataDir, 'files');
  await rm(folder, { recursive: true });
  await expectSoon(anybody, { ...well, http: 503, status: 'failed', storage: 'failed' });
  await mkdir(folder);
  await expectSoon(anybody, well);

  const jobs = await server.runJobs();
  expect(await readiness(anybody)).toEqual(well);
  await jobs.stop();
  expect(await readiness(anybody)).toEqual({ ...well, http: 503, status: 'failed', jobs: 'failed' });

  const { dataDir } = server.app.config;
  const alone = await openTestApp('postgres://nobody@127.0.0.1:1/away', { DATA_DIR: dataDir });
  const visitor = await alone.as(null);
  expect(await readiness(visitor)).toEqual({ ...well, http: 503, status: 'failed', database: 'failed' });
  expect(await visitor.call(readHealth)).toEqual({ status: 'ok' });
  await alone.close();
});

test('every answer carries the security headers, and no script may come from elsewhere', async () => {
  const anybody = await server.as(null);
  const answer = await anybody.fetch('/healthz');
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('ERR-06 an error answer is a problem document without stack or query text', async () => {
  const anybody = await server.as(null);
  const answer = await anybody.fetch('/api/nothing-here');
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  const problem = await answer.json();
  expect(problem).toMatchObject({ code: 'not_found', status: 404 });
  expect(JSON.stringify(problem)).not.toMatch(/at .*\.ts|select |node_modules/);

  // A statement fails in an answer of the API, and in one of the functions.
  const admin = await server.as(await buildAdmin(server.db));
  const password = 'Very-Secret-1';
  const body = JSON.stringify({ email: 'new@people.example', password, firstName: 'Nia', lastName: 'Nox' });
  const register = { firstName: 'Nia', lastName: 'Nox', requestedRole: 'participant', trackType: 'fellowship' };
  await sql`alter table auth.account add constraint nobody check (password is null) not valid`.execute(server.db);
  const send = (path: string, sent: string) =>
    admin.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: sent });
  const failed = [
    await send('/functions/v1/create-admin-user', body),
    await send('/api/auth/sign-up/email', JSON.stringify({ ...register, email: 'other@people.example', password })),
  ];
  await sql`alter table auth.account drop constraint nobody`.execute(server.db);
  for (const one of failed) {
    const text = await one.text();
    expect(one.status, text).toBe(500);
    expect(text).not.toMatch(
      /at .*\.ts|select |insert |node_modules|auth\.|"account"|constraint|nobody|Very-Secret|argon/,
    );
  }
});

test('a write that says it comes from another site is refused', async () => {
  const anybody = await server.as(null);
  const foreign: Record<string, string>[] = [
    { origin: 'https://elsewhere.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    const answer = await anybody.fetch('/functions/v1/sync-auth-profiles', { method: 'POST', headers });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect((await problemOf(answer)).code).toBe('csrf_refused');
  }
});
