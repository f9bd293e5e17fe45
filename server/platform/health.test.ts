import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHealth, readReadiness } from '#contract/health.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

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
});

test('a write that says it comes from another site is refused', async () => {
  const anybody = await server.as(null);
  const foreign: Record<string, string>[] = [
    { origin: 'https://elsewhere.example' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  for (const headers of foreign) {
    const answer = await anybody.fetch('/functions/v1/sync-auth-profiles', { method: 'POST', headers });
    expect(answer.status).toBe(403);
    expect((await answer.json()).code).toBe('csrf_refused');
  }
});
