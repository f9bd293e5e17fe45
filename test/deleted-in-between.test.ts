import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/errors.ts';
import { type BuiltPerson, buildAdmin } from './factories/people.ts';
import { type Client, startTestApp, type TestApp } from './support/app.ts';
import { callsOnRecords } from './support/calls-on-records.ts';
import { readContract } from './support/contract.ts';
import { addressOfCall, bodyOfCall, type StaffCall } from './support/staff-calls.ts';
import { countWaiting } from './support/waiting-statements.ts';

const anId = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const calls = callsOnRecords;
const writes = (await readContract()).filter(({ method, access }) => method !== 'GET' && access !== 'pending');
const withRecords = writes.filter(({ name }) => name in calls);

let server: TestApp;
let admin: BuiltPerson;
let tables: string[];
beforeAll(async () => {
  server = await startTestApp();
  admin = await buildAdmin(server.db);
  const found = await sql<{ name: string }>`
    select attrelid::regclass::text as name from pg_attribute join pg_class kept on kept.oid = attrelid
    where attname = 'id' and atttypid = 'uuid'::regtype and relkind = 'r'
      and relnamespace in ('public'::regnamespace, 'auth'::regnamespace)`.execute(server.db);
  tables = found.rows.map(({ name }) => name);
});
afterAll(() => server.close());

test('the calls are of most writes that name records', () => {
  expect(withRecords.length).toBeGreaterThan(70);
});

test.each(withRecords.map((endpoint) => [endpoint.name, endpoint] as const))(
  'a record that %s names may be deleted while it is under way',
  async (name, endpoint) => {
    const make = calls[name];
    const places = idsOf(await make?.(server, admin)).length;
    for (let place = 0; place < places; place += 1) {
      const call = await make?.(server, admin);
      const id = idsOf(call)[place] ?? '';
      const client = await server.as(call?.as ?? admin);
      const { status, said } = await deleteDuring(id, () => send(client, endpoint, call));
      expect(status, said).toBeLessThan(500);
      if (status >= 400) expect(Problem.parse(JSON.parse(said)).detail).toMatch(/^[A-Z].{10}/);
    }
  },
);

function idsOf(call: StaffCall | undefined): string[] {
  return [...new Set(JSON.stringify([call?.params, call?.body]).match(anId) ?? [])];
}

/** The row is gone for whoever waits for it, and still there for whoever only looks, until the request waits or is answered. */
async function deleteDuring(id: string, act: () => Promise<Response>): Promise<{ status: number; said: string }> {
  const holding = sql.join(
    tables.map((name) => sql`select ${name} as name from ${sql.raw(name)} where id = ${id}`),
    sql` union all `,
  );
  const { rows } = await sql<{ name: string }>`${holding}`.execute(server.db);
  const { answered } = await server.db.transaction().execute(async (deleting) => {
    // What refers to the row would keep it: the database checks nothing for this one transaction.
    await sql`set local session_replication_role = replica`.execute(deleting);
    for (const { name } of rows) await sql`delete from ${sql.raw(name)} where id = ${id}`.execute(deleting);
    let isAnswered = false;
    const answered = act().finally(() => {
      isAnswered = true;
    });
    while (!isAnswered && (await countWaiting(server.db)) === 0) await new Promise((resolve) => setImmediate(resolve));
    return { answered };
  });
  const answer = await answered;
  return { status: answer.status, said: await answer.text() };
}

function send(client: Client, endpoint: Endpoint, call: StaffCall | undefined): Promise<Response> {
  return client.fetch(addressOfCall(endpoint, call?.params ?? {}), {
    method: endpoint.method,
    ...(endpoint.body ? { headers: { 'content-type': 'application/json' }, body: bodyOfCall(endpoint, call) } : {}),
  });
}
