import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessList } from '#server/platform/serve.ts';
import { startTestApp, type TestApp } from './support/app.ts';
import { readContract } from './support/contract.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('every endpoint of the contract is served, and nothing else is', async () => {
  const promised = (await readContract()).map(({ name }) => name);
  const served = server.app.endpoints.map(({ name }) => name);
  expect(served.toSorted()).toEqual(promised.toSorted());
  expect(new Set(served).size).toBe(served.length);
});

test('who may call what is as it was reviewed', async () => {
  const lines = (await readContract()).map((endpoint) => {
    const access = [accessList(endpoint)].flat().join(' ');
    return `${endpoint.method.padEnd(6)} ${endpoint.path.padEnd(58)} ${access.padEnd(24)} ${endpoint.name}`;
  });
  await expect(`${lines.toSorted().join('\n')}\n`).toMatchFileSnapshot('permission-map.txt');
});

test('the OpenAPI document names every endpoint with the roles that may call it', async () => {
  const anybody = await server.as(null);
  const document = await (await anybody.fetch('/api/openapi.json')).json();
  expect(document.openapi).toBe('3.1.0');
  for (const endpoint of await readContract()) {
    const operation = document.paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
    expect(operation, endpoint.name).toMatchObject({ operationId: endpoint.name, 'x-access': accessList(endpoint) });
  }
});

test('the reference page loads nothing from outside', async () => {
  const anybody = await server.as(null);
  const page = await anybody.fetch('/api/reference');
  expect(page.status).toBe(200);
  expect(await page.text()).not.toMatch(/(src|href)="(https?:)?\/\//);
  expect(page.headers.get('content-security-policy')).not.toMatch(/https?:\/\/|validator/);
});
