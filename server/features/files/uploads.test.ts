import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUpload, downloadFile } from '#contract/files.ts';
import { deleteUserFile, listUserFiles } from '#contract/user-files.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { docx, pdfOf, png, svgWithScript, zipOf } from '#test/factories/files.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { startS3, type TestS3 } from '#test/support/s3.ts';
import {
  askOffset,
  beginUpload,
  idOf,
  sendBytes,
  sendPartAndBreakOff,
  tusHeaders,
  uploadFile,
} from '#test/support/uploads.ts';
import { removeAbandonedUploadsJob, removeStoredFileJob, removeUnusedUploadsJob } from './file-jobs.ts';
import { finishUpload, loadOwnUpload } from './uploads.ts';

const mebibyte = 1024 * 1024;

for (const place of ['the data folder', 'S3'] as const) {
  describe(`files in ${place}`, () => {
    let s3: TestS3;
    let server: TestApp;
    let robin: BuiltPerson;
    let participant: Client;
    let coach: Client;
    let admin: Client;
    beforeAll(async () => {
      s3 = await startS3();
      server = await startTestApp(place === 'S3' ? s3.env : {});
      robin = await buildParticipant(server.db);
      participant = await server.as(robin);
      coach = await server.as(await buildCoach(server.db));
      admin = await server.as(await buildAdmin(server.db));
    });
    afterAll(async () => {
      await server.close();
      await s3.close();
    });

    const download = (client: Client, id: string, headers: Record<string, string> = {}) =>
      client.fetch(downloadFile.path.replace(':id', id), { headers });
    const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
    const readRow = (id: string) =>
      server.db.selectFrom('storedFiles').selectAll().where('id', '=', id).executeTakeFirst();

    test('SUBM-18 FILES-13 an upload comes back byte for byte under its own name', async () => {
      const content = pdfOf(300_000);
      const id = await uploadFile(participant, { area: 'submissions', name: 'Résumé "final".PDF' }, content);
      expect(await readRow(id)).toMatchObject({
        ownerId: robin.id,
        area: 'submissions',
        path: `${robin.id}/${id}`,
        displayName: 'Résumé "final".PDF',
        size: content.length,
        mimeType: 'application/pdf',
        completedAt: expect.any(Date),
      });
      const { id: trainingActivityId } = await buildActivity(server.db);
      const { id: assignmentId } = await buildAssignment(server.db, { trainingActivityId });
      await buildSubmission(server.db, { assignmentId, userId: robin.id, filePath: `${robin.id}/${id}` });
      for (const reader of [participant, coach, admin]) {
        const answer = await download(reader, id);
        expect(answer.status).toBe(200);
        expect((await bytesOf(answer)).equals(content)).toBe(true);
        expect(answer.headers.get('content-disposition')).toContain(
          "filename*=UTF-8''R%C3%A9sum%C3%A9%20%22final%22.PDF",
        );
      }
    });

    test('DATA-28 DATA1-27 MSG-24 each area has its place in the storage: it is stored, read so that no cache gives it out without asking, and removed there', async () => {
      const content = pdfOf(5_000);
      const file = async (client: Client, area: 'submissions' | 'my_files' | 'messages' | 'content') =>
        uploadFile(client, { area, name: 'report.pdf' }, content);
      const submission = await file(participant, 'submissions');
      const own = await file(participant, 'my_files');
      const message = await file(participant, 'messages');
      const taught = await file(admin, 'content');
      expect((await readRow(submission))?.path).toBe(`${robin.id}/${submission}`);
      expect((await readRow(own))?.path).toBe(`${robin.id}/${own}`);
      const inMessages = new RegExp(`^messages/${robin.id}/message-\\d{13}-[0-9a-f]{12}-report\\.pdf$`);
      expect((await readRow(message))?.path).toMatch(inMessages);
      const named = await uploadFile(participant, { area: 'messages', name: 'Pläne & "Maße" <1>.pdf' }, content);
      expect(await readRow(named)).toMatchObject({
        displayName: 'Pläne & "Maße" <1>.pdf',
        path: expect.stringMatching(/-Pl_ne_Ma_e_1_\.pdf$/),
      });
      const [first, second] = await Promise.all([file(participant, 'messages'), file(participant, 'messages')]);
      expect((await readRow(first ?? ''))?.path).not.toBe((await readRow(second ?? ''))?.path);
      const sent = await download(participant, message);
      expect(sent.headers.get('cache-control')).toBe('private, no-cache');
      expect((await bytesOf(sent)).equals(content)).toBe(true);
      expect((await readRow(taught))?.path).toBe(`content/${taught}`);
      for (const id of [submission, own, taught]) {
        const answer = await download(participant, id);
        expect(answer.headers.get('cache-control')).toBe('private, no-cache');
        expect((await bytesOf(answer)).equals(content)).toBe(true);
      }

      const [shown] = (await participant.call(listUserFiles)).rows;
      await participant.call(deleteUserFile, { params: { id: shown?.id ?? '' } });
      const unused = [submission, message, named, taught];
      const completedAt = new Date('2025-01-01T12:00:00Z');
      const paths = await server.db
        .updateTable('storedFiles')
        .set({ completedAt })
        .where('id', 'in', unused)
        .returning('path');
      const places = [`${robin.id}/${own}`, ...(await paths.execute()).map(({ path }) => path)];
      expect(places).toHaveLength(5);
      await removeUnusedUploadsJob.run(server.app, {}, { number: 1, isLast: false });
      await server.runJobs();
      for (const path of places) {
        await expect.poll(() => server.app.storage.read(path)).toBeNull();
      }
      for (const id of [own, ...unused]) expect((await download(admin, id)).status).toBe(404);
    });

    test('an upload goes on after its connection broke, and is equal byte for byte', async () => {
      const content = pdfOf(13 * mebibyte);
      const id = idOf(await beginUpload(participant, { area: 'submissions', name: 'long.pdf', size: content.length }));
      await sendPartAndBreakOff(server.url, participant.cookie, { id, bytes: content, sent: 9 * mebibyte });
      const asked = await askOffset(participant, id);
      const offset = Number(asked.headers.get('upload-offset'));
      expect(asked.headers.get('upload-length')).toBe(String(content.length));
      expect(offset).toBeLessThanOrEqual(9 * mebibyte);
      expect((await download(participant, id)).status).toBe(404);

      expect((await sendBytes(participant, id, offset, new Uint8Array(content.subarray(offset)))).status).toBe(204);
      expect((await bytesOf(await download(participant, id))).equals(content)).toBe(true);
    });

    test("the browser's upload client sends a file in pieces and tells the progress", async () => {
      const content = pdfOf(7 * mebibyte);
      const progress: number[] = [];
      const address = await new Promise<string | null>((resolve, reject) => {
        const upload = new Upload(content, {
          endpoint: new URL(createUpload.path, server.url).href,
          metadata: { filename: 'pieces.pdf', area: 'my_files' },
          headers: { cookie: participant.cookie, 'X-Requested-With': 'XMLHttpRequest' },
          chunkSize: 3 * mebibyte,
          onChunkComplete: (_chunk, accepted) => progress.push(accepted),
          onError: reject,
          onSuccess: () => resolve(upload.url),
        });
        upload.start();
      });
      expect(progress).toEqual([3 * mebibyte, 6 * mebibyte, 7 * mebibyte]);
      const id = address?.split('/').at(-1) ?? '';
      expect((await bytesOf(await download(participant, id))).equals(content)).toBe(true);
    });

    test('a file whose last byte arrived just before the server died is finished when the client asks', async () => {
      const content = pdfOf(20_000);
      const id = idOf(await beginUpload(participant, { area: 'submissions', name: 'a.pdf', size: content.length }));
      await server.app.storage.tusStore.write(Readable.from([content]), `${robin.id}/${id}`, 0);
      expect((await readRow(id))?.completedAt).toBeNull();
      expect((await askOffset(participant, id)).headers.get('upload-offset')).toBe(String(content.length));
      expect((await readRow(id))?.completedAt).toBeInstanceOf(Date);
    });

    test('SEC-18 nobody goes on with, asks about or gives up the upload of somebody else', async () => {
      const other = await server.as(await buildParticipant(server.db));
      const id = idOf(await beginUpload(participant, { area: 'my_files', name: 'mine.txt', size: 4 }));
      expect((await askOffset(other, id)).status).toBe(404);
      expect((await sendBytes(other, id, 0, new Uint8Array(Buffer.from('evil')))).status).toBe(404);
      const given = await other.fetch(`${createUpload.path}/${id}`, { method: 'DELETE', headers: tusHeaders });
      expect(given.status).toBe(404);
      expect((await sendBytes(participant, id, 0, new Uint8Array(Buffer.from('mine')))).status).toBe(204);
      expect((await download(other, id)).status).toBe(404);
      expect((await bytesOf(await download(participant, id))).toString()).toBe('mine');
    });

    test('an own upload that is not finished can be given up', async () => {
      const id = idOf(await beginUpload(participant, { area: 'my_files', name: 'mine.txt', size: 4 }));
      const given = await participant.fetch(`${createUpload.path}/${id}`, { method: 'DELETE', headers: tusHeaders });
      expect(given.status).toBe(204);
      expect(await readRow(id)).toBeUndefined();
      expect((await askOffset(participant, id)).status).toBe(404);
    });

    test('a file whose content is not what its name says is refused and removed', async () => {
      for (const [name, content] of [
        ['picture.png', '<html><script>alert(1)</script></html>'],
        ['document.pdf', png],
        ['drawing.svg', '<html><body><svg></svg></body></html>'],
        // A pattern that goes back to where it began tries each of these in two ways, and all of them together forever.
        ['declarations.svg', '<??>'.repeat(10_000)],
        ['comments.svg', '<!---->'.repeat(9000)],
        ['letter.docx', zipOf({ 'notes.txt': 'plain' })],
        ['notes.txt', png],
        ['empty.doc', 'plain words'],
      ] as const) {
        const refused = uploadFile(participant, { area: 'submissions', name }, content);
        await expect(refused, name).rejects.toThrow(/^415 .*The content of this file is not what its name says/);
      }
      const left = await server.db
        .selectFrom('storedFiles')
        .select('id')
        .where('displayName', '=', 'document.pdf')
        .execute();
      expect(left).toEqual([]);
    });

    test('the accepted kinds are recognised by their content', async () => {
      for (const [name, content] of [
        ['notes.txt', 'Grüße,\r\n\tRobin'],
        ['picture.PNG', png],
        ['drawing.svg', `\uFEFF<!-- drawn by hand -->${svgWithScript.split('\n')[1]}`],
        ['exported.svg', '<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "a" "b" [ <!ENTITY c "d"> ] >\n<svg />'],
        ['letter.docx', docx()],
        ['letter.doc', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])],
        ['all.zip', zipOf({ 'notes.txt': 'plain' })],
      ] as const) {
        const id = await uploadFile(participant, { area: 'my_files', name }, content);
        expect((await readRow(id))?.completedAt, name).toBeInstanceOf(Date);
      }
    });

    test('SEC-19 FILES-21 an svg is only ever a download from a sandbox', async () => {
      const id = await uploadFile(participant, { area: 'my_files', name: 'drawing.svg' }, svgWithScript);
      for (const query of ['', '?inline=1']) {
        const answer = await participant.fetch(`${downloadFile.path.replace(':id', id)}${query}`);
        expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/);
        expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        expect(answer.headers.get('cache-control')).toBe('private, no-cache');
        expect((await bytesOf(answer)).toString()).toBe(svgWithScript);
      }
    });

    test('a picture and a PDF are shown in place when asked for, and a part of a file is sent alone', async () => {
      const picture = await uploadFile(participant, { area: 'my_files', name: 'picture.png' }, png);
      const shown = await participant.fetch(`${downloadFile.path.replace(':id', picture)}?inline=1`);
      expect(shown.headers.get('content-disposition')).toMatch(/^inline;/);
      expect(shown.headers.get('content-security-policy')).toContain('sandbox');
      expect((await download(participant, picture)).headers.get('content-disposition')).toMatch(/^attachment;/);

      for (const [range, part] of [
        ['bytes=4-9', png.subarray(4, 10)],
        ['bytes=-5', png.subarray(-5)],
        ['bytes=60-', png.subarray(60)],
      ] as const) {
        const answer = await download(participant, picture, { range });
        expect(answer.status).toBe(206);
        expect(answer.headers.get('content-range')).toMatch(new RegExp(`/${png.length}$`));
        expect((await bytesOf(answer)).equals(part)).toBe(true);
      }
    });

    test('a file that the storage lost is told in words', async () => {
      const id = await uploadFile(participant, { area: 'my_files', name: 'notes.txt' }, 'plain');
      const path = (await readRow(id))?.path;
      await removeStoredFileJob.run(server.app, { path }, { number: 1, isLast: false });
      await removeStoredFileJob.run(server.app, { path }, { number: 2, isLast: false });
      const answer = await download(participant, id);
      expect(answer.status).toBe(404);
      expect((await problemOf(answer)).detail).toBe('File not found in storage. It may have been moved or deleted.');
    });

    test('uploads that nobody went on with for a day are removed; those gone on with, younger and finished ones stay', async () => {
      const begin = async (name: string) => idOf(await beginUpload(participant, { area: 'my_files', name, size: 4 }));
      const [old, resumed, asked] = [await begin('old.txt'), await begin('resumed.txt'), await begin('asked.txt')];
      const young = await begin('young.txt');
      const finished = await uploadFile(participant, { area: 'my_files', name: 'finished.txt' }, 'text');
      const oldPath = (await readRow(old))?.path;
      const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
      await server.db
        .updateTable('storedFiles')
        .set({ createdAt: twoDaysAgo, continuedAt: twoDaysAgo })
        .where('id', 'in', [old, resumed, asked, finished])
        .execute();
      await sendBytes(participant, resumed, 0, new Uint8Array(Buffer.from('te')));
      await askOffset(participant, asked);
      await removeAbandonedUploadsJob.run(server.app, {}, { number: 1, isLast: false });
      expect(await readRow(old)).toBeUndefined();
      const removals = await sql<{ data: { path: string } }>`
        select data from pgboss.job where name = 'remove-stored-file'`.execute(server.db.withoutPlugins());
      expect(removals.rows.map(({ data }) => data.path)).toContain(oldPath);
      for (const id of [resumed, asked, young]) {
        const offset = Number((await askOffset(participant, id)).headers.get('upload-offset'));
        expect(
          (await sendBytes(participant, id, offset, new Uint8Array(Buffer.from('text').subarray(offset)))).status,
        ).toBe(204);
        expect((await bytesOf(await download(participant, id))).toString()).toBe('text');
      }
      expect((await download(participant, finished)).status).toBe(200);
    });
  });
}

