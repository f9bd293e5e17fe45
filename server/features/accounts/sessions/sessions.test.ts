import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readSession, signOut } from '#contract/accounts.ts';
import { endOtherSessions, endSession, endSessionsOfPerson, listSessions } from '#contract/sessions.ts';
import { newId } from '#server/platform/ids.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { type Client, openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { openStreamOf } from '#test/support/live-stream.ts';
import { sessionOf, signInWith } from '#test/support/sign-in.ts';
import { countStatements } from '#test/support/statements.ts';
import { beginUpload, idOf, sendBytes, sendPart } from '#test/support/uploads.ts';

const patience = { interval: 20 };
const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';

let server: TestApp;
let count = 0;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

async function createPerson() {
  count += 1;
  const email = `person-${count}@people.example`;
  const password = 'Power-Up-1';
  const names = { firstName: 'Sam', lastName: 'Sol', role: 'participant', trackType: null } as const;
  return { email, password, id: await createSignInWithPassword(server.db, { email, password, ...names }) };
}

async function isSignedIn({ cookie }: Client): Promise<boolean> {
  return (await sessionOf(server, { cookie })).user !== null;
}

async function placesOf(client: Client) {
  return (await client.call(listSessions, { query: {} })).rows;
}

async function idOfSession(client: Client): Promise<string> {
  const own = (await placesOf(client)).find(({ isThisOne }) => isThisOne);
  if (!own) throw new Error('The list does not hold the session that asks.');
  return own.id;
}

test('a person sees where they are signed in, in words, and nothing that a session could be stolen with', async () => {
  const person = await createPerson();
  const first = await signInWith(server, person.email, person.password, { 'user-agent': phone });
  const second = await signInWith(server, person.email, person.password, { 'user-agent': 'payroll-sync/2.1' });
  const answer = await fetch(`${server.url}${listSessions.path}`, { headers: { cookie: first.cookie } });
  const text = await answer.text();
  const { rows } = listSessions.response.parse(JSON.parse(text));
  expect(rows).toMatchObject([
    { device: 'Chrome on Android phone', deviceKind: 'phone', place: 'This computer', isThisOne: true },
    { device: 'Program payroll-sync', deviceKind: 'program', place: 'This computer', isThisOne: false },
  ]);
  expect(rows[0]).toMatchObject({ assuranceLevel: 'aal1', isDeviceRemembered: false, awaitsSecondFactor: false });
  for (const { beganAt, lastUsedAt } of rows) {
    expect(Math.abs(Date.parse(beganAt) - Date.now())).toBeLessThan(60_000);
    expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(beganAt));
  }
  for (const { cookie, bearer } of [first, second]) {
    expect(text).not.toContain(bearer?.split('.')[0]);
    expect(text).not.toContain(decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0]);
  }
  expect(Object.keys(JSON.parse(text).rows[0]).toSorted()).toEqual(
    Object.keys(listSessions.response.shape.rows.element.shape).toSorted(),
  );
});

test('a session from outside is named by the country of its address, one of the same house by that', async () => {
  const client = await server.as(await buildParticipant(server.db));
  const own = await idOfSession(client);
  for (const [address, place] of [
    ['8.8.8.8', 'United States (8.8.8.8)'],
    ['10.0.0.7', 'Local network'],
  ] as const) {
    await sql`update auth.session set ip_address = ${address} where id = ${own}`.execute(server.db);
    expect(await placesOf(client)).toMatchObject([{ id: own, place }]);
  }
});

test('sessions that have ended are not listed, and one that waits for its second factor is named so', async () => {
  const robin = await buildParticipant(server.db);
  const sure = await server.as(robin);
  await sql`insert into auth.second_factor (user_id, encrypted_secret, confirmed_at) values (${robin.id}, 'x', now())`.execute(
    server.db,
  );
  await sql`update auth.session set assurance_level = 'aal2' where user_id = ${robin.id}`.execute(server.db);
  await server.as(robin);
  const ended = newId();
  await sql`insert into auth.session (id, user_id, token, expires_at)
    values (${ended}, ${robin.id}, ${ended}, now())`.execute(server.db);
  expect(await placesOf(sure)).toMatchObject([
    { isThisOne: true, assuranceLevel: 'aal2', awaitsSecondFactor: false },
    { isThisOne: false, assuranceLevel: 'aal1', awaitsSecondFactor: true, device: 'Unknown device' },
  ]);
});

test('many sessions come page by page, each once, and in one statement', async () => {
  const robin = await buildParticipant(server.db);
  const client = await server.as(robin);
  await sql`insert into auth.session (user_id, token, expires_at)
    select ${robin.id}, gen_random_uuid()::text, now() + interval '1 day' from generate_series(1, 70)`.execute(
    server.db,
  );
  const first = await client.call(listSessions, { query: {} });
  const second = await client.call(listSessions, { query: { cursor: first.nextCursor ?? undefined } });
  expect([first.rows.length, second.rows.length, second.nextCursor]).toEqual([50, 21, null]);
  expect(first.rows[0]?.isThisOne).toBe(true);
  expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(71);
  const own = await countStatements(server.app.pool, () => client.call(readSession));
  expect(await countStatements(server.app.pool, () => client.call(listSessions, { query: {} }))).toBeLessThanOrEqual(
    own,
  );
});

