import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createUpload, downloadFile } from '#contract/files.ts';
import { deleteUserFile, listUserFiles } from '#contract/user-files.ts';
import { pdfOf, png } from '#test/factories/files.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildUserFile } from '#test/factories/user-files.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { beginUpload, idOf, sendBytes, tusHeaders, uploadFile } from '#test/support/uploads.ts';

const mebibyte = 1024 * 1024;

let server: TestApp;
let robin: BuiltPerson;
let client: Client;
beforeAll(async () => {
  server = await startTestApp({ FILE_SPACE_MB: '2' });
  await server.runJobs();
});
afterAll(() => server.close());
beforeEach(async () => {
  robin = await buildParticipant(server.db);
  client = await server.as(robin);
});

const download = (reader: Client, id: string) => reader.fetch(downloadFile.path.replace(':id', id));
const namesIn = async (query: { search?: string; type?: 'all' | 'documents' | 'images' | 'videos' } = {}) =>
  (await client.call(listUserFiles, { query })).rows.map(({ name }) => name);
const keep = (name: string, content: Uint8Array | string = 'some words') =>
  uploadFile(client, { area: 'my_files', name }, content);

async function storedBytes(path: string): Promise<Buffer | null> {
  const stored = await server.app.storage.read(path);
  return stored ? buffer(stored.stream) : null;
}

describe('the list', () => {
  test('FILES-09 an upload is in the own folder of the storage and recorded with all its facts', async () => {
    const content = pdfOf(3_000);
    const before = Date.now();
    const fileId = await keep('Certificate.PDF', content);
    const row = await server.db
      .selectFrom('userFiles')
      .selectAll()
      .where('userId', '=', robin.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      userId: robin.id,
      filePath: `${robin.id}/${fileId}`,
      displayName: 'Certificate.PDF',
      size: 3_000,
      mimeType: 'application/pdf',
    });
    expect(row.uploadDate.getTime()).toBeGreaterThanOrEqual(before - 1_000);
    expect((await storedBytes(row.filePath))?.equals(content)).toBe(true);
  });

  test('FILES-02 FILES-10 the list has the own files with name, size and date, newest first', async () => {
    await keep('first.txt', 'first');
    const picture = await keep('second.png', png);
    const list = await client.call(listUserFiles);
    expect(list.rows.map(({ name, size }) => ({ name, size }))).toEqual([
      { name: 'second.png', size: png.length },
      { name: 'first.txt', size: 5 },
    ]);
    const [second, first] = list.rows;
    expect(second).toMatchObject({ fileId: picture, mimeType: 'image/png', isShownInPlace: true });
    expect(first).toMatchObject({ mimeType: 'text/plain; charset=utf-8', isShownInPlace: false });
    expect(Date.parse(second?.uploadedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first?.uploadedAt ?? ''));
    expect(list).toMatchObject({
      fileCount: 2,
      usedBytes: png.length + 5,
      allowedBytes: 2 * mebibyte,
      nextCursor: null,
    });
  });

  test('FILES-03 the search narrows by a part of the name, in any case, and takes every character as it is', async () => {
    for (const displayName of ['Resume 2026.pdf', 'resume.docx', '100%_done.txt', 'back\\slash.txt']) {
      await buildUserFile(server.db, { userId: robin.id, displayName });
    }
    expect((await namesIn({ search: 'RESUME' })).toSorted()).toEqual(['Resume 2026.pdf', 'resume.docx']);
    expect(await namesIn({ search: ' 2026 ' })).toEqual(['Resume 2026.pdf']);
    expect(await namesIn({ search: '%' })).toEqual(['100%_done.txt']);
    expect(await namesIn({ search: '_' })).toEqual(['100%_done.txt']);
    expect(await namesIn({ search: '\\' })).toEqual(['back\\slash.txt']);
    expect(await namesIn({ search: 'invoice' })).toEqual([]);
    expect((await client.call(listUserFiles, { query: { search: 'invoice' } })).fileCount).toBe(4);
  });

  test('FILES-04 the types sort by extension: archives are under all only', async () => {
    const documents = ['a.pdf', 'a.doc', 'a.DOCX', 'a.txt'];
    const images = ['a.jpg', 'a.jpeg', 'a.png', 'a.gif', 'a.bmp', 'a.webp', 'a.svg'];
    const videos = ['a.mp4', 'a.MOV'];
    for (const displayName of [...documents, ...images, ...videos, 'a.zip', 'a.rar']) {
      await buildUserFile(server.db, { userId: robin.id, displayName });
    }
    expect((await namesIn({ type: 'documents' })).toSorted()).toEqual(documents.toSorted());
    expect((await namesIn({ type: 'images' })).toSorted()).toEqual(images.toSorted());
    expect((await namesIn({ type: 'videos' })).toSorted()).toEqual(videos.toSorted());
    expect(await namesIn({ type: 'all' })).toHaveLength(15);
    expect(await namesIn({ type: 'images', search: 'PNG' })).toEqual(['a.png']);
  });

  test('a long list comes in pages, each file once, also where dates are equal', async () => {
    const moment = new Date();
    for (let index = 0; index < 120; index += 1) {
      const uploadDate = new Date(moment.getTime() - Math.floor(index / 3) * 1_000);
      await buildUserFile(server.db, { userId: robin.id, displayName: `${index}.txt`, uploadDate });
    }
    const seen: string[] = [];
    const dates: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.call(listUserFiles, { query: { cursor } });
      expect(page.rows.length).toBeLessThanOrEqual(50);
      expect(page.fileCount).toBe(120);
      seen.push(...page.rows.map(({ name }) => name));
      dates.push(...page.rows.map(({ uploadedAt }) => new Date(uploadedAt).toISOString()));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(new Set(seen).size).toBe(120);
    expect(seen).toHaveLength(120);
    expect(dates).toEqual(dates.toSorted().toReversed());
    const refusal = await client.refused(listUserFiles, { query: { cursor: 'bm8gY3Vyc29y' } });
    expect(refusal).toMatchObject({ status: 422, problem: { code: 'invalid_input' } });
  });

  test('FILES-22 what was uploaded for an assignment or a message is not in the list', async () => {
    await keep('mine.txt');
    await uploadFile(client, { area: 'submissions', name: 'report.txt' }, 'report');
    await uploadFile(client, { area: 'messages', name: 'question.txt' }, 'question');
    expect(await namesIn()).toEqual(['mine.txt']);
    expect((await client.call(listUserFiles)).usedBytes).toBe('some words'.length);
  });

  test('FILES-11 two files of one name are both kept, each with its own bytes', async () => {
    const first = await keep('plan.txt', 'the first plan');
    const second = await keep('plan.txt', 'another plan');
    expect(await namesIn()).toEqual(['plan.txt', 'plan.txt']);
    expect(await (await download(client, first)).text()).toBe('the first plan');
    expect(await (await download(client, second)).text()).toBe('another plan');
  });

  test('an upload on its way is named as unfinished until it is there or given up', async () => {
    const id = idOf(await beginUpload(client, { area: 'my_files', name: 'film.txt', size: 4 }));
    const before = await client.call(listUserFiles);
    expect(before.rows).toEqual([]);
    expect(before.unfinished).toMatchObject([{ id, name: 'film.txt', size: 4 }]);
    const lost = idOf(await beginUpload(client, { area: 'my_files', name: 'lost.txt', size: 9 }));
    expect((await client.call(listUserFiles)).usedBytes).toBe(13);
    await client.fetch(`${createUpload.path}/${lost}`, { method: 'DELETE', headers: tusHeaders });
    await sendBytes(client, id, 0, new Uint8Array(Buffer.from('film')));
    expect(await client.call(listUserFiles)).toMatchObject({
      rows: [{ name: 'film.txt' }],
      unfinished: [],
      usedBytes: 4,
    });
  });

  test('open browsers of the owner read the list again when a file came and when it went', async () => {
    const told = await toldBy(server, () => keep('notes.txt'));
    expect(told(robin)).toEqual(['files']);
    const [row] = (await client.call(listUserFiles)).rows;
    const gone = await toldBy(server, () => client.call(deleteUserFile, { params: { id: row?.id ?? '' } }));
    expect(gone(robin)).toEqual(['files']);
  });
});

