import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readActivityContent } from '#contract/activities.ts';
import {
  type ContentInput,
  createContent,
  deleteContent,
  listContents,
  orderContents,
  updateContent,
} from '#contract/contents.ts';
import { downloadFile } from '#contract/files.ts';
import { contentTypes } from '#contract/learning.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem } from '#test/factories/curriculum.ts';
import { pdfOf, png, svgWithScript } from '#test/factories/files.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStoredFile } from '#test/factories/stored-files.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { countStatements } from '#test/support/statements.ts';
import { beginUpload, uploadFile } from '#test/support/uploads.ts';

const mebibyte = 1024 * 1024;

let server: TestApp;
let ada: BuiltPerson;
let admin: Client;
let activityId: string;
beforeAll(async () => {
  server = await startTestApp();
  ada = await buildAdmin(server.db);
  admin = await server.as(ada);
});
afterAll(() => server.close());
beforeEach(async () => {
  activityId = (await buildActivity(server.db)).id;
});

const facts: ContentInput = {
  title: 'Read the manual',
  contentType: 'reading',
  orderIndex: 2,
  estimatedMinutes: 45,
  isRequired: false,
  contentUrl: 'https://files.example/manual',
  contentText: 'Chapters 1 and 2.',
  dueDate: '2026-03-09',
  fileId: null,
};

function create(changes: Partial<ContentInput> = {}) {
  return admin.call(createContent, { params: { id: activityId }, body: { ...facts, ...changes } });
}

function refuse(changes: object) {
  return admin.refused(createContent, { params: { id: activityId }, body: { ...facts, ...changes } as never });
}

async function listed() {
  return (await admin.call(listContents, { params: { id: activityId } })).items;
}

function stored(id: string) {
  return server.db.selectFrom('contentItems').selectAll().where('id', '=', id).executeTakeFirst();
}

test('a text over which browsers would stand still is refused with what to do', async () => {
  const { status, problem } = await refuse({ contentText: `${'>'.repeat(5000)} Mind the arc` });
  expect(status).toBe(422);
  expect(problem.errors).toEqual([{ path: 'contentText', message: expect.stringContaining('Please simplify it.') }]);
});

test('CONT-04 CONT-22 CONT-23 DATA1-06 a content item is stored with what was given and stands in the list at its place', async () => {
  const second = await create();
  const first = await create({ title: ' First ', orderIndex: 1, contentUrl: null, contentText: ' ', dueDate: null });
  const alsoSecond = await create({ title: 'Also second' });
  expect(second).toEqual({
    id: second.id,
    ...without(facts, 'fileId'),
    file: null,
    version: 1,
    assignments: [],
    ticks: 0,
  });
  expect(first).toMatchObject({ title: 'First', contentUrl: null, contentText: null, dueDate: null });
  expect((await listed()).map(({ id }) => id)).toEqual([first.id, second.id, alsoSecond.id]);
  expect(await stored(second.id)).toMatchObject({
    trainingActivityId: activityId,
    ...without(facts, 'fileId'),
    filePath: null,
  });
  const trail = await server.db
    .selectFrom('auditLog')
    .select(['actorId', 'action', 'after'])
    .where('subjectId', '=', second.id)
    .execute();
  expect(trail).toMatchObject([{ actorId: ada.id, action: 'content.create', after: { title: facts.title } }]);
  // The other statement reads who asks.
  expect(await countStatements(server.app.pool, listed)).toBe(2);
});

test('CONT-08 CONT-09 CONT-10 CONT-11 title, order and minutes are required, numbers are whole and at least 1, and the type is one of seven', async () => {
  const attempts: [object, string][] = [
    [{ title: undefined }, 'Title is required'],
    [{ title: '  ' }, 'Title is required'],
    [{ orderIndex: undefined }, 'Order must be a whole number of at least 1'],
    [{ orderIndex: 0 }, 'Order must be a whole number of at least 1'],
    [{ orderIndex: 1.5 }, 'Order must be a whole number of at least 1'],
    [{ estimatedMinutes: undefined }, 'Estimated minutes must be a whole number of at least 1'],
    [{ estimatedMinutes: 0 }, 'Estimated minutes must be a whole number of at least 1'],
    [{ contentType: 'lecture' }, ''],
    [{ isRequired: undefined }, ''],
    [{ dueDate: '2026-02-30' }, ''],
  ];
  for (const [wrong, words] of attempts) {
    const { status, problem } = await refuse(wrong);
    expect({ wrong, status }).toEqual({ wrong, status: 422 });
    expect(JSON.stringify(problem)).toContain(words);
  }
  expect(await listed()).toEqual([]);
  for (const contentType of contentTypes) await create({ contentType, orderIndex: 1, estimatedMinutes: 1 });
  expect((await listed()).map(({ contentType }) => contentType)).toEqual([
    'reading',
    'video',
    'assignment',
    'link_task',
    'certificate',
    'quiz',
    'project',
  ]);
});

