import { afterAll, beforeAll, expect, test } from 'vitest';
import { downloadFile } from '#contract/files.ts';
import { readAssignment, submissionFile, submitAssignment } from '#contract/submissions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { docx, pdfOf, png, svgWithScript } from '#test/factories/files.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { beginUpload, idOf, sendBytes, uploadFile } from '#test/support/uploads.ts';

let server: TestApp;
let participant: BuiltPerson;
let client: Client;
let asCoach: Client;
let activityId: string;

beforeAll(async () => {
  server = await startTestApp();
  const cohort = await buildCohort(server.db);
  activityId = (await buildActivity(server.db, { cohortId: cohort.id })).id;
  participant = await buildParticipant(server.db);
  await enrol(server.db, { cohortId: cohort.id, participantId: participant.id });
  client = await server.as(participant);
  asCoach = await server.as(await buildCoach(server.db));
});
afterAll(() => server.close());

const marks = (hex: string) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(600)]);
const contents: Record<string, Buffer> = {
  pdf: pdfOf(2000),
  doc: marks('d0cf11e0a1b11ae1'),
  docx: docx(),
  txt: Buffer.from('The readings: 4, 8, 15.'),
  jpg: marks('ffd8ffe000104a464946'),
  jpeg: marks('ffd8ffe000104a464946'),
  png,
  gif: marks('474946383961'),
  bmp: marks('424d'),
  webp: marks('524946460000000057454250'),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
};

async function handIn(fileId: string) {
  const { id } = await buildAssignment(server.db, { trainingActivityId: activityId });
  await client.call(submitAssignment, { params: { id }, body: { text: null, fileId, basedOnRound: null } });
  return (await client.call(readAssignment, { params: { id } })).submission;
}

const download = (reader: Client, fileId: string, query = '') =>
  reader.fetch(`${downloadFile.path.replace(':id', fileId)}${query}`);

async function refusalOf(answer: Response) {
  const { code, detail } = await problemOf(answer);
  return [answer.status, code, detail];
}

function nothingIsKept(name: string) {
  return server.db.selectFrom('storedFiles').select('id').where('displayName', '=', name).execute();
}

test('ASSIGN-10 a file of each of the eleven types is handed in, and comes back byte for byte', async () => {
  expect(Object.keys(contents).sort()).toEqual(submissionFile.extensions.toSorted());
  for (const [type, content] of Object.entries(contents)) {
    const fileId = await uploadFile(client, { area: 'submissions', name: `work.${type}` }, content);
    expect((await handIn(fileId))?.file, type).toMatchObject({
      id: fileId,
      name: `work.${type}`,
      size: content.length,
    });
    const answer = await download(asCoach, fileId);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content), type).toBe(true);
  }
  const refused = await beginUpload(client, { area: 'submissions', name: 'work.zip', size: 10 });
  expect(await refusalOf(refused)).toEqual([
    415,
    'unsupported_type',
    `File type not allowed. Please choose one of: ${submissionFile.extensions.join(', ')}.`,
  ]);
});

test('a script that is called .pdf is refused with words when its last byte has come, and cannot be handed in', async () => {
  const script = new Uint8Array(Buffer.from('<html><script>alert(document.cookie)</script></html>'));
  const begun = await beginUpload(client, { area: 'submissions', name: 'evil.pdf', size: script.length });
  const fileId = idOf(begun);
  expect(await refusalOf(await sendBytes(client, fileId, 0, script))).toEqual([
    415,
    'unsupported_type',
    'The content of this file is not what its name says (.pdf).',
  ]);
  expect(await nothingIsKept('evil.pdf')).toEqual([]);
  const { id } = await buildAssignment(server.db, { trainingActivityId: activityId });
  const body = { text: null, fileId, basedOnRound: null };
  const { problem } = await client.refused(submitAssignment, { params: { id }, body });
  expect(problem.detail).toBe('The upload of this file did not finish. Please choose the file again.');
});

test('an svg with a script is handed in, and nobody’s browser ever runs it', async () => {
  const fileId = await uploadFile(client, { area: 'submissions', name: 'drawing.svg' }, svgWithScript);
  await handIn(fileId);
  for (const reader of [client, asCoach]) {
    for (const query of ['', '?inline=1']) {
      const answer = await download(reader, fileId, query);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await answer.text()).toBe(svgWithScript);
    }
  }
});

test('an empty file, and one of a byte more than 50 MB, are refused before any byte is sent, each with its words', async () => {
  const begin = (size: number) => beginUpload(client, { area: 'submissions', name: 'report.pdf', size });
  expect(await refusalOf(await begin(0))).toEqual([422, 'invalid_input', 'This file is empty.']);
  expect(await refusalOf(await begin(submissionFile.maxBytes + 1))).toEqual([
    413,
    'too_large',
    'File size must be less than 50MB',
  ]);
  expect(await nothingIsKept('report.pdf')).toEqual([]);
});

test('ASSIGN-11 a file of exactly 50 MB is uploaded and handed in', async () => {
  const content = pdfOf(submissionFile.maxBytes);
  const fileId = await uploadFile(client, { area: 'submissions', name: 'large.pdf' }, content);
  expect((await handIn(fileId))?.file).toMatchObject({ id: fileId, size: 52_428_800 });
  const answer = await download(asCoach, fileId);
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
});
