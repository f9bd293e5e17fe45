import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { type Role, roles } from '#contract/roles.ts';
import { newId } from '#server/platform/ids.ts';
import { accessList } from '#server/platform/serve.ts';
import { buildPair } from './factories/messages.ts';
import { buildAdmin, buildPerson } from './factories/people.ts';
import { type Client, startTestApp, type TestApp } from './support/app.ts';
import { callsOnRecords } from './support/calls-on-records.ts';
import { readContract } from './support/contract.ts';
import { buildForeignWorld, type ForeignWorld, foreignCalls } from './support/foreign-records.ts';
import { type StaffCall, sendCall } from './support/made-call.ts';
import { waitInMs } from './support/patience.ts';
import { recordsOfAll } from './support/records-of-all.ts';
import { sampleBodyOf, schemaOf } from './support/sample-body.ts';

const contract = await readContract();
const guarded = contract.filter(({ access }) => access !== 'public' && access !== 'signed');

const exceptions = roles.flatMap((role) => Object.keys(recordsOfAll[role] ?? {}).map((name) => `${role} ${name}`));

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
  test('SEC-02 ERR-01 nobody signed out may call what is guarded', async () => {
    const unauthenticated = { status: 401, code: 'not_authenticated', detail: 'Not authenticated' };
    expect(await answeredOtherwise('signed out', guarded, unauthenticated)).toEqual([]);
  });

  test.each(roles)('SEC-01 SEC1-20 the role %s may not call what is for others', async (role) => {
    expect(await answeredOtherwise(role, refusedFor(role), { status: 403, code: 'forbidden' })).toEqual([]);
  });
});

/** Returns every endpoint with its answer, so that one run names everything that is open. */
async function answeredOtherwise(
  who: Role | 'signed out',
  endpoints: Endpoint[],
  refusal: { status: number; code?: string; detail?: string },
): Promise<string[]> {
  expect(endpoints.length).toBeGreaterThan(0);
  const others: string[] = [];
  for (const endpoint of endpoints) {
    const answer = await send(who, endpoint);
    const said = await answer.text();
    const given = { status: answer.status, ...(answer.ok ? {} : JSON.parse(said)) };
    const isRefused = Object.entries(refusal).every(([field, value]) => given[field] === value);
    if (!isRefused) others.push(`${endpoint.name}: ${answer.status} ${said.slice(0, 200)}`);
  }
  return others;
}

/**
 * These refuse somebody else's record as forbidden instead of unknown, to all roles alike. So they are called for the
 * caller's own records.
 */
const onOwnRecords: Record<string, (role: Role) => Promise<StaffCall>> = {
  bookSession: () => callOnRecords('bookSession'),
  recordAttendance: () => callOnRecords('recordAttendance'),
  sendMessage: async (role) => {
    const { coach, participant } = await buildPair(server.db);
    const [as, to] = role === 'coach' ? [coach, participant] : [participant, coach];
    return { as, params: { id: to.id }, body: { clientKey: newId(), text: 'Hello', fileId: null } };
  },
  // Without people, there is no job to wait for.
  processBulkInvitations: async () => ({ body: { records: [], filename: 'people.csv' } }),
};

test.each(roles)('no handler refuses the role %s, which the access list names, for what it is', async (role) => {
  const refusals: string[] = [];
  for (const endpoint of guarded) {
    if (endpoint.binary || !accessList(endpoint).includes(role)) continue;
    const answer = await callAs(role, endpoint);
    const said = await answer.text();
    if (codeOf(said) === 'forbidden') refusals.push(`${endpoint.name}: ${said}`);
    if (endpoint.name in onOwnRecords) expect(answer.status, said).toBe(200);
  }
  expect(refusals).toEqual([]);
});

