import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import {
  createResource,
  deleteResource,
  listLibraryResources,
  listResources,
  readResource,
  updateResource,
} from '#contract/resources.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildResource } from '#test/factories/resources.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';

let server: TestApp;
let ada: BuiltPerson;
let admin: Client;
beforeAll(async () => {
  server = await startTestApp();
  ada = await buildAdmin(server.db);
  admin = await server.as(ada);
});
afterAll(() => server.close());

const facts = {
  title: 'How the grid works',
  description: 'Recording of week 1',
  fileType: 'recording' as const,
  fileUrl: 'https://files.example/grid?week=1#start',
  courseModule: 'Energy',
  program: 'self_learner' as const,
};

const stored = (id: string) =>
  server.db.selectFrom('resources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const countAll = async () => (await server.db.selectFrom('resources').select('id').execute()).length;
const trail = (id: string) =>
  server.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'before', 'after'])
    .where('subjectId', '=', id)
    .orderBy('id')
    .execute();

test('RES-24 creating answers with the resource, by the admin who is signed in, whatever else is sent', async () => {
  const stranger = await buildCoach(server.db);
  const answer = await admin.fetch(createResource.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...facts,
      id: stranger.id,
      uploaded_by: stranger.id,
      uploadedBy: stranger.id,
      createdAt: '2001-01-01T00:00:00Z',
      version: 7,
    }),
  });
  const created = createResource.response.parse(await answer.json());
  expect(created).toMatchObject({
    ...facts,
    creator: { firstName: ada.firstName, lastName: ada.lastName },
    version: 1,
  });
  expect(created.id).not.toBe(stranger.id);
  expect(await stored(created.id)).toMatchObject({ ...facts, uploadedBy: ada.id, version: 1 });
  expect(Date.now() - Date.parse(created.createdAt)).toBeLessThan(600_000);
  expect((await admin.call(listResources, { query: {} })).rows[0]).toEqual(created);
  expect(await trail(created.id)).toEqual([
    { action: 'resource.create', actorId: ada.id, before: null, after: { ...facts, programmeId: null } },
  ]);
});

test('RES-20 description and module that are left empty are stored as null', async () => {
  for (const [description, courseModule] of [
    ['', ''],
    ['  ', '\t'],
    [null, null],
  ] as const) {
    const { id } = await admin.call(createResource, { body: { ...facts, description, courseModule } });
    expect(await stored(id)).toMatchObject({ description: null, courseModule: null });
  }
  const { id, version } = await admin.call(createResource, { body: facts });
  await admin.call(updateResource, {
    params: { id },
    body: { ...facts, description: ' ', courseModule: null, version },
  });
  expect(await stored(id)).toMatchObject({ description: null, courseModule: null });
});

const blanks = [{ title: '' }, { title: ' \n ' }, { fileUrl: '' }, { fileUrl: '   ' }, { title: ' ', fileUrl: ' ' }];
const badAddresses = [
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://files.example/x',
  'mailto:ada@people.example',
  '//files.example/x',
  '/files/x',
  'files.example/x',
  'https:files.example',
  'https://',
  'https://files.example/with space',
  'https://files.example:99999/x',
  'http:/\t/files.example',
];

test('RES-17 RES-19 RES-29 blank titles and addresses, and addresses that are not of the web, are refused on create and on edit', async () => {
  const resource = await buildResource(server.db, { title: 'As it was' });
  const before = await stored(resource.id);
  const count = await countAll();
  const tries = [
    ...blanks.map((change) => [change, 'Title and file URL are required'] as const),
    ...badAddresses.map(
      (fileUrl) => [{ fileUrl }, 'The file URL must be a web address that begins with http:// or https://'] as const,
    ),
  ];
  for (const [change, detail] of tries) {
    const body = { ...facts, ...change };
    const onCreate = await admin.refused(createResource, { body });
    expect(onCreate, JSON.stringify(change)).toMatchObject({ status: 422, problem: { detail } });
    const onEdit = await admin.refused(updateResource, { params: { id: resource.id }, body: { ...body, version: 1 } });
    expect(onEdit, JSON.stringify(change)).toMatchObject({ status: 422, problem: { detail } });
  }
  for (const change of [{ fileType: 'song' }, { program: 'everybody' }, { title: 'x'.repeat(301) }]) {
    const body = { ...facts, ...change } as typeof facts;
    expect((await admin.refused(createResource, { body })).status).toBe(422);
    expect(
      (await admin.refused(updateResource, { params: { id: resource.id }, body: { ...body, version: 1 } })).status,
    ).toBe(422);
  }
  expect(await countAll()).toBe(count);
  expect(await stored(resource.id)).toEqual(before);
});

