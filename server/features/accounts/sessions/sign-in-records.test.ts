import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSession, signOut } from '#contract/accounts.ts';
import { giveProof } from '#contract/second-factor.ts';
import { endSessionsOfPerson, listSessions } from '#contract/sessions.ts';
import { listSignIns, listSignInsOfPerson } from '#contract/sign-in-records.ts';
import { deleteUser } from '#contract/user-management.ts';
import { accountJobs } from '#server/features/accounts/account-jobs.ts';
import type { RunningJobs } from '#server/platform/jobs.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { createPerson, signInAs } from '#test/support/second-factor.ts';
import { jobsAreDone, signInWith } from '#test/support/sign-in.ts';

let server: TestApp;
let jobs: RunningJobs;
let admin: Client;

beforeAll(async () => {
  server = await startTestApp();
  jobs = await server.runJobs();
  admin = await server.as(await buildAdmin(server.db));
});
afterAll(async () => {
  await jobs.stop();
  await server.close();
});

const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36' };
const ofPerson = async ({ id }: { id: string }, cursor?: string) =>
  admin.call(listSignInsOfPerson, { params: { id }, query: { cursor } });

test('sign-ins, refusals, proofs and ends of sessions are on record, for the person and for admins', async () => {
  const person = await createPerson(server);
  expect((await signInWith(server, person.email, 'not-the-password', agent)).status).toBe(401);
  await jobsAreDone(server.db, 'refused-sign-in');
  const browser = await signInAs(server, person);
  await browser.call(giveProof, { body: { kind: 'password', password: person.password } });
  const own = await browser.call(listSignIns);
  expect(own.rows.map(({ kind, way }) => [kind, way])).toEqual([
    ['proof', 'password'],
    ['sign_in', 'password'],
    ['refusal', 'password'],
  ]);
  expect(own.rows[2]).toMatchObject({ device: expect.stringContaining('Chrome'), place: 'This computer' });
  await browser.call(signOut);
  await signInAs(server, person);
  await admin.call(endSessionsOfPerson, { params: { id: person.id } });
  expect((await ofPerson(person)).rows.map(({ kind }) => kind)).toEqual([
    'end',
    'sign_in',
    'end',
    'proof',
    'sign_in',
    'refusal',
  ]);
});

test('of an address without an account nothing is kept that was typed', async () => {
  await signInWith(server, 'nobody-here@people.example', 'not-the-password-9', agent);
  await jobsAreDone(server.db, 'refused-sign-in');
  const { rows } = await sql<{ record: string }>`
    select to_jsonb(record)::text as record from auth.sign_in_record record where user_id is null`.execute(server.db);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map(({ record }) => record).join()).not.toMatch(/nobody-here|not-the-password/);
  const sent = await sql<{ data: string }>`
    select data::text as data from pgboss.job where name = 'refused-sign-in'`.execute(server.db);
  expect(sent.rows.map(({ data }) => data).join()).not.toMatch(/nobody-here|not-the-password/);
});

test('what a browser or program says of itself is kept no longer than it tells devices apart', async () => {
  const person = await createPerson(server);
  const talkative = { 'user-agent': 'Some/1.0 '.padEnd(12_000, 'x') };
  expect((await signInWith(server, person.email, 'not-the-password', talkative)).status).toBe(401);
  await jobsAreDone(server.db, 'refused-sign-in');
  expect((await signInWith(server, person.email, person.password, talkative)).status).toBe(200);
  const { rows } = await sql<{ length: number }>`
    select length(user_agent)::int as length from auth.sign_in_record where user_id = ${person.id}
    union all select length(user_agent)::int from auth.session where user_id = ${person.id}
    union all select length(user_agent)::int from auth.device where user_id = ${person.id}`.execute(server.db);
  expect(rows.map(({ length }) => length)).toEqual([300, 300, 300, 300]);
});

test('only the own record is read, and only an admin reads that of others', async () => {
  const person = await createPerson(server);
  await signInAs(server, person);
  const other = await server.as(await buildParticipant(server.db));
  expect((await other.refused(listSignInsOfPerson, { params: { id: person.id }, query: {} })).status).toBe(403);
  expect((await other.call(listSignIns)).rows).toHaveLength(1);
});

test('a long record is read in pages', async () => {
  const person = await createPerson(server);
  await sql`
    insert into auth.sign_in_record (user_id, kind, way, at)
    select ${person.id}, 'sign_in', 'password', now() from generate_series(1, 45)`.execute(server.db);
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await ofPerson(person, cursor);
    for (const { id } of page.rows) seen.add(id);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen.size).toBe(45);
});

test('a record is neither changed nor removed before 90 days have passed; then the nightly job removes it', async () => {
  const person = await createPerson(server);
  await sql`
    insert into auth.sign_in_record (user_id, kind, way, at)
    select ${person.id}, 'sign_in', 'password', now() - make_interval(days => days)
    from unnest(array[89, 91]) as days`.execute(server.db);
  const kept = async () => {
    const found = await sql`select id from auth.sign_in_record where user_id = ${person.id}`.execute(server.db);
    return found.rows.length;
  };
  for (const change of [
    sql`update auth.sign_in_record set way = 'passkey' where user_id = ${person.id}`,
    sql`delete from auth.sign_in_record where user_id = ${person.id}`,
    sql`truncate auth.sign_in_record`,
  ]) {
    await expect(change.execute(server.db)).rejects.toThrow(/append-only/);
  }
  expect(await kept()).toBe(2);
  expect((await ofPerson(person)).rows).toHaveLength(1);
  await accountJobs
    .find(({ name }) => name === 'clear-sign-in-remains')
    ?.run(server.app, {}, { number: 1, isLast: true });
  expect(await kept()).toBe(1);
});

test('a deleted person leaves no record of where they were', async () => {
  const person = await createPerson(server);
  await signInAs(server, person);
  await admin.call(deleteUser, { params: { id: person.id } });
  const left = await sql`select from auth.sign_in_record where user_id = ${person.id}`.execute(server.db);
  expect(left.rows).toHaveLength(0);
});

test('a session ends for good 30 days after the sign-in, of an admin after 12 hours, however much it is used', async () => {
  for (const [role, hours] of [
    ['participant', 30 * 24],
    ['coach', 30 * 24],
    ['admin', 12],
  ] as const) {
    const person = await createPerson(server, role);
    const browser = await signInAs(server, person);
    const at = async (before: string) => {
      await sql`
        update auth.session set ends_for_good_at = ends_for_good_at - ${before}::interval
        where user_id = ${person.id}`.execute(server.db);
      return browser.call(readSession);
    };
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from ends_for_good_at - created_at)::int / 3600 as hours
      from auth.session where user_id = ${person.id}`.execute(server.db);
    expect(rows).toEqual([{ hours }]);
    const nearTheEnd = await at(`${hours - 1} hours`);
    const end = Date.parse(nearTheEnd.expiresAt ?? '');
    expect(nearTheEnd.user?.id).toBe(person.id);
    // The session is in use, but its end for good stays.
    expect(end - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect((await browser.call(listSessions)).rows).toHaveLength(1);
    expect((await at('61 minutes')).user).toBeNull();
  }
});
