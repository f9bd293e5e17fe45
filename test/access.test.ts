import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { type Role, roles } from '#contract/roles.ts';
import { accessList } from '#server/platform/serve.ts';
import { buildPerson } from './factories/people.ts';
import { type Client, startTestApp, type TestApp } from './support/app.ts';
import { readContract } from './support/contract.ts';
import { buildForeignWorld, type ForeignWorld, foreignCalls } from './support/foreign-records.ts';

const contract = await readContract();
const guarded = contract.filter(({ access }) => access !== 'public' && access !== 'signed');

let server: TestApp;
let world: ForeignWorld;
const clients = new Map<Role | 'signed out', Client>();
beforeAll(async () => {
  server = await startTestApp();
  clients.set('signed out', await server.as(null));
  for (const role of roles) clients.set(role, await server.as(await buildPerson(server.db, { role })));
  world = await buildForeignWorld(server.db);
});
afterAll(() => server.close());

describe('SEC-01 SEC-02', () => {
  test.each(guarded.map((endpoint) => [endpoint.name, endpoint] as const))(
    'SEC-02 ERR-01 nobody signed out may call %s',
    async (_, endpoint) => {
      const answer = await send('signed out', endpoint);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ code: 'not_authenticated', detail: 'Not authenticated' });
    },
  );

  test.each(roles.flatMap((role) => refusedFor(role).map((endpoint) => [role, endpoint.name, endpoint] as const)))(
    'SEC-01 SEC1-20 the role %s may not call %s',
    async (role, _, endpoint) => {
      const answer = await send(role, endpoint);
      expect(answer.status).toBe(403);
      expect((await answer.json()).code).toBe('forbidden');
    },
  );
});

test('every endpoint that takes an id says how a foreign record is tried', () => {
  const withId = guarded.filter(({ path }) => path.includes('/:')).map(({ name }) => name);
  expect(withId.filter((name) => !(name in foreignCalls))).toEqual([]);
});

test.each(Object.keys(foreignCalls))('SEC-21 a foreign record of %s is refused', async (name) => {
  const endpoint = contract.find((candidate) => candidate.name === name);
  if (!endpoint) throw new Error(`${name} is not in the contract.`);
  for (const { role, input } of foreignCalls[name]?.(world) ?? []) {
    const answer = await send(role, endpoint, input);
    expect([403, 404], `${role} on ${name}: ${await answer.clone().text()}`).toContain(answer.status);
  }
});

const pending = guarded.filter(({ access }) => access === 'pending');
test.each(pending.map((endpoint) => [endpoint.name, endpoint] as const))(
  'nobody whose sign-in is complete may call %s',
  async (_, endpoint) => {
    for (const role of roles) expect((await send(role, endpoint)).status).toBe(401);
  },
);

function refusedFor(role: Role): Endpoint[] {
  return guarded.filter((endpoint) => endpoint.access !== 'pending' && !accessList(endpoint).includes(role));
}

interface Input {
  params?: Record<string, string>;
  body?: object;
}

async function send(
  who: Role | 'signed out',
  endpoint: Endpoint,
  { params = {}, body }: Input = {},
): Promise<Response> {
  const client = clients.get(who);
  if (!client) throw new Error(`Nobody stands for ${who}.`);
  const address = endpoint.path.replace(
    /:(\w+)/g,
    (_, name: string) => params[name] ?? '00000000-0000-7000-8000-000000000000',
  );
  const hasBody = body !== undefined || endpoint.body !== undefined;
  return client.fetch(address, {
    method: endpoint.method,
    headers: hasBody ? { 'content-type': 'application/json' } : undefined,
    body: hasBody ? JSON.stringify(body ?? {}) : undefined,
    signal: AbortSignal.timeout(5_000),
  });
}
