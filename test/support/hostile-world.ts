import { sql } from 'kysely';
import type { Endpoint } from '#contract/endpoint.ts';
import { type Role, roles } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import { type BuiltPerson, buildAdmin } from '../factories/people.ts';
import type { TestApp } from './app.ts';
import { callsOnRecords } from './calls-on-records.ts';
import { buildForeignWorld } from './foreign-records.ts';
import type { DocumentedOperation, HonestRequest } from './hostile-requests.ts';
import { bodyOfCall, type StaffCall } from './made-call.ts';
import { sampleBodyOf } from './sample-body.ts';

export type Who = Role | 'nobody';
export const everybody: Who[] = ['nobody', ...roles];

/** Parts of addresses and fields that are named otherwise than the table of their records. */
const tableNamed: Record<string, string> = {
  people: 'profiles',
  users: 'profiles',
  conversations: 'profiles',
  coaches: 'profiles',
  coach: 'profiles',
  participant: 'profiles',
  fellow: 'profiles',
  user: 'profiles',
  person: 'profiles',
  assignments: 'content_assignments',
  files: 'stored_files',
  file: 'stored_files',
};

/** The records that requests name, and the people who send them. */
export async function buildHostileWorld(server: TestApp) {
  const { db } = server;
  const known = new Map<Role, BuiltPerson>();
  await buildForeignWorld(db);
  let idsByTable = await readIds(db);

  /** The one who sends for the role. A request may have deleted them, or given them another role. */
  const personOf = async (role: Role): Promise<BuiltPerson> => {
    const person = known.get(role);
    if (person && (await isStill(db, person))) return person;
    const { participant, coach } = await buildForeignWorld(db);
    const found = { participant, coach, admin: await buildAdmin(db) }[role];
    idsByTable = await readIds(db);
    known.set(role, found);
    return found;
  };

  /** An id of a record of the kind that the name or the address speaks of, or of any other. */
  const idOf = (path: string) => (name: string, index: number) => {
    const tables = tablesFor(Object.keys(idsByTable), path, name);
    const ids = tables.flatMap((table) => idsByTable[table] ?? []);
    return ids[index % ids.length] ?? '';
  };

  /** What an honest client of that role would send, with the cookie of its session. */
  const honestRequest = async (
    operation: DocumentedOperation,
    endpoint: Endpoint,
    who: Who,
  ): Promise<HonestRequest> => {
    await askNobodyForSecondFactor(db);
    const call = await callFor(server, endpoint, await personOf('admin'));
    const person = who === 'nobody' ? null : call.as && call.as.role === who ? call.as : await personOf(who);
    const { cookie } = await server.as(person);
    const find = idOf(operation.path);
    const names = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    const params = names.map((name, index) => [
      name,
      String(call.params?.[name] ?? textsOf[name] ?? find(name, index)),
    ]);
    return {
      params: Object.fromEntries(params) as Record<string, string>,
      ...(endpoint.body ? { body: JSON.parse(bodyOfCall(endpoint, call)) as Record<string, unknown> } : {}),
      ...(call.bytes === undefined ? {} : { bytes: call.bytes }),
      headers: { ...(cookie ? { cookie } : {}), ...call.headers },
    };
  };
  return { idOf, honestRequest };
}

/** A request may have asked for one. Those who send have none, and would be refused everything from then on. */
async function askNobodyForSecondFactor(db: Db): Promise<void> {
  await sql`update auth.sign_in_policy set second_factor_roles = '{}'`.execute(db);
}

/** Of somebody who was deleted, the profile stays. */
async function isStill(db: Db, { id, role }: BuiltPerson): Promise<boolean> {
  const found = await db
    .selectFrom('profiles')
    .innerJoin('auth.user', 'auth.user.id', 'profiles.id')
    .select('profiles.role')
    .where('profiles.id', '=', id)
    .executeTakeFirst();
  return found?.role === role;
}

async function callFor(server: TestApp, endpoint: Endpoint, admin: BuiltPerson): Promise<StaffCall> {
  const make = callsOnRecords[endpoint.name];
  if (make) return make(server, admin);
  return endpoint.body ? { body: sampleBodyOf(endpoint) } : {};
}

/** Parameters that are no id. */
const textsOf: Record<string, string> = {
  weekNumber: '1',
  weekStartDate: '2026-03-01',
  kind: 'activity',
  provider: 'oidc',
  file: 'unknown.ics',
  token: 'unknown',
};

function tablesFor(tables: string[], path: string, name: string): string[] {
  const parts = path.split('/');
  const before = parts[parts.indexOf(`{${name}}`) - 1] ?? '';
  const words = (name === 'id' || name === '' ? before : name.replace(/Ids?$/, '')).split(/[-_]|(?=[A-Z])/);
  const table = words.map((word) => tableNamed[word.toLowerCase()]).find(Boolean);
  if (table) return [table];
  const stems = words.map((word) => word.toLowerCase().replace(/(ies|s|y)$/, '')).filter((stem) => stem.length > 2);
  const fitting = tables.filter((one) => stems.some((stem) => one.includes(stem)));
  return fitting.length > 0 ? fitting : tables;
}

/** The newest ids of every table. */
async function readIds(db: Db): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'id' and data_type = 'uuid'`.execute(db);
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(name)} order by id desc limit 6`.execute(db);
      return [name, rows.map(({ id }) => id)] as const;
    }),
  );
  return Object.fromEntries(found.filter(([, ids]) => ids.length > 0));
}