async function callAs(role: Role, endpoint: Endpoint): Promise<Response> {
  const person = await buildPerson(server.db, { role });
  const call = await onOwnRecords[endpoint.name]?.(role);
  if (call) {
    expect(call.as?.role ?? role).toBe(role);
    return sendCall(await server.as(call.as ?? person), endpoint, call);
  }
  clients.set(role, await server.as(person));
  return send(role, endpoint, endpoint.body ? { body: sampleBodyOf(endpoint) } : {});
}

async function callOnRecords(name: string): Promise<StaffCall> {
  const call = await callsOnRecords[name]?.(server, await buildAdmin(server.db));
  if (!call) throw new Error(`${name} is in no table of calls.`);
  return call;
}

describe('SEC-21', () => {
  test('every endpoint that takes an id says for each role how a foreign record is tried, or why there is none', () => {
    const needed = guarded.filter(takesId).flatMap((endpoint) => namesFor(endpoint.name, othersThanAdmins(endpoint)));
    const answered = [...triedWith(world), ...exceptions];
    expect(needed.filter((one) => !answered.includes(one))).toEqual([]);
  });

  test('no exception outlives its endpoint, its role or a call that tries it', () => {
    const known = guarded.filter(takesId).flatMap((endpoint) => namesFor(endpoint.name, othersThanAdmins(endpoint)));
    const tried = triedWith(world);
    expect(exceptions.filter((one) => !known.includes(one) || tried.includes(one))).toEqual([]);
  });

  test('every call on a foreign record names an endpoint, and tries it', () => {
    const names = contract.map(({ name }) => name);
    const idle = Object.entries(foreignCalls).filter(([name, calls]) => !names.includes(name) || !calls(world).length);
    expect(idle.map(([name]) => name)).toEqual([]);
  });

  test.each(roles)('SEC-21 a foreign record is refused to the role %s', async (asked) => {
    const open: string[] = [];
    for (const [name, calls] of Object.entries(foreignCalls)) {
      const endpoint = contract.find((candidate) => candidate.name === name);
      for (const { role, input, code, words = '' } of endpoint ? calls(world) : []) {
        if (!endpoint || role !== asked) continue;
        const answer = await send(role, endpoint, input);
        const said = await answer.text();
        const refusals = code ? [code] : ['forbidden', 'not_found'];
        const isRefused = !answer.ok && refusals.includes(codeOf(said)) && said.includes(words);
        if (!isRefused) open.push(`${name}: ${answer.status} ${said.slice(0, 200)}`);
        if (!accessList(endpoint).includes(role)) open.push(`${name}: is not for the role at all`);
      }
    }
    expect(open).toEqual([]);
  });
});

test.each(roles)('nobody whose sign-in is complete may call what is asked in the middle of one: %s', async (role) => {
  const pending = guarded.filter(({ access }) => access === 'pending');
  expect(await answeredOtherwise(role, pending, { status: 401 })).toEqual([]);
});

/** True for an id in its address, its query or its body. */
function takesId({ path, query, body }: Endpoint): boolean {
  const named = [query, body].filter((part) => part !== undefined);
  return path.includes('/:') || named.some((part) => /"format":"uuid"/.test(JSON.stringify(schemaOf(part))));
}

/** Admins may touch every record except personal ones, which they try too. */
function othersThanAdmins(endpoint: Endpoint): Role[] {
  return roles.filter((role) => role !== 'admin' && accessList(endpoint).includes(role));
}

function namesFor(name: string, whose: Role[]): string[] {
  return whose.map((role) => `${role} ${name}`);
}

function triedWith(foreign: ForeignWorld): string[] {
  return Object.entries(foreignCalls).flatMap(([name, calls]) =>
    namesFor(
      name,
      calls(foreign).map(({ role }) => role),
    ),
  );
}

function codeOf(said: string): string {
  return JSON.parse(said).code;
}

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
    headers: { 'x-requested-with': 'test', ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    body: hasBody ? JSON.stringify(body ?? {}) : undefined,
    signal: AbortSignal.timeout(waitInMs),
  });
}