test('the last use is written at most every five minutes, once for requests that arrive together', async () => {
  const robin = await buildParticipant(server.db);
  const client = await server.as(robin);
  const readUse = async () => {
    const { updatedAt } = await server.db
      .selectFrom('auth.session')
      .select('updatedAt')
      .where('userId', '=', robin.id)
      .executeTakeFirstOrThrow();
    return updatedAt.getTime();
  };
  const begun = await readUse();
  await client.call(readSession);
  expect(await readUse()).toBe(begun);
  await sql`update auth.session set updated_at = now() - interval '6 minutes' where user_id = ${robin.id}`.execute(
    server.db,
  );
  const old = await readUse();
  await Promise.all([client.call(readSession), client.call(readSession), client.call(readSession)]);
  const noted = await readUse();
  expect(noted).toBeGreaterThan(old);
  await client.call(readSession);
  expect(await readUse()).toBe(noted);
  const { expiresAt } = await client.call(readSession);
  expect(Date.parse(expiresAt ?? '')).toBeLessThan(Date.now() + 7 * 24 * 3_600_000);
});

test('an ended session is out on its next request, its live stream closes and its upload stops; the others stay', async () => {
  const robin = await buildParticipant(server.db);
  const [keeper, lost] = [await server.as(robin), await server.as(robin)];
  const [kept, closing] = [await openStreamOf(keeper), await openStreamOf(lost)];
  const bytes = Buffer.alloc(400_000, 'a');
  const upload = idOf(await beginUpload(lost, { area: 'my_files', name: 'mine.txt', size: bytes.length }));
  const running = sendPart(server.url, lost.cookie, { id: upload, bytes, sent: 1000 });
  const stopped = new Promise<void>((resolve) => running.once('close', resolve));
  await vi.waitFor(async () => expect((await placesOf(keeper)).length).toBe(2), patience);

  await keeper.call(endSession, { params: { id: await idOfSession(lost) } });
  expect(await isSignedIn(lost)).toBe(false);
  expect((await lost.refused(listSessions, { query: {} })).problem.code).toBe('not_authenticated');
  await Promise.all([closing.ended, stopped]);
  expect((await sendBytes(lost, upload, 0, new Uint8Array(bytes))).status).toBe(401);
  expect(await isSignedIn(keeper)).toBe(true);
  expect(kept.isEnded()).toBe(false);
  await keeper.call(signOut);
  await kept.ended;
  expect(await auditOf(robin.id)).toEqual(['session.end']);
});

test('a session that is not the own one is not found, and stays', async () => {
  const [robin, other] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  const [robins, others] = [await server.as(robin), await server.as(other)];
  const { status } = await robins.refused(endSession, { params: { id: await idOfSession(others) } });
  expect(status).toBe(404);
  expect(await isSignedIn(others)).toBe(true);
  expect((await robins.refused(endSession, { params: { id: newId() } })).status).toBe(404);
});

test('a person ends all other sessions at once, on every server process', async () => {
  const robin = await buildParticipant(server.db);
  const neighbour = await server.as(await buildParticipant(server.db));
  const second = await openTestApp(server.connectionString, {});
  const [keeper, lost, lostOnSecond] = [await server.as(robin), await server.as(robin), await second.as(robin)];
  const stream = await openStreamOf(lostOnSecond);
  expect(await keeper.call(endOtherSessions)).toEqual({ ended: 2 });
  await stream.ended;
  await second.close();
  expect(await Promise.all([keeper, lost, lostOnSecond, neighbour].map(isSignedIn))).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(await keeper.call(endOtherSessions)).toEqual({ ended: 0 });
});

test('an admin signs a person out everywhere, which is recorded; nobody else may', async () => {
  const [ada, robin] = [await buildAdmin(server.db), await buildParticipant(server.db)];
  const [admin, first, second] = [await server.as(ada), await server.as(robin), await server.as(robin)];
  expect((await first.refused(endSessionsOfPerson, { params: { id: ada.id } })).status).toBe(403);
  expect(await admin.call(endSessionsOfPerson, { params: { id: robin.id } })).toEqual({ ended: 2 });
  expect(await Promise.all([admin, first, second].map(isSignedIn))).toEqual([true, false, false]);
  const rows = await server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', robin.id).execute();
  expect(rows).toMatchObject([{ action: 'session.end_all', actorId: ada.id, after: { ended: 2 } }]);
  expect((await admin.refused(endSessionsOfPerson, { params: { id: newId() } })).status).toBe(404);
});

test('signing out closes the live stream of that session only, and the other ones read their sessions again', async () => {
  const person = await createPerson();
  const [leaving, staying] = [await server.as(person), await server.as(person)];
  const [closing, kept] = [await openStreamOf(leaving), await openStreamOf(staying)];
  await leaving.call(signOut);
  await closing.ended;
  const news = { event: 'changed', data: { facts: ['sign-ins'], act: null } };
  await vi.waitFor(() => expect(kept.events()).toContainEqual(news), patience);
  expect(await isSignedIn(staying)).toBe(true);
  expect(kept.isEnded()).toBe(false);
  await staying.call(signOut);
  await kept.ended;
});

async function auditOf(userId: string): Promise<string[]> {
  const rows = await server.db.selectFrom('auditLog').select('action').where('subjectId', '=', userId).execute();
  return rows.map(({ action }) => action);
}
