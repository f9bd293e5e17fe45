import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { errorCodes } from '#contract/errors.ts';
import { accessList } from '#server/platform/serve.ts';
import { startTestApp, type TestApp } from './support/app.ts';
import { readContract } from './support/contract.ts';

const builtPages = path.resolve(import.meta.dirname, '../dist/web');
/** The server's routes beside the contract and the files of the browser app. */
const besideTheContract = [
  'GET /api/openapi.json',
  'GET /api/reference',
  // The upload protocol asks here how much has arrived.
  'HEAD /api/uploads/:id',
];

const Refusal = z.object({ 'application/problem+json': z.object({ schema: z.object({ $ref: z.string() }) }) });
const Operation = z.looseObject({
  security: z.unknown().optional(),
  responses: z.looseObject({ default: z.looseObject({ content: Refusal }) }),
});
const ProblemSchema = z.looseObject({
  properties: z.looseObject({ code: z.looseObject({ enum: z.array(z.string()) }) }),
  required: z.array(z.string()),
});
/** The parts of the document that the test compares with the contract. */
const ApiDocument = z.looseObject({
  openapi: z.string(),
  security: z.unknown().optional(),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.object({ Problem: ProblemSchema }).catchall(z.unknown()) }),
});

const routes = new Set<string>();
let server: TestApp;
beforeAll(async () => {
  subscribe('fastify.initialization', seeRoutes);
  server = await startTestApp();
  unsubscribe('fastify.initialization', seeRoutes);
});
afterAll(() => server.close());

function seeRoutes(message: unknown) {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.add(`${one} ${url}`);
  });
}

/** Fastify answers HEAD where it answers GET, and a folder with and without its slash. */
function followsFrom(route: string): boolean {
  return (
    (route.startsWith('HEAD ') && routes.has(route.replace('HEAD', 'GET'))) ||
    (route.endsWith('/') && routes.has(route.slice(0, -1)))
  );
}

/** The files of the browser app, if it is built. */
function isBuiltFile(route: string): boolean {
  const [method, url = ''] = route.split(' ');
  return method === 'GET' && url !== '/' && existsSync(path.join(builtPages, decodeURIComponent(url)));
}

test('every endpoint of the contract is served, and nothing else is but what is named here', async () => {
  const promised = (await readContract()).map(({ name }) => name);
  const served = server.app.endpoints.map(({ name }) => name);
  expect(served.toSorted()).toEqual(promised.toSorted());
  expect(new Set(served).size).toBe(served.length);

  const described = server.app.endpoints.map(({ method, path }) => `${method} ${path}`);
  const answered = [...routes].filter((route) => !followsFrom(route) && !isBuiltFile(route));
  expect(answered.toSorted()).toEqual([...described, ...besideTheContract].toSorted());
});

test('permissions are as they were reviewed', async () => {
  const lines = (await readContract()).map((endpoint) => {
    const access = [accessList(endpoint)].flat().join(' ');
    return `${endpoint.method.padEnd(6)} ${endpoint.path.padEnd(58)} ${access.padEnd(24)} ${endpoint.name}`;
  });
  await expect(`${lines.toSorted().join('\n')}\n`).toMatchFileSnapshot('permission-map.txt');
});

test('the OpenAPI document names every endpoint with the roles that may call it, and how it refuses', async () => {
  const anybody = await server.as(null);
  const document = ApiDocument.parse(await (await anybody.fetch('/api/openapi.json')).json());
  expect(document.openapi).toBe('3.1.0');
  for (const endpoint of await readContract()) {
    const operation = document.paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
    expect(operation, endpoint.name).toMatchObject({ operationId: endpoint.name, 'x-access': accessList(endpoint) });
    const needsNoSession = ['public', 'signed'].includes(endpoint.access);
    if (!operation) throw new Error(`${endpoint.name} is not described.`);
    expect(operation.security ?? document.security, endpoint.name).toEqual(
      needsNoSession ? [] : [{ session: [] }, { bearer: [] }],
    );
    const statuses = endpoint.binary ? Object.keys(endpoint.binary) : [200, endpoint.alsoWith ?? []].flat().map(String);
    expect(Object.keys(operation.responses), endpoint.name).toEqual([...statuses, 'default']);
    const { $ref } = operation.responses.default.content['application/problem+json'].schema;
    const problem = endpoint.path.startsWith('/functions/v1/') ? 'FunctionProblem' : 'Problem';
    expect($ref, endpoint.name).toBe(`#/components/schemas/${problem}`);
  }
  expect(document.components.schemas.Problem.properties.code.enum).toEqual(errorCodes);
  expect(document.components.schemas.Problem.required).toContain('detail');
});

test('the OpenAPI document is one, by the rules of its version, and each of its references leads somewhere', async () => {
  const anybody = await server.as(null);
  const document = ApiDocument.parse(await (await anybody.fetch('/api/openapi.json')).json());
  expect(await new Validator().validate(document)).toEqual({ valid: true });
  const targets = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  const used = [...new Set([...targets].map(([, name]) => name))];
  expect(used.toSorted()).toEqual(Object.keys(document.components.schemas).toSorted());
});

test('the reference page tells of every endpoint and loads nothing from outside', async () => {
  const anybody = await server.as(null);
  const page = await anybody.fetch('/api/reference');
  expect(page.status).toBe(200);
  const text = await page.text();
  for (const { name } of server.app.endpoints) expect(text).toContain(`<details id="${name}">`);
  expect(text).not.toMatch(/<script|(src|href)="(https?:)?\/\//);
  expect(page.headers.get('content-security-policy')).not.toMatch(/https?:\/\/|validator/);
});
