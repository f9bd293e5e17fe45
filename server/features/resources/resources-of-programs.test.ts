import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { find } from '#contract/finding.ts';
import {
  createResource,
  listLibraryResources,
  listResources,
  readResource,
  updateResource,
} from '#contract/resources.ts';
import type { TrackType } from '#contract/roles.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { buildResource } from '#test/factories/resources.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let admin: Client;
let second: { id: string; name: string };
beforeAll(async () => {
  server = await startTestApp();
  admin = await server.as(await buildAdmin(server.db));
  second = await buildProgramme(server.db);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('resources').execute();
});

const facts = {
  title: 'Climbing checks',
  description: null,
  fileType: 'slide' as const,
  fileUrl: 'https://files.example/climbing',
  courseModule: null,
  program: 'fellowship' as const,
};

/** One for each program, one for every program, and one for the second program's other kind. */
async function buildShelf() {
  const { db } = server;
  await buildResource(db, { title: 'Checks of all', courseModule: 'All' });
  await buildResource(db, { title: 'Checks of the first', courseModule: 'First', programmeId: defaultProgrammeId });
  await buildResource(db, { title: 'Checks of the second', courseModule: 'Second', programmeId: second.id });
  await buildResource(db, { title: 'Checks of learners', programmeId: second.id, program: 'self_learner' });
}

async function memberOf(programmeIds: string[], trackType: TrackType | null = 'fellowship') {
  const person = await buildParticipant(server.db, { trackType });
  const cohorts = [];
  for (const programmeId of programmeIds) {
    const cohort = await buildCohort(server.db, { programmeId });
    await enrol(server.db, { cohortId: cohort.id, participantId: person.id });
    cohorts.push(cohort);
  }
  return { person, cohorts, client: await server.as(person) };
}

/** What the library lists, what Ctrl+K finds, and what the library's filter of modules offers. */
async function seenBy(client: Client) {
  const library = await client.call(listLibraryResources, { query: {} });
  const { resources } = await client.call(find, { query: { words: 'checks' } });
  const inLibrary = library.rows.map(({ title }) => title).toSorted();
  expect(resources.map(({ title }) => title).toSorted()).toEqual(inLibrary);
  expect(library.matching).toBe(inLibrary.length);
  expect(library.modules.toSorted()).toEqual(library.rows.flatMap(({ courseModule }) => courseModule ?? []).toSorted());
  return inLibrary;
}

test('RES-39 a participant reads and finds what is for every program and for their own, and nothing of another', async () => {
  await buildShelf();
  const first = await memberOf([defaultProgrammeId]);
  expect(await seenBy(first.client)).toEqual(['Checks of all', 'Checks of the first']);
  const ofSecond = await memberOf([second.id]);
  expect(await seenBy(ofSecond.client)).toEqual(['Checks of all', 'Checks of the second']);
  const learner = await memberOf([second.id], 'self_learner');
  expect(await seenBy(learner.client)).toEqual(['Checks of learners']);
  const ofBoth = await memberOf([defaultProgrammeId, second.id]);
  expect(await seenBy(ofBoth.client)).toEqual(['Checks of all', 'Checks of the first', 'Checks of the second']);
});

test('RES-39 without an active place in a cohort a participant reads what is for every program', async () => {
  await buildShelf();
  const newcomer = await memberOf([]);
  expect(await seenBy(newcomer.client)).toEqual(['Checks of all']);
  for (const status of ['withdrawn', 'completed']) {
    const { person, client } = await memberOf([second.id]);
    expect(await seenBy(client)).toEqual(['Checks of all', 'Checks of the second']);
    await server.db
      .updateTable('cohortParticipants')
      .set({ status, endedAt: new Date() })
      .where('participantId', '=', person.id)
      .execute();
    expect(await seenBy(client)).toEqual(['Checks of all']);
  }
  const withoutTrack = await memberOf([second.id], null);
  expect(await seenBy(withoutTrack.client)).toEqual([]);
});

test('RES-40 coaches read the resources of all programs, and each says the program that it is for', async () => {
  await buildShelf();
  const coach = await server.as(await buildCoach(server.db));
  const { rows, matching } = await coach.call(listLibraryResources, { query: { order: 'title' } });
  expect(matching).toBe(4);
  expect(rows.map(({ title, programme }) => [title, programme?.name ?? null, programme?.kindName ?? null])).toEqual([
    ['Checks of all', null, null],
    ['Checks of learners', second.name, 'Learners'],
    ['Checks of the first', expect.any(String), 'Fellowship'],
    ['Checks of the second', second.name, 'Fellows'],
  ]);
});

