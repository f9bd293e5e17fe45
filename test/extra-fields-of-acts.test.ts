import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { roles } from '#contract/roles.ts';
import { newId } from '#server/platform/ids.ts';
import { accessList } from '#server/platform/serve.ts';
import { type BuiltPerson, buildAdmin, buildPerson } from './factories/people.ts';
import { startTestApp, type TestApp } from './support/app.ts';
import { callsOnRecords } from './support/calls-on-records.ts';
import { readContract } from './support/contract.ts';
import { extras, extrasOfColumns, openParts, smuggledMarks, withExtras } from './support/extra-fields.ts';
import { bodyOfCall, type StaffCall, sendCall } from './support/made-call.ts';
import { deafPaymentSystem } from './support/money-calls.ts';
import { type Sample, sampleBodyOf } from './support/sample-body.ts';

/** It derives the weeks of all cohorts at once, so the second call finds nothing to do. */
const onlyOnce = 'processUnprocessedCohorts';
/** It knows each column of a file under several names, which are names of columns of tables too. */
const readsManyNames = 'processBulkInvitations';
/** A signed message cannot be changed. */
const writes = (await readContract()).filter(
  ({ name, method, body, access }) =>
    name !== onlyOnce && method !== 'GET' && body !== undefined && access !== 'signed' && access !== 'pending',
);

interface WrittenRow {
  table: string;
  row: Record<string, unknown>;
}

let server: TestApp;
let admin: BuiltPerson;
let more: Record<string, Sample>;
let tables: string[];
let succeeded = 0;
beforeAll(async () => {
  server = await startTestApp(deafPaymentSystem);
  admin = await buildAdmin(server.db);
  more = await extrasOfColumns(server.db);
  const found = await server.db.introspection.getTables();
  tables = found.filter(({ isView }) => !isView).map(({ schema = 'public', name }) => `${schema}.${name}`);
});
afterAll(() => server.close());

test('every column of every table is among the extra fields', () => {
  expect(Object.keys(more).length).toBeGreaterThan(500);
  expect(tables.length).toBeGreaterThan(40);
});

test.each(writes.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s writes the same rows with the names of all columns beside its own fields',
  async (_, endpoint) => {
    const plain = await rowsWritten(endpoint, (body) => body);
    const added = endpoint.name === readsManyNames ? extras : more;
    const extra = await rowsWritten(endpoint, (body) => withExtras(body, openParts[endpoint.name], added));
    expect(extra).toEqual(plain);
    if (plain.status < 300) succeeded += 1;
  },
);

test('most of the acts above succeeded, and what was smuggled stands nowhere', async () => {
  expect(succeeded).toBeGreaterThan(100);
  const marks = smuggledMarks.map((mark) => `%${mark}%`);
  for (const table of tables) {
    const { rows } = await sql<{ text: string }>`
      select kept::text as text from ${sql.table(table)} kept where kept::text like any(${marks})`.execute(server.db);
    expect({ table, rows }).toEqual({ table, rows: [] });
  }
});

/** Makes the call on records of its own, and returns what it left in the database. */
async function rowsWritten(endpoint: Endpoint, change: (body: Sample) => Sample) {
  const call = await callOn(endpoint);
  const body = JSON.parse(bodyOfCall(endpoint, call)) as Sample;
  const client = await server.as(call.as === undefined ? admin : call.as);
  const begun = await transactionNow();
  const bytes = JSON.stringify(change(body));
  const headers = { 'content-type': 'application/json', ...call.headers };
  const answer = await sendCall(client, endpoint, { ...call, bytes, headers });
  await answer.text();
  // Other tests' people are told too, and there are more of them by the second call.
  return { status: answer.status, rows: [...new Set((await rowsSince(begun)).map(withoutNames))].toSorted() };
}

async function callOn(endpoint: Endpoint): Promise<StaffCall> {
  const make = callsOnRecords[endpoint.name];
  if (make) return make(server, admin);
  const role = roles.find((one) => accessList(endpoint).includes(one));
  const as = role ? await buildPerson(server.db, { role }) : null;
  const body = sampleBodyOf(endpoint);
  return { as, body: 'email' in body ? { ...body, email: `new-${newId()}@people.example` } : body };
}

async function transactionNow(): Promise<string> {
  const { rows } = await sql<{ id: string }>`select txid_current()::text as id`.execute(server.db);
  return rows[0]?.id ?? '';
}

async function rowsSince(transaction: string): Promise<WrittenRow[]> {
  const parts = tables.map(
    (table) => sql`select ${table} as "table", to_jsonb(kept) as row from ${sql.table(table)} kept
      where kept.xmin::text::bigint > ${transaction}::bigint`,
  );
  const { rows } = await sql<WrittenRow>`${sql.join(parts, sql` union all `)}`.execute(server.db);
  return rows;
}

/** Takes away what differs between two calls of the same kind: ids, names of their own, moments and tokens. */
function withoutNames({ table, row }: WrittenRow): string {
  const text = JSON.stringify(row)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)?/g, 'time')
    .replace(/[0-9a-f]{64}/g, 'hash')
    .replace(/"[\w+/=.,$\\-]{22,}"/g, '"token"')
    .replace(/:\d+/g, ':number');
  return `${table} ${text}`;
}