describe('what may be uploaded', () => {
  let server: TestApp;
  let owner: BuiltPerson;
  let participant: Client;
  beforeAll(async () => {
    server = await startTestApp();
    owner = await buildParticipant(server.db);
    participant = await server.as(owner);
  });
  afterAll(() => server.close());

  const refusalOf = async (answer: Response) => ({ status: answer.status, body: await problemOf(answer) });

  test('an upload that is being finished is not removed, and one that is gone is not said to be finished', async () => {
    const id = idOf(await beginUpload(participant, { area: 'submissions', name: 'late.txt', size: 4 }));
    const continuedAt = new Date(Date.now() - 48 * 3_600_000);
    await server.db.updateTable('storedFiles').set({ continuedAt }).where('id', '=', id).execute();
    const clean = () => removeAbandonedUploadsJob.run(server.app, {}, { number: 1, isLast: false });
    await server.db.transaction().execute(async (finishing) => {
      await finishing.updateTable('storedFiles').set({ completedAt: new Date() }).where('id', '=', id).execute();
      await clean();
    });
    expect(await loadOwnUpload(server.db, owner, id)).toMatchObject({ isComplete: true });

    const gone = await uploadFile(participant, { area: 'submissions', name: 'gone.txt' }, 'text');
    const upload = { ...(await loadOwnUpload(server.db, owner, gone)), isComplete: false };
    await finishUpload(server.db, server.app.storage, upload);
    await server.db.deleteFrom('storedFiles').where('id', '=', gone).execute();
    await expect(finishUpload(server.db, server.app.storage, upload)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('ASSIGN-11 ASSIGN-12 FILES-06 FILES-08 one byte over 50 MB is refused and exactly 50 MB accepted', async () => {
    for (const area of ['submissions', 'my_files'] as const) {
      const accepted = await beginUpload(participant, { area, name: 'a.pdf', size: 50 * mebibyte });
      expect(accepted.status).toBe(201);
      const refused = await refusalOf(await beginUpload(participant, { area, name: 'a.pdf', size: 50 * mebibyte + 1 }));
      const body = { code: 'too_large', detail: 'File size must be less than 50MB' };
      expect(refused).toMatchObject({ status: 413, body });
    }
  });

  test('more bytes than announced are refused', async () => {
    const id = idOf(await beginUpload(participant, { area: 'my_files', name: 'a.txt', size: 3 }));
    expect((await sendBytes(participant, id, 0, new Uint8Array(Buffer.from('four')))).status).toBe(413);
  });

  test('FILES-07 FILES-08 other types are refused with the list, case of the extension does not matter', async () => {
    for (const name of ['page.html', 'run.exe', 'noextension', 'photo.png.js']) {
      const refused = await refusalOf(await beginUpload(participant, { area: 'my_files', name, size: 10 }));
      expect(refused).toMatchObject({ status: 415, body: { code: 'unsupported_type' } });
      expect(refused.body.detail).toMatch(/^File type not allowed/);
    }
    expect((await beginUpload(participant, { area: 'my_files', name: 'A.PdF', size: 10 })).status).toBe(201);
    expect((await beginUpload(participant, { area: 'submissions', name: 'a.mp4', size: 10 })).status).toBe(415);
  });

  test('SEC-18 each area is for its roles, and nobody uploads signed out or from a form', async () => {
    const coach = await server.as(await buildCoach(server.db));
    const admin = await server.as(await buildAdmin(server.db));
    const statusOf = async (client: Client, area: 'submissions' | 'my_files' | 'messages' | 'content') =>
      (await beginUpload(client, { area, name: 'a.pdf', size: 10 })).status;
    const areas = ['submissions', 'my_files', 'messages', 'content'] as const;
    const statuses = (client: Client) => Promise.all(areas.map((area) => statusOf(client, area)));
    expect(await statuses(participant)).toEqual([201, 201, 201, 403]);
    expect(await statuses(coach)).toEqual([403, 403, 201, 403]);
    expect(await statuses(admin)).toEqual([403, 403, 403, 201]);
    expect(await statuses(await server.as(null))).toEqual([401, 401, 401, 401]);

    const fromForm = await participant.fetch(createUpload.path, {
      method: 'POST',
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '10' },
    });
    expect(await refusalOf(fromForm)).toMatchObject({ status: 403, body: { code: 'csrf_refused' } });
  });

  test('an upload without length, name or area is refused', async () => {
    const headers = { ...tusHeaders, 'upload-length': '10' };
    const bare = await participant.fetch(createUpload.path, { method: 'POST', headers });
    expect(bare.status).toBe(422);
    const empty = await beginUpload(participant, { area: 'my_files', name: 'a.txt', size: 0 });
    expect(await refusalOf(empty)).toMatchObject({ status: 422, body: { detail: 'This file is empty.' } });
    const deferred = await participant.fetch(createUpload.path, {
      method: 'POST',
      headers: {
        ...tusHeaders,
        'upload-defer-length': '1',
        'upload-metadata': `filename ${btoa('a.txt')},area ${btoa('my_files')}`,
      },
    });
    expect(deferred.status).toBe(422);
  });

  test('answers to uploads carry the security headers and are for no other origin', async () => {
    const answer = await beginUpload(participant, { area: 'my_files', name: 'a.txt', size: 3 });
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('location')).toMatch(/^\/api\/uploads\/[0-9a-f-]{36}$/);
  });
});