test('CONT-13 CONT-14 CONT-15 a link task needs a URL, a video may have one, and none leads anywhere but the web', async () => {
  expect((await refuse({ contentType: 'link_task', contentUrl: null })).problem.errors).toMatchObject([
    { message: 'A link task needs its URL' },
  ]);
  for (const contentType of ['link_task', 'video', 'reading']) {
    for (const contentUrl of [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://files.example',
      'grid basics',
      'www.x',
      '',
    ]) {
      expect((await refuse({ contentType, contentUrl })).status).toBe(422);
    }
  }
  expect((await create({ contentType: 'video', contentUrl: null })).contentUrl).toBeNull();
  const url = 'HTTP://files.example/a?b=c#d';
  expect((await create({ contentType: 'link_task', contentUrl: url })).contentUrl).toBe(url);
  const written = server.db.updateTable('contentItems').set({ contentUrl: 'javascript:alert(1)' }).execute();
  await expect(written).rejects.toThrow('content_items_url_is_of_the_web');
});

test('CONT-16 CONT-17 due date and text are optional', async () => {
  expect(await create({ dueDate: null, contentText: null })).toMatchObject({ dueDate: null, contentText: null });
});

test('CONT-18 the file is optional, of the listed extensions, and what its name says', async () => {
  const names = ['pdf', 'doc', 'docx', 'mp4', 'mov', 'avi', 'jpg', 'jpeg', 'png', 'gif', 'bmp', 'webp', 'svg'];
  for (const extension of names) {
    const { status } = await beginUpload(admin, { area: 'content', name: `a.${extension.toUpperCase()}`, size: 9 });
    expect({ extension, status }).toEqual({ extension, status: 201 });
  }
  for (const name of ['a.txt', 'a.zip', 'a.html', 'a.exe', 'a.pdf.js', 'pdf']) {
    const begun = await beginUpload(admin, { area: 'content', name, size: 9 });
    expect({ name, status: begun.status }).toEqual({ name, status: 415 });
    expect((await problemOf(begun)).detail).toContain('File type not allowed');
  }
  await expect(uploadFile(admin, { area: 'content', name: 'a.pdf' }, png)).rejects.toThrow(
    'The content of this file is not what its name says',
  );
  await expect(uploadFile(admin, { area: 'content', name: 'a.svg' }, svgWithScript)).resolves.toBeTruthy();
});

test('CONT-19 100 MB exactly is accepted, one byte more is refused', async () => {
  const begin = (size: number) => beginUpload(admin, { area: 'content', name: 'film.mp4', size });
  expect((await begin(100 * mebibyte)).status).toBe(201);
  const refused = await begin(100 * mebibyte + 1);
  expect(refused.status).toBe(413);
  expect((await problemOf(refused)).detail).toBe('File size must be less than 100MB');
});

test('CONT-20 CONT-21 DATA1-27 the file is stored under content/ and is reached from the item, by those who are taught it', async () => {
  const { db } = server;
  const bytes = pdfOf(3000);
  const fileId = await uploadFile(admin, { area: 'content', name: 'Łukasz – manual.pdf' }, bytes);
  const item = await create({ fileId });
  expect(item.file).toEqual({ id: fileId, name: 'Łukasz – manual.pdf', size: 3000 });
  expect((await stored(item.id))?.filePath).toBe(`content/${fileId}`);
  const cohort = await buildCohort(db);
  const participant = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: participant.id });
  const reader = await server.as(participant);
  const { items } = await reader.call(readActivityContent, { params: { id: activityId } });
  expect(items[0]?.fileId).toBe(fileId);
  const download = await reader.fetch(downloadFile.path.replace(':id', fileId));
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);
});

test('CONT-24 what refers to no finished own upload for contents makes no item', async () => {
  const unfinished = await buildStoredFile(server.db, { ownerId: ada.id, area: 'content', completedAt: null });
  const elsewhere = await buildStoredFile(server.db, { ownerId: ada.id, area: 'my_files' });
  const another = await buildStoredFile(server.db, { ownerId: (await buildAdmin(server.db)).id, area: 'content' });
  for (const fileId of [unfinished.id, elsewhere.id, another.id, newId()]) {
    const { status, problem } = await refuse({ fileId });
    expect(status).toBe(422);
    expect(problem.detail).toContain('did not finish');
  }
  expect(await listed()).toEqual([]);
});

