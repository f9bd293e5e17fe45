import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type FilteredList,
  listSavedFilters,
  mostSavedFilters,
  removeSavedFilters,
  renameSavedFilters,
  type SavedSearch,
  saveFilters,
} from '#contract/saved-filters.ts';
import { deleteUser } from '#contract/user-management.ts';
import { newId } from '#server/platform/ids.ts';
import { type BuiltPerson, buildAdmin, buildCoach } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
let owner: BuiltPerson;
let client: Client;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await buildCoach(server.db);
  client = await server.as(owner);
});

const save = (name: string, search: SavedSearch = [], list: FilteredList = 'submissions') =>
  client.call(saveFilters, { body: { list, name, search } });
const refuse = (name: string, search: SavedSearch = []) =>
  client.refused(saveFilters, { body: { list: 'submissions', name, search } });
const of = (search: Record<string, SavedSearch[number]['value']>): SavedSearch =>
  Object.entries(search).map(([name, value]) => ({ name, value }));
const namesOf = async (who: Client, list: FilteredList = 'submissions') =>
  (await who.call(listSavedFilters, { query: { list } })).rows.map(({ name }) => name);

test('filters are kept under a name, given back as they were, renamed and removed', async () => {
  const search = of({ mine: false, week: 3, search: 'García', status: 'submitted' });
  const { id } = await save('  To do  ', search);
  await save('another list', [], 'resources');
  await save('Also');
  const { rows } = await client.call(listSavedFilters, { query: { list: 'submissions' } });
  expect(rows).toEqual([
    { id: expect.any(String), name: 'Also', search: [] },
    { id, name: 'To do', search },
  ]);
  const renamed = await client.call(renameSavedFilters, { params: { id }, body: { name: 'TO DO' } });
  expect(renamed).toEqual({ id, name: 'TO DO', search });
  await client.call(removeSavedFilters, { params: { id } });
  expect(await namesOf(client)).toEqual(['Also']);
  expect((await client.refused(removeSavedFilters, { params: { id } })).status).toBe(404);
});

test('a name is new in its list, whatever its capitals, has 1 to 60 characters, and the values are plain', async () => {
  const { id } = await save('Mine');
  await save('Other');
  const taken = 'You already have filters by that name here. Please choose another name.';
  expect((await refuse('mine')).problem).toMatchObject({ code: 'duplicate', detail: taken });
  const rename = await client.refused(renameSavedFilters, { params: { id }, body: { name: 'OTHER' } });
  expect(rename.problem.errors).toEqual([{ path: 'name', message: taken }]);
  await save('Mine', [], 'resources');
  expect((await refuse(' ')).problem.errors).toEqual([{ path: 'name', message: 'Please enter a name' }]);
  expect((await refuse('x'.repeat(61))).status).toBe(422);
  const many = Array.from({ length: 21 }, (_, index) => ({ name: `key${index}`, value: 1 }));
  expect((await refuse('Many', many)).status).toBe(422);
  expect((await refuse('Long', of({ search: 'x'.repeat(501) }))).status).toBe(422);
  expect((await refuse('Deep', of({ search: {} as never }))).status).toBe(422);
});

test('a person keeps at most 30 for a list, also if the last two come at once', async () => {
  for (let index = 1; index < mostSavedFilters; index += 1) await save(`No ${index}`);
  const answers = await Promise.allSettled([save('One more'), save('And one more')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect((await refuse('Too many')).problem.detail).toBe(
    'You keep 30 filters for this list. Remove one to keep another.',
  );
  expect(await namesOf(client)).toHaveLength(mostSavedFilters);
  await save('Elsewhere', [], 'users');
});

test('nobody else reads, renames or removes them, and they go with the person', async () => {
  const { id } = await save('Mine alone', of({ search: 'secret' }));
  const admin = await server.as(await buildAdmin(server.db));
  expect(await namesOf(admin)).toEqual([]);
  for (const stranger of [admin, await server.as(await buildCoach(server.db))]) {
    expect((await stranger.refused(removeSavedFilters, { params: { id } })).status).toBe(404);
    expect((await stranger.refused(renameSavedFilters, { params: { id }, body: { name: 'Hers' } })).status).toBe(404);
  }
  const unknown = { params: { id: newId() }, body: { name: 'No such' } };
  expect((await client.refused(renameSavedFilters, unknown)).status).toBe(404);
  expect(await namesOf(client)).toEqual(['Mine alone']);
  await admin.call(deleteUser, { params: { id: owner.id } });
  const left = server.db.selectFrom('savedFilters').select('id').where('ownerId', '=', owner.id);
  expect(await left.execute()).toEqual([]);
});
