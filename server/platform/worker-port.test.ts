import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { listenForMonitoring } from './worker-port.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('monitoring reaches a worker, and nobody else finds anything there', async () => {
  const { port, close } = await listenForMonitoring(server.app, 0);
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  expect(await (await ask('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await ask('/readyz')).status).toBe(200);
  expect(await (await ask('/metrics')).text()).toContain('switchyard_jobs_total');
  for (const path of ['/', '/api/session', '/login', '//metrics/x', '/metrics/']) {
    expect((await ask(path)).status).toBe(404);
  }
  expect((await ask('/metrics', { method: 'POST' })).status).toBe(404);
  expect((await ask('/metrics', { headers: { via: '1.1 proxy' } })).status).toBe(404);
  await close();
  await expect(ask('/healthz')).rejects.toThrow('fetch failed');
});