test('CONT-37 an item can be deleted and, beyond the specification, edited with its version; its file stays, no matter who uploaded it, is exchanged or taken away', async () => {
  const fileId = await uploadFile(admin, { area: 'content', name: 'a.pdf' }, pdfOf(500));
  const item = await create({ fileId });
  const other = await server.as(await buildAdmin(server.db));
  const edit = (client: Client, changes: object, version: number) =>
    client.call(updateContent, { params: { id: item.id }, body: { ...facts, ...changes, version } as never });
  expect(await edit(other, { title: 'Anew', fileId }, 1)).toMatchObject({ title: 'Anew', file: item.file, version: 2 });
  const late = await admin.refused(updateContent, { params: { id: item.id }, body: { ...facts, fileId, version: 1 } });
  expect(late).toMatchObject({ status: 409, problem: { code: 'stale' } });
  const own = await uploadFile(other, { area: 'content', name: 'b.pdf' }, pdfOf(600));
  expect((await edit(other, { fileId: own }, 2)).file).toMatchObject({ id: own, name: 'b.pdf' });
  expect((await edit(other, { fileId: null }, 3)).file).toBeNull();
  const back = await other.refused(updateContent, { params: { id: item.id }, body: { ...facts, fileId, version: 4 } });
  expect(back.status).toBe(422);
  const broken = { ...facts, contentType: 'link_task' as const, contentUrl: null, version: 4 };
  expect((await admin.refused(updateContent, { params: { id: item.id }, body: broken })).status).toBe(422);
  await admin.call(deleteContent, { params: { id: item.id } });
  expect(await listed()).toEqual([]);
});

test('an item that somebody marked as done is archived, and says before how many did', async () => {
  const { db } = server;
  const item = await create({});
  const ticking = { userId: (await buildParticipant(db)).id, contentItemId: item.id };
  await db.insertInto('contentTicks').values(ticking).execute();
  expect(await listed()).toMatchObject([{ id: item.id, ticks: 1 }]);
  expect(await admin.call(deleteContent, { params: { id: item.id } })).toEqual({ isArchived: true });
  expect(await listed()).toEqual([]);
  expect(await db.selectFrom('contentTicks').select('userId').where('contentItemId', '=', item.id).execute()).toEqual([
    { userId: ticking.userId },
  ]);
});

test('items are put into another order, all of them or none', async () => {
  const [one, two, three] = [await create(), await create(), await create({ orderIndex: 7 })];
  const order = (ids: string[]) => admin.call(orderContents, { params: { id: activityId }, body: { ids } });
  const { items } = await order([three.id, one.id, two.id]);
  expect(items.map(({ id, orderIndex }) => [id, orderIndex])).toEqual([
    [three.id, 1],
    [one.id, 2],
    [two.id, 3],
  ]);
  // A form that is open holds the place too, so it is told of a new one.
  expect(items.map(({ version }) => version)).toEqual([2, 1, 2]);
  expect(await listed()).toEqual(items);
  const foreign = await buildContentItem(server.db, { trainingActivityId: (await buildActivity(server.db)).id });
  for (const ids of [
    [one.id, two.id],
    [one.id, one.id, two.id],
    [one.id, two.id, foreign.id],
    [one.id, two.id, three.id, foreign.id],
  ]) {
    const refused = await admin.refused(orderContents, { params: { id: activityId }, body: { ids } });
    expect(refused).toMatchObject({ status: 409, problem: { code: 'stale' } });
  }
  expect(await listed()).toEqual(items);
});

test('SEC1-18 coaches and participants neither read nor change contents here, nor upload under content/', async () => {
  const item = await buildContentItem(server.db, { trainingActivityId: activityId });
  const assignment = await buildAssignment(server.db, { contentItemId: item.id });
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    const params = { id: item.id };
    const refusals = [
      await client.refused(listContents, { params: { id: activityId } }),
      await client.refused(createContent, { params: { id: activityId }, body: facts }),
      await client.refused(updateContent, { params, body: { ...facts, version: 1 } }),
      await client.refused(deleteContent, { params }),
      await client.refused(orderContents, { params: { id: activityId }, body: { ids: [item.id] } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect((await beginUpload(client, { area: 'content', name: 'a.pdf', size: 9 })).status).toBe(403);
  }
  expect(await stored(item.id)).toEqual(item);
  expect((await listed())[0]?.assignments.map(({ id }) => id)).toEqual([assignment.id]);
});

test('what is not there is not found', async () => {
  const params = { id: newId() };
  for (const refusal of [
    await admin.refused(listContents, { params }),
    await admin.refused(createContent, { params, body: facts }),
    await admin.refused(orderContents, { params, body: { ids: [newId()] } }),
    await admin.refused(updateContent, { params, body: { ...facts, version: 1 } }),
    await admin.refused(deleteContent, { params }),
  ]) {
    expect(refusal).toMatchObject({ status: 404, problem: { detail: expect.stringContaining('no longer exists') } });
  }
});

function without<Facts extends object, Field extends keyof Facts>(given: Facts, field: Field): Omit<Facts, Field> {
  const { [field]: _, ...rest } = given;
  return rest;
}
