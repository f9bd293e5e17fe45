import { sql } from 'kysely';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportAuditLog, listAuditLog, listAuditPeople, readAuditChoices } from '#contract/audit.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { audit } from '#server/platform/audit.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';

type Query = NonNullable<InputOf<typeof listAuditLog>['query']>;

let server: TestApp;
let ada: BuiltPerson;
let admin: Client;
beforeAll(async () => {
  server = await startTestApp();
  ada = await buildAdmin(server.db);
  admin = await server.as(ada);
});
afterAll(() => server.close());

async function list(query: Query = {}) {
  return admin.call(listAuditLog, { query });
}

async function actionsOf(query: Query) {
  return (await list(query)).rows.map(({ action }) => action);
}

/** Writes an entry of another day than today. */
async function noteAt(at: string, action: string) {
  await sql`insert into audit_log (at, action, subject_type, subject_id)
    values (${at}, ${action}, 'cohort', ${newId()})`.execute(server.db);
}

test('an entry says who did what on whom, before and after, and names what its ids stand for', async () => {
  const { db } = server;
  const cohort = await buildCohort(db, { name: 'Fall lines' });
  const fellow = await buildParticipant(db, { firstName: 'Łucja', lastName: 'Żak' });
  const stipend = await buildStipend(db, { fellowId: fellow.id, cohortId: cohort.id, weekNumber: 3 });
  await audit(db, ada.id, [
    {
      action: 'stipend.deny',
      subjectType: 'stipend',
      subjectId: stipend.id,
      before: { paymentStatus: 'pending' },
      after: { paymentStatus: 'denied', some_key: 1 },
      reason: 'No rating was given',
    },
    { action: 'cohort.enrol', subjectType: 'user', subjectId: fellow.id, after: { cohortId: cohort.id } },
    { action: 'resource.delete', subjectType: 'resource', subjectId: newId(), before: { title: 'Ohm at work' } },
  ]);
  const { rows, names, nextCursor } = await list({ person: ada.id });
  expect(nextCursor).toBeNull();
  const byAction = Object.fromEntries(rows.map((row) => [row.action, row]));
  expect(byAction['stipend.deny']).toMatchObject({
    actor: { id: ada.id, name: 'Ada Admin', email: ada.email },
    kind: 'stipend',
    subjectName: 'Łucja Żak, week 3',
    before: { paymentStatus: 'pending' },
    after: { paymentStatus: 'denied', some_key: 1 },
    reason: 'No rating was given',
  });
  expect(byAction['cohort.enrol']).toMatchObject({ kind: 'person', subjectName: 'Łucja Żak', before: null });
  expect(names[cohort.id]).toBe('Fall lines');
  expect(byAction['resource.delete']?.subjectName).toBe('Ohm at work');
});

