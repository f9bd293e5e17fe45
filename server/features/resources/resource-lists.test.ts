import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listLibraryResources, listResources } from '#contract/resources.ts';
import { writeCursor } from '#server/platform/cursors.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildResource } from '#test/factories/resources.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let admin: Client;
beforeAll(async () => {
  server = await startTestApp();
  admin = await server.as(await buildAdmin(server.db));
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('resources').execute();
});

type Query = Parameters<typeof ask>[0];

function ask(query: {
  search?: string;
  type?: 'recording' | 'slide' | 'material';
  program?: 'fellowship' | 'adult_mobilization' | 'self_learner';
  module?: string;
  order?: 'newest' | 'oldest' | 'title';
  cursor?: string;
}) {
  return admin.call(listResources, { query });
}

async function titles(query: Query = {}): Promise<string[]> {
  return (await ask(query)).rows.map(({ title }) => title);
}

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

async function buildShelf() {
  const { db } = server;
  const module = { courseModule: 'Grid' };
  await buildResource(db, { title: 'Arc flash', fileType: 'slide', createdAt: day(1), ...module });
  await buildResource(db, { title: 'Relays', description: 'With an ARC_fault', fileType: 'slide', createdAt: day(2) });
  await buildResource(db, {
    title: 'Career talk',
    fileType: 'recording',
    program: 'self_learner',
    courseModule: 'Career Readiness',
    createdAt: day(3),
  });
}

test('RES-02 the search finds parts of title and description in any case; its characters are no pattern', async () => {
  await buildShelf();
  expect(await titles({ search: 'ARC' })).toEqual(['Relays', 'Arc flash']);
  expect(await titles({ search: ' arc_ ' })).toEqual(['Relays']);
  expect(await titles({ search: '%' })).toEqual([]);
  expect(await titles({ search: 'Grid' })).toEqual([]);
});

test('RES-03 RES-05 RES-06 type, program, module and search apply together, and the count is of what they leave', async () => {
  await buildShelf();
  expect(await titles({ type: 'slide' })).toEqual(['Relays', 'Arc flash']);
  expect(await titles({ type: 'material' })).toEqual([]);
  expect(await titles({ program: 'self_learner' })).toEqual(['Career talk']);
  expect(await titles({ module: 'Grid' })).toEqual(['Arc flash']);
  const all = { search: 'arc', type: 'slide', program: 'fellowship', module: 'Grid' } as const;
  expect(await titles(all)).toEqual(['Arc flash']);
  for (const other of [
    { search: 'career' },
    { type: 'recording' },
    { program: 'self_learner' },
    { module: 'Career Readiness' },
  ] as const) {
    expect(await titles({ ...all, ...other })).toEqual([]);
  }
  expect((await ask({})).matching).toBe(3);
  expect((await ask({ search: 'arc' })).matching).toBe(2);
  expect((await ask({ search: 'nothing of this kind' })).matching).toBe(0);
});

test('RES-04 the filters offer each program and module that there is once, whatever is searched for', async () => {
  await buildShelf();
  await buildResource(server.db, { courseModule: 'Grid', program: 'self_learner' });
  const { programs, modules } = await ask({ search: 'nothing of this kind' });
  expect(programs.toSorted()).toEqual(['fellowship', 'self_learner']);
  expect(modules.toSorted()).toEqual(['Career Readiness', 'Grid']);
  await server.db.deleteFrom('resources').execute();
  expect(await ask({})).toMatchObject({ programs: [], modules: [], matching: 0, rows: [] });
});