test('RES-19 the database keeps no address of another scheme either', async () => {
  for (const fileUrl of ['javascript:alert(1)', ' https://files.example']) {
    await expect(buildResource(server.db, { fileUrl })).rejects.toThrow(/resources_file_url_is_of_the_web/);
  }
});

test('http and https in any case, with ports, addresses and other scripts are kept as they were typed', async () => {
  for (const fileUrl of [
    'HTTPS://Files.Example/A%20b',
    'http://127.0.0.1:8080/x',
    'https://müller.example/größe.pdf',
  ]) {
    const created = await admin.call(createResource, { body: { ...facts, fileUrl: ` ${fileUrl} ` } });
    expect(created.fileUrl).toBe(fileUrl);
  }
});

test('RES-27 an edit writes the same six facts and answers with them; its author and time stay', async () => {
  const coach = await buildCoach(server.db, { firstName: 'Grace', lastName: 'Hopper' });
  const resource = await buildResource(server.db, {
    uploadedBy: coach.id,
    createdAt: new Date('2026-01-05T10:00:00Z'),
  });
  const updated = await admin.call(updateResource, { params: { id: resource.id }, body: { ...facts, version: 1 } });
  expect(updated).toMatchObject({ ...facts, version: 2, creator: { firstName: 'Grace', lastName: 'Hopper' } });
  expect(await stored(resource.id)).toEqual({ ...resource, ...facts, version: 2 });
  expect(await admin.call(readResource, { params: { id: resource.id } })).toEqual(updated);
  const [entry] = await trail(resource.id);
  expect(entry).toMatchObject({
    action: 'resource.update',
    actorId: ada.id,
    before: { title: resource.title, program: 'fellowship' },
    after: facts,
  });
});

test('an edit that began before another one is refused, and of two at once one wins', async () => {
  const { id } = await admin.call(createResource, { body: facts });
  const edit = (title: string) =>
    admin.fetch(updateResource.path.replace(':id', id), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...facts, title, version: 1 }),
    });
  const answers = await Promise.all([edit('First'), edit('Second')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const late = await edit('Third');
  expect(late.status).toBe(409);
  expect((await problemOf(late)).code).toBe('stale');
  expect(await stored(id)).toMatchObject({ version: 2, title: expect.stringMatching(/First|Second/) });
});

test('RES-31 deleting removes the one resource for good; what is gone is not found', async () => {
  const [doomed, kept] = [await buildResource(server.db), await buildResource(server.db)];
  const before = await admin.call(listResources, { query: {} });
  await admin.call(deleteResource, { params: { id: doomed.id } });
  const after = await admin.call(listResources, { query: {} });
  expect(after.matching).toBe(before.matching - 1);
  expect(after.rows.map(({ id }) => id)).toContain(kept.id);
  expect(after.rows.map(({ id }) => id)).not.toContain(doomed.id);
  expect(await trail(doomed.id)).toMatchObject([{ action: 'resource.delete', before: { title: doomed.title } }]);
  const detail = 'This resource no longer exists. Somebody may have deleted it.';
  const again = [
    await admin.refused(deleteResource, { params: { id: doomed.id } }),
    await admin.refused(readResource, { params: { id: doomed.id } }),
    await admin.refused(updateResource, { params: { id: doomed.id }, body: { ...facts, version: 1 } }),
  ];
  for (const refusal of again) expect(refusal).toMatchObject({ status: 404, problem: { detail } });
});

test('RES-41 SEC1-19 participants and coaches create, edit and delete nothing, and admins have no library', async () => {
  const resource = await buildResource(server.db);
  const params = { id: resource.id };
  const count = await countAll();
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    const refusals = [
      await client.refused(createResource, { body: facts }),
      await client.refused(updateResource, { params, body: { ...facts, version: 1 } }),
      await client.refused(deleteResource, { params }),
      await client.refused(listResources, { query: {} }),
      await client.refused(readResource, { params }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  }
  expect(await stored(resource.id)).toEqual(resource);
  expect(await countAll()).toBe(count);
  expect((await admin.refused(listLibraryResources as Endpoint, { query: {} } as never)).status).toBe(403);
});