test('the list is narrowed by person, part, action, kind, record, days and words, together', async () => {
  const { db } = server;
  const coach = await buildCoach(db, { firstName: 'Quentin', lastName: 'Quist' });
  const fellow = await buildParticipant(db, { firstName: 'Yara', lastName: 'Young' });
  const cohort = await buildCohort(db);
  const stipend = await buildStipend(db, { fellowId: fellow.id, cohortId: cohort.id });
  await audit(db, coach.id, {
    action: 'performance.rate',
    subjectType: 'stipend',
    subjectId: stipend.id,
    reason: '100% there',
  });
  await audit(db, fellow.id, { action: 'name.change', subjectType: 'user', subjectId: fellow.id });
  await audit(db, coach.id, { action: 'session.end', subjectType: 'user', subjectId: coach.id });

  expect((await actionsOf({ person: fellow.id })).toSorted()).toEqual(['name.change', 'performance.rate']);
  expect(await actionsOf({ person: fellow.id, part: 'by' })).toEqual(['name.change']);
  expect((await actionsOf({ person: coach.id, part: 'by' })).toSorted()).toEqual(['performance.rate', 'session.end']);
  expect(await actionsOf({ person: coach.id, part: 'about' })).toEqual(['session.end']);
  expect(await actionsOf({ action: 'session.end' })).toEqual(['session.end']);
  expect(await actionsOf({ subject: stipend.id })).toEqual(['performance.rate']);
  expect(await actionsOf({ kind: 'person', person: fellow.id })).toEqual(['name.change']);
  expect((await actionsOf({ search: 'yara YOUNG' })).toSorted()).toEqual(['name.change', 'performance.rate']);
  expect(await actionsOf({ search: '100%' })).toEqual(['performance.rate']);
  expect(await actionsOf({ search: 'quist', kind: 'stipend' })).toEqual(['performance.rate']);
  expect(await actionsOf({ search: '%%%' })).toEqual([]);

  await noteAt('2025-03-10T03:59:59Z', 'test.before');
  await noteAt('2025-03-10T04:00:00Z', 'test.first');
  await noteAt('2025-03-11T03:59:59Z', 'test.last');
  await noteAt('2025-03-11T04:00:00Z', 'test.after');
  expect(await actionsOf({ from: '2025-03-10', to: '2025-03-10' })).toEqual(['test.last', 'test.first']);
  expect(await actionsOf({ to: '2025-03-09' })).toEqual(['test.before']);
});

test('pages follow each other without a gap or a double, entries of one moment included', async () => {
  const subjectId = newId();
  const entries = Array.from({ length: 120 }, (_, n) => ({
    action: `page.${n}`,
    actorId: ada.id,
    subjectType: 'cohort',
    subjectId,
  }));
  await server.db.insertInto('auditLog').values(entries).execute();
  const seen: string[] = [];
  const sizes: number[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await list({ subject: subjectId, cursor });
    seen.push(...page.rows.map(({ action }) => action));
    sizes.push(page.rows.length);
    cursor = page.nextCursor;
  }
  expect(sizes).toEqual([50, 50, 20]);
  expect(new Set(seen).size).toBe(120);
  // Without filters the latest fifty are first, each time, and the next page begins after them.
  for (let turn = 0; turn < 3; turn += 1) {
    await noteAt(`2199-01-0${turn + 1}T00:00:00Z`, `turn.${turn}`);
    const latest = await list();
    expect(latest.rows[0]?.action).toBe(`turn.${turn}`);
    expect(latest.rows).toHaveLength(50);
    const { rows: next } = await list({ cursor: latest.nextCursor ?? '' });
    expect(latest.rows.map(({ id }) => id)).not.toContain(next[0]?.id);
  }
  const refusal = await admin.refused(listAuditLog, { query: { cursor: 'nonsense' } });
  expect(refusal).toMatchObject({ status: 422, problem: { code: 'invalid_input' } });
});

