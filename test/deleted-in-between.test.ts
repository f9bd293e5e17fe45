import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/errors.ts';
import { type BuiltPerson, buildAdmin } from './factories/people.ts';
import { startTestApp, type TestApp } from './support/app.ts';
import { callsOnRecords } from './support/calls-on-records.ts';
import { readContract } from './support/contract.ts';
import { type StaffCall, sendCall } from './support/made-call.ts';
import { deafPaymentSystem } from './support/money-calls.ts';
import { schemaOf } from './support/sample-body.ts';
import { staffCalls } from './support/staff-calls.ts';
import { countWaiting } from './support/waiting-statements.ts';

const anId = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const withRecords = (await readContract()).filter((endpoint) => endpoint.method !== 'GET' && namesRecords(endpoint));

let server: TestApp;
let admin: BuiltPerson;
let tables: string[];
beforeAll(async () => {
  server = await startTestApp(deafPaymentSystem);
  admin = await buildAdmin(server.db);
  const found = await sql<{ name: string }>`
    select attrelid::regclass::text as name from pg_attribute join pg_class kept on kept.oid = attrelid
    where attname = 'id' and atttypid = 'uuid'::regtype and relkind = 'r'
      and relnamespace in ('public'::regnamespace, 'auth'::regnamespace)
      -- Append-only rows are never deleted: their trigger always runs.
      and not exists (select from pg_trigger where tgrelid = kept.oid and tgenabled = 'A')`.execute(server.db);
  tables = found.rows.map(({ name }) => name);
});
afterAll(() => server.close());

test('every write that names records is tried, and nothing else is', () => {
  const named = withRecords.map(({ name }) => name);
  expect(named.filter((name) => !(name in callsOnRecords))).toEqual([]);
  expect(Object.keys(callsOnRecords).filter((name) => !named.includes(name) && !(name in staffCalls))).toEqual([]);
});

test.each(withRecords.map((endpoint) => [endpoint.name, endpoint] as const))(
  'a record that %s names may be deleted while it is under way',
  async (name, endpoint) => {
    const make = async () => (await callsOnRecords[name]?.(server, admin)) ?? {};
    const ready = async (call: StaffCall) => {
      const client = await server.as(call.as === undefined ? admin : call.as);
      return () => sendCall(client, endpoint, call);
    };
    const undisturbed = await make();
    const answer = await (await ready(undisturbed))();
    expect(answer.status, await answer.text()).toBeLessThan(300);
    for (let place = 0; place < idsOf(undisturbed).length; place += 1) {
      const call = await make();
      const { status, said } = await deleteDuring(idsOf(call)[place] ?? '', await ready(call));
      expect(status, said).toBeLessThan(500);
      if (status >= 400) expect(Problem.parse(JSON.parse(said)).detail).toMatch(/^[A-Z].{10}/);
    }
  },
);

function namesRecords({ params, query, body }: Endpoint): boolean {
  return [params, query, body].some(
    (part) => part !== undefined && /"format":"uuid"/.test(JSON.stringify(schemaOf(part))),
  );
}

function idsOf({ params, body, bytes }: StaffCall): string[] {
  return [...new Set(JSON.stringify([params, body, bytes]).match(anId) ?? [])];
}

/**
 * Until the request waits or gets its answer, the row is gone for a request that waits for it, and still there for one
 * that only reads.
 */
async function deleteDuring(id: string, act: () => Promise<Response>): Promise<{ status: number; said: string }> {
  const holding = sql.join(
    tables.map((name) => sql`select ${name} as name from ${sql.raw(name)} where id = ${id}`),
    sql` union all `,
  );
  const { rows } = await sql<{ name: string }>`${holding}`.execute(server.db);
  const { answered } = await server.db.transaction().execute(async (deleting) => {
    // Rows that refer to this one would keep it. In this one transaction the database checks nothing.
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
