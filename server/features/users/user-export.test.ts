import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncAuthProfiles } from '#contract/documented-functions.ts';
import { readUser, userOrders } from '#contract/user-management.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { findUsersInBatches } from './user-list-queries.ts';

let server: TestApp;
let actor: BuiltPerson;
let admin: Client;

beforeAll(async () => {
  server = await startTestApp();
  actor = await buildAdmin(server.db);
  admin = await server.as(actor);
});
afterAll(() => server.close());

test('the export is the list under its filters, safe for spreadsheet programs, and on record', async () => {
  const cohort = await buildCohort(server.db, { name: 'Spring, "one"' });
  const coach = await buildCoach(server.db, { firstName: 'Nora', lastName: 'Nye' });
  const names = ['=HYPERLINK("x")', '+1', '-2', '@SUM(A1)', 'Łukasz'];
  for (const [index, firstName] of names.entries()) {
    const { id } = await buildParticipant(server.db, {
      firstName,
      lastName: 'Export',
      email: `e${index}@export.example`,
    });
    await enrol(server.db, { cohortId: cohort.id, participantId: id, coachId: coach.id });
  }
  const answer = await admin.fetch('/api/users/export?search=@export&order=email&role=participant');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"$/);
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = bytes.toString().slice(1).split('\r\n');
  expect(lines[0]).toBe(
    'first_name,last_name,email,role,track_type,cohorts,coach,invitation,last_sign_in_at,created_at,id',
  );
  const rest = 'participant,fellowship,"Spring, ""one""",Nora Nye,,,';
  expect(lines.slice(1, -1).map((line) => line.slice(0, line.indexOf(rest) + rest.length))).toEqual([
    `"'=HYPERLINK(""x"")",Export,e0@export.example,${rest}`,
    `'+1,Export,e1@export.example,${rest}`,
    `'-2,Export,e2@export.example,${rest}`,
    `'@SUM(A1),Export,e3@export.example,${rest}`,
    `Łukasz,Export,e4@export.example,${rest}`,
  ]);
  const trail = await server.db.selectFrom('auditLog').selectAll().where('action', '=', 'user.export').execute();
  expect(JSON.stringify(trail)).not.toContain('@export');
  expect(trail).toMatchObject([{ actorId: actor.id, after: { hasSearch: true, role: 'participant', order: 'email' } }]);
});

test('words that no text can have are refused, as the list refuses them', async () => {
  for (const path of ['/api/users', '/api/users/export', '/api/audit-log/export']) {
    const answer = await admin.fetch(`${path}?search=%00`);
    expect([path, answer.status]).toEqual([path, 422]);
    expect(await answer.json()).toMatchObject({ code: 'invalid_input' });
  }
});

test('if the list cannot be read, the export is a failure in words and no file', async () => {
  const rename = (from: string, to: string) =>
    sql`alter table user_courses rename column ${sql.id(from)} to ${sql.id(to)}`.execute(server.db);
  await rename('coach_id', 'coach_id_away');
  try {
    const answer = await admin.fetch('/api/users/export');
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(await answer.json()).toMatchObject({ code: 'internal' });
  } finally {
    await rename('coach_id_away', 'coach_id');
  }
  expect((await admin.fetch('/api/users/export')).status).toBe(200);
});

test('a person who gets another name or signs in while the list is read is in it once, whatever its order', async () => {
  const { db } = server;
  const people = [];
  for (const firstName of ['Bea', 'Cid', 'Dan']) {
    people.push(
      await buildParticipant(db, { firstName, lastName: 'Moving', email: `${firstName.toLowerCase()}@moving.example` }),
    );
  }
  const wanted = people.map(({ id }) => id).toSorted();
  for (const order of userOrders) {
    const read: string[] = [];
    for await (const batch of findUsersInBatches(db, { search: '@moving.example', order }, 1)) {
      read.push(...batch.map(({ id }) => id));
      const left = wanted.filter((id) => !read.includes(id));
      if (left.length === 0) continue;
      const names = { firstName: 'Aaa', email: sql<string>`'0' || email` };
      await db.updateTable('profiles').set(names).where('id', 'in', left).execute();
      await db.updateTable('lastSignIns').set({ signedInAt: new Date() }).where('userId', 'in', left).execute();
    }
    expect(read.toSorted()).toEqual(wanted);
  }
});

test('nobody but an admin exports people', async () => {
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    expect((await (await server.as(person)).fetch('/api/users/export')).status).toBe(403);
  }
  expect((await (await server.as(null)).fetch('/api/users/export')).status).toBe(401);
});

test('USER-22 the sync makes the profiles that are missing and leaves the others as they are', async () => {
  const kept = await buildParticipant(server.db, { firstName: 'Kept' });
  await server.db.updateTable('auth.user').set({ firstName: 'Other' }).where('id', '=', kept.id).execute();
  const before = await admin.call(readUser, { params: { id: kept.id } });
  const lost = await buildParticipant(server.db, { firstName: 'Lost', lastName: 'Soul' });
  await server.db.deleteFrom('profiles').where('id', '=', lost.id).execute();
  expect(await admin.call(syncAuthProfiles)).toMatchObject({ success: true, results: { createdProfiles: 1 } });
  expect(await admin.call(readUser, { params: { id: lost.id } })).toMatchObject({
    firstName: 'Lost',
    lastName: 'Soul',
    role: 'participant',
  });
  expect(await admin.call(readUser, { params: { id: kept.id } })).toEqual(before);
  expect(await admin.call(syncAuthProfiles)).toMatchObject({ results: { createdProfiles: 0 } });
});