test('the export has every entry of the filters over several batches, and nothing a spreadsheet would run', async () => {
  const subjectId = newId();
  const entries = Array.from({ length: 2500 }, (_, n) => ({
    action: `export.${n}`,
    actorId: ada.id,
    subjectType: 'cohort',
    subjectId,
    reason: n === 7 ? '=HYPERLINK("http://evil.example")' : 'Said, "so"\nand so',
  }));
  await server.db.insertInto('auditLog').values(entries).execute();
  const answer = await admin.fetch(`${exportAuditLog.path}?subject=${subjectId}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
  const { data, errors } = Papa.parse<Record<string, string>>(bytes.toString().slice(1), {
    header: true,
    skipEmptyLines: true,
  });
  expect(errors).toEqual([]);
  expect(new Set(data.map(({ action }) => action)).size).toBe(2500);
  expect(data[0]).toMatchObject({
    actor_name: 'Ada Admin',
    actor_email: ada.email,
    kind: 'cohort',
    subject_id: subjectId,
  });
  expect(data.find(({ action }) => action === 'export.7')?.reason).toBe(`'=HYPERLINK("http://evil.example")`);
  expect(data.find(({ action }) => action === 'export.8')?.reason).toBe('Said, "so"\nand so');
  const { rows: exports } = await list({ action: 'audit.export' });
  expect(exports).toMatchObject([{ actor: { id: ada.id }, after: { subject: subjectId, hasSearch: false } }]);
  const wrong = await admin.fetch(`${exportAuditLog.path}?from=yesterday`);
  expect(wrong.status).toBe(422);
});

test('if the log cannot be read, its export is a failure in words and no file', async () => {
  const rename = (from: string, to: string) =>
    sql`alter table profiles rename column ${sql.id(from)} to ${sql.id(to)}`.execute(server.db);
  await rename('full_name', 'full_name_away');
  try {
    const answer = await admin.fetch(exportAuditLog.path);
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(await answer.json()).toMatchObject({ code: 'internal' });
  } finally {
    await rename('full_name_away', 'full_name');
  }
});

test('what to choose from: actions and kinds that there are, people by name, address or id', async () => {
  const { db } = server;
  const wanted = await buildParticipant(db, { firstName: 'Uma', lastName: 'Underhill' });
  await audit(db, null, { action: 'track.select', subjectType: 'user', subjectId: wanted.id });
  const { actions, kinds } = await admin.call(readAuditChoices);
  expect(actions).toContain('track.select');
  expect(actions).toEqual([...new Set(actions)].toSorted());
  expect(kinds).toContain('person');
  expect(kinds).not.toContain('user');
  const found = { people: [{ id: wanted.id, name: 'Uma Underhill', email: wanted.email }] };
  for (const search of ['uma under', wanted.email, wanted.id.toUpperCase()]) {
    expect(await admin.call(listAuditPeople, { query: { search } })).toEqual(found);
  }
  // Without a search the first twenty are named, each time the same.
  const first = await admin.call(listAuditPeople);
  expect(first.people).toContainEqual({ id: ada.id, name: 'Ada Admin', email: ada.email });
  for (const query of [{}, { search: ' ' }]) expect(await admin.call(listAuditPeople, { query })).toEqual(first);
});

describe('nobody changes what is on record', () => {
  test('the role that the product signs in to the database with can neither change, delete nor empty the log', async () => {
    const { db } = server;
    await audit(db, ada.id, { action: 'passkey.add', subjectType: 'user', subjectId: ada.id, after: { name: 'Key' } });
    const kept = () => db.selectFrom('auditLog').selectAll().where('action', '=', 'passkey.add').execute();
    const before = await kept();
    expect(before).toHaveLength(1);
    await expect(db.updateTable('auditLog').set({ action: 'else' }).execute()).rejects.toThrow('append-only');
    await expect(db.updateTable('auditLog').set({ before: '{}' }).execute()).rejects.toThrow('append-only');
    // Not even the names of somebody who is still there can be forgotten.
    await expect(sql`select forget_in_log(array[${ada.id}::uuid])`.execute(db)).rejects.toThrow('append-only');
    await expect(db.deleteFrom('auditLog').execute()).rejects.toThrow('append-only');
    await expect(sql`truncate audit_log`.execute(db)).rejects.toThrow('append-only');
    await expect(sql`truncate profiles cascade`.execute(db)).rejects.toThrow('append-only');
    await expect(
      sql`insert into audit_log (id, action, subject_type, subject_id) values (${before[0]?.id}, 'else', 'user', ${ada.id})
        on conflict (id) do update set action = excluded.action`.execute(db),
    ).rejects.toThrow('append-only');
    await expect(db.deleteFrom('profiles').where('id', '=', ada.id).execute()).rejects.toThrow();
    expect(await kept()).toEqual(before);
  });

  test('no address of the API writes to it, and nobody but an admin reads it', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await admin.fetch(listAuditLog.path, { method })).status).toBe(404);
    }
    for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
      const client = await server.as(person);
      for (const endpoint of [listAuditLog, exportAuditLog, readAuditChoices, listAuditPeople]) {
        expect((await client.refused(endpoint)).status).toBe(403);
      }
    }
  });
});