test('RES-11 newest first, and every resource is reached, also where many are of one instant', async () => {
  const { db } = server;
  for (let number = 0; number < 5; number += 1) await buildResource(db, { title: `Old ${number}`, createdAt: day(1) });
  const rows = Array.from({ length: 206 }, (_, index) => ({
    title: index % 2 ? 'same' : `Title ${index}`,
    fileUrl: 'https://files.example/x',
    createdAt: day(2),
  }));
  await db.insertInto('resources').values(rows).execute();
  await buildResource(db, { title: 'The newest', createdAt: day(3) });
  for (const order of ['newest', 'oldest', 'title'] as const) {
    const seen = [];
    let cursor: string | undefined;
    do {
      const page = await ask({ order, cursor });
      expect(page.rows.length).toBeLessThanOrEqual(100);
      expect(page.matching).toBe(212);
      seen.push(...page.rows);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(212);
    expect(seen).toHaveLength(212);
    const keys = seen.map(({ title, createdAt }) => (order === 'title' ? title.toLowerCase() : createdAt));
    expect(keys).toEqual(order === 'newest' ? keys.toSorted().toReversed() : keys.toSorted());
  }
  expect((await titles())[0]).toBe('The newest');
});

test('a list is one statement, and a page key of another order or of nothing is refused', async () => {
  await buildShelf();
  await titles();
  // The second statement reads who asks.
  expect(await countStatements(server.app.pool, () => titles({ search: 'arc', type: 'slide' }))).toBe(2);
  const id = '00000000-0000-7000-8000-000000000000';
  for (const cursor of [
    'nonsense',
    writeCursor(['title', 'arc', id]),
    writeCursor(['newest', 'yesterday', id]),
    writeCursor(['newest', '0000-01-01T00:00:00Z', id]),
    writeCursor(['newest', '2026-01-01T00:00:00Z', '1']),
  ]) {
    const { status, problem } = await admin.refused(listResources, { query: { cursor } });
    expect({ status, code: problem.code }).toEqual({ status: 422, code: 'invalid_input' });
  }
});

test('RES-08 RES-10 a row has its description, its address, the day and the name of the person who added it', async () => {
  const ada = await buildAdmin(server.db, { firstName: 'Grace', lastName: 'Hopper' });
  await buildResource(server.db, {
    title: 'One',
    description: 'About one',
    fileUrl: 'http://files.example/one.pdf',
    uploadedBy: ada.id,
    createdAt: day(9),
  });
  const [row] = (await ask({})).rows;
  expect(row).toMatchObject({
    title: 'One',
    description: 'About one',
    fileUrl: 'http://files.example/one.pdf',
    creator: { firstName: 'Grace', lastName: 'Hopper' },
  });
  expect(new Date(row?.createdAt ?? '')).toEqual(day(9));
});

test('RES-39 SEC1-19 a participant reads the resources of their own track type and no other, without one none', async () => {
  const { db } = server;
  for (const program of ['fellowship', 'adult_mobilization', 'self_learner']) {
    await buildResource(db, { title: `For ${program}`, program, courseModule: `Module of ${program}` });
  }
  for (const trackType of ['fellowship', 'adult_mobilization', 'self_learner'] as const) {
    const client = await server.as(await buildParticipant(db, { trackType }));
    const library = await client.call(listLibraryResources, { query: {} });
    expect(library.rows.map(({ title }) => title)).toEqual([`For ${trackType}`]);
    expect(library).toMatchObject({ matching: 1, modules: [`Module of ${trackType}`] });
    const others = await client.fetch(`${listLibraryResources.path}?program=self_learner&search=For&module=`);
    const { rows } = listLibraryResources.response.parse(await others.json());
    expect(rows.map(({ title }) => title)).toEqual([`For ${trackType}`]);
  }
  const newcomer = await server.as(await buildParticipant(db, { trackType: null }));
  expect(await newcomer.call(listLibraryResources, { query: {} })).toMatchObject({
    rows: [],
    matching: 0,
    modules: [],
  });
});

test('RES-37 RES-40 a coach reads the resources of all programs; search, type and module apply together', async () => {
  await buildShelf();
  await buildResource(server.db, { title: 'Arc of a career', program: 'adult_mobilization', createdAt: day(4) });
  const coach = await server.as(await buildCoach(server.db));
  const read = async (query: Query) =>
    (await coach.call(listLibraryResources, { query })).rows.map(({ title }) => title);
  expect(await read({})).toEqual(['Arc of a career', 'Career talk', 'Relays', 'Arc flash']);
  expect(await read({ search: 'arc', type: 'slide' })).toEqual(['Relays', 'Arc flash']);
  expect(await read({ search: 'arc', type: 'slide', module: 'Grid' })).toEqual(['Arc flash']);
  expect(await read({ search: 'arc', type: 'recording', module: 'Grid' })).toEqual([]);
});