test('RES-04 RES-05 RES-06 admins filter by program beside the other filters, and the count follows', async () => {
  await buildShelf();
  const ask = (query: InputOf<typeof listResources>['query']) => admin.call(listResources, { query });
  const ofSecond = await ask({ programme: second.id, order: 'title' });
  expect(ofSecond.rows.map(({ title }) => title)).toEqual(['Checks of learners', 'Checks of the second']);
  expect(ofSecond).toMatchObject({ matching: 2, modules: expect.arrayContaining(['All', 'First', 'Second']) });
  expect(ofSecond.programs.toSorted()).toEqual(['fellowship', 'self_learner']);
  expect((await ask({ programme: second.id, program: 'self_learner' })).matching).toBe(1);
  expect((await ask({ programme: second.id, search: 'first' })).matching).toBe(0);
  expect((await ask({ programme: newId() })).matching).toBe(0);
  expect((await ask({})).matching).toBe(4);
});

test('a list is one statement however many programs its resources are for', async () => {
  await buildShelf();
  await admin.call(listResources, { query: {} });
  // The second statement reads who asks.
  expect(await countStatements(server.app.pool, () => admin.call(listResources, { query: {} }))).toBe(2);
  const { client } = await memberOf([second.id]);
  expect(await countStatements(server.app.pool, () => client.call(listLibraryResources, { query: {} }))).toBe(2);
});

test('RES-24 RES-27 an admin says the one program that a resource is for, and takes it back', async () => {
  const created = await admin.call(createResource, { body: { ...facts, programmeId: second.id } });
  expect(created.programme).toEqual({ id: second.id, name: second.name, kindName: 'Fellows' });
  const params = { id: created.id };
  expect(await admin.call(readResource, { params })).toEqual(created);
  const moved = await admin.call(updateResource, {
    params,
    body: { ...facts, programmeId: defaultProgrammeId, version: 1 },
  });
  expect(moved.programme).toMatchObject({ id: defaultProgrammeId, kindName: 'Fellowship' });
  const ofAll = await admin.call(updateResource, { params, body: { ...facts, programmeId: null, version: 2 } });
  expect(ofAll.programme).toBeNull();
  const entries = await server.db
    .selectFrom('auditLog')
    .select(['before', 'after'])
    .where('subjectId', '=', created.id)
    .orderBy('id')
    .execute();
  expect(entries).toMatchObject([
    { after: { programmeId: second.id } },
    { before: { programmeId: second.id }, after: { programmeId: defaultProgrammeId } },
    { before: { programmeId: defaultProgrammeId }, after: { programmeId: null } },
  ]);
});

test('a screen that says no program adds a resource for every program, and leaves that of an existing one', async () => {
  const created = await admin.call(createResource, { body: facts });
  expect(created.programme).toBeNull();
  const { id } = await buildResource(server.db, { programmeId: second.id });
  const updated = await admin.call(updateResource, { params: { id }, body: { ...facts, version: 1 } });
  expect(updated).toMatchObject({ title: facts.title, programme: { id: second.id } });
});

test('a program that does not exist is refused with a sentence at its field, on creating and on editing', async () => {
  const resource = await buildResource(server.db, { programmeId: second.id });
  const body = { ...facts, programmeId: newId() };
  const refusals = [
    await admin.refused(createResource, { body }),
    await admin.refused(updateResource, { params: { id: resource.id }, body: { ...body, version: 1 } }),
  ];
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({
      status: 422,
      problem: { errors: [{ path: 'programmeId', message: 'This program no longer exists.' }] },
    });
  }
  expect(await server.db.selectFrom('resources').selectAll().execute()).toEqual([resource]);
});

test('a resource for a program that is archived since can still be edited, and its people still read it', async () => {
  const archived = await buildProgramme(server.db, { archivedAt: new Date() });
  const { id } = await buildResource(server.db, { title: 'Checks as they were', programmeId: archived.id });
  const { client } = await memberOf([archived.id]);
  expect(await seenBy(client)).toEqual(['Checks as they were']);
  const body = { ...facts, title: 'Checks as they are', programmeId: archived.id, version: 1 };
  await admin.call(updateResource, { params: { id }, body });
  expect(await seenBy(client)).toEqual(['Checks as they are']);
});