describe('the space', () => {
  test('an upload that would not fit is refused in words before it is sent; the last byte fits', async () => {
    const begin = (size: number) => beginUpload(client, { area: 'my_files', name: 'a.zip', size });
    expect((await begin(mebibyte)).status).toBe(201);
    const refused = await begin(mebibyte + 1);
    expect(refused.status).toBe(413);
    expect((await problemOf(refused)).detail).toBe(
      'My Files is too full: 1 MB of 2 MB are free, and this file needs 2 MB. Delete files you no longer need, then try again.',
    );
    expect((await begin(mebibyte)).status).toBe(201);
    expect((await begin(1)).status).toBe(413);
    expect((await beginUpload(client, { area: 'submissions', name: 'a.pdf', size: mebibyte })).status).toBe(201);
  });

  test('of several uploads at once only as many begin as fit together', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => beginUpload(client, { area: 'my_files', name: 'a.zip', size: 800_000 })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 413, 413, 413, 413]);
    expect((await client.call(listUserFiles)).unfinished).toHaveLength(2);
  });
});

describe('deleting', () => {
  test('FILES-18 both rows and the stored bytes are gone, and nothing else', async () => {
    const fileId = await keep('old.txt', 'old');
    const other = await keep('young.txt', 'young');
    const [, row] = (await client.call(listUserFiles)).rows;
    expect(row).toMatchObject({ name: 'old.txt' });
    await client.call(deleteUserFile, { params: { id: row?.id ?? '' } });
    expect(await namesIn()).toEqual(['young.txt']);
    expect((await download(client, fileId)).status).toBe(404);
    const left = await server.db.selectFrom('storedFiles').select('id').where('ownerId', '=', robin.id).execute();
    expect(left).toEqual([{ id: other }]);
    await expect.poll(() => storedBytes(`${robin.id}/${fileId}`)).toBeNull();
    expect(await (await download(client, other)).text()).toBe('young');
  });

  test('of two deletions at once one is done and the other learns that the file is gone', async () => {
    await keep('old.txt');
    const [row] = (await client.call(listUserFiles)).rows;
    const address = deleteUserFile.path.replace(':id', row?.id ?? '');
    const answers = await Promise.all([1, 2].map(() => client.fetch(address, { method: 'DELETE' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    const refusal = await client.refused(deleteUserFile, { params: { id: row?.id ?? '' } });
    expect(refusal.problem.detail).toBe('This file is no longer in My Files.');
  });
});

describe('a file that is not where it was written down', () => {
  test('SUBM-21 FILES-14 other ways to write the path are tried, and then it is told that the file is gone', async () => {
    const files = path.join(server.app.config.dataDir, 'files');
    for (const [written, lies] of [
      [`assignment-submissions/${robin.id}/a.txt`, `${robin.id}/a.txt`],
      [`${robin.id}/b.txt`, `assignment-submissions/${robin.id}/b.txt`],
      [`/${robin.id}/c.txt`, `${robin.id}/c.txt`],
      [`${robin.id}/my%20notes.txt`, `${robin.id}/my notes.txt`],
      ['d.txt', `${robin.id}/d.txt`],
      ['uploads/2025/e.txt', `${robin.id}/e.txt`],
    ] as const) {
      const bytes = `bytes of ${lies}`;
      await mkdir(path.dirname(path.join(files, lies)), { recursive: true });
      await writeFile(path.join(files, lies), bytes);
      const file = await buildUserFile(server.db, { userId: robin.id, path: written, size: bytes.length });
      const [row] = (await client.call(listUserFiles)).rows;
      const answer = await download(client, row?.fileId ?? '');
      expect(answer.status, written).toBe(200);
      expect(await answer.text()).toBe(bytes);

      await client.call(deleteUserFile, { params: { id: file.id } });
      await expect.poll(() => storedBytes(lies)).toBeNull();
    }
    await buildUserFile(server.db, { userId: robin.id });
    const [lost] = (await client.call(listUserFiles)).rows;
    const answer = await download(client, lost?.fileId ?? '');
    expect(answer.status).toBe(404);
    expect((await problemOf(answer)).detail).toBe('File not found in storage. It may have been moved or deleted.');
  });

  test('FILES-20 no way to write a path leads to the bytes of somebody else', async () => {
    const other = await buildParticipant(server.db);
    const secret = await uploadFile(await server.as(other), { area: 'my_files', name: 'secret.txt' }, 'secret');
    for (const written of [
      `assignment-submissions/${other.id}/${secret}`,
      `/${other.id}/${secret}`,
      `${robin.id}/../${other.id}/${secret}`,
      `${robin.id}/%2e%2e%2f${other.id}%2F${secret}`,
    ]) {
      const file = await buildUserFile(server.db, { userId: robin.id, path: written });
      const [row] = (await client.call(listUserFiles)).rows;
      expect((await download(client, row?.fileId ?? '')).status, written).toBe(404);
      await client.call(deleteUserFile, { params: { id: file.id } });
    }
    expect((await storedBytes(`${other.id}/${secret}`))?.toString()).toBe('secret');
  });
});

describe('other people', () => {
  test('FILES-20 nobody lists, reads, writes or deletes the files of another participant', async () => {
    const fileId = await keep('mine.txt', 'mine');
    const [row] = (await client.call(listUserFiles)).rows;
    const other = await server.as(await buildParticipant(server.db));
    expect(await other.call(listUserFiles)).toMatchObject({ rows: [], fileCount: 0, usedBytes: 0, unfinished: [] });
    expect((await download(other, fileId)).status).toBe(404);
    expect((await other.refused(deleteUserFile, { params: { id: row?.id ?? '' } })).status).toBe(404);
    const begun = idOf(await beginUpload(client, { area: 'my_files', name: 'next.txt', size: 4 }));
    expect((await sendBytes(other, begun, 0, new Uint8Array(Buffer.from('evil')))).status).toBe(404);
    for (const person of [await buildCoach(server.db), await buildAdmin(server.db)]) {
      const outsider = await server.as(person);
      expect((await outsider.refused(listUserFiles)).status).toBe(403);
      expect((await outsider.refused(deleteUserFile, { params: { id: row?.id ?? '' } })).status).toBe(403);
    }
    expect(await (await download(client, fileId)).text()).toBe('mine');
  });
});
