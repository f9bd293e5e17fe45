import { afterAll, beforeAll, expect, test } from 'vitest';
import { discardAssignmentDraft, saveAssignmentDraft } from '#contract/assignment-drafts.ts';
import { downloadFile } from '#contract/files.ts';
import { reviewSubmission } from '#contract/reviews.ts';
import { readAssignment, submitAssignment } from '#contract/submissions.ts';
import { removeUnusedUploadsJob } from '#server/features/files/file-jobs.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { uploadFile } from '#test/support/uploads.ts';

let server: TestApp;
let cohortId: string;
let activityId: string;
let asAdmin: Client;

beforeAll(async () => {
  server = await startTestApp();
  cohortId = (await buildCohort(server.db)).id;
  activityId = (await buildActivity(server.db, { cohortId })).id;
  asAdmin = await server.as(await buildAdmin(server.db));
});
afterAll(() => server.close());

const words = { text: 'Three breakers', fileId: null, basedOnRound: null, basedOn: null };

/** A participant with an assignment, on two devices. */
async function participantWithAssignment() {
  const assignment = await buildAssignment(server.db, { trainingActivityId: activityId });
  const participant = await buildParticipant(server.db);
  await enrol(server.db, { cohortId, participantId: participant.id });
  const [phone, laptop] = [await server.as(participant), await server.as(participant)];
  const params = { id: assignment.id };
  const save = (client: Client, body: { text?: string; fileId?: string; basedOn?: string }) =>
    client.call(saveAssignmentDraft, { params, body: { ...words, ...body } });
  const draftOn = async (client: Client) => (await client.call(readAssignment, { params })).draft;
  return { participant, assignment, params, phone, laptop, save, draftOn };
}

const upload = (client: Client, name = 'notes.txt') => uploadFile(client, { area: 'submissions', name }, `of ${name}`);

test('a draft with its upload is read on another device, and is nobody else’s', async () => {
  const { phone, laptop, params, save, draftOn } = await participantWithAssignment();
  expect(await draftOn(phone)).toBeNull();
  const fileId = await upload(phone);
  const { updatedAt } = await save(phone, { fileId });
  const draft = {
    text: words.text,
    file: { id: fileId, name: 'notes.txt', size: 12, mimeType: 'text/plain; charset=utf-8' },
    updatedAt,
  };
  expect(await draftOn(laptop)).toEqual(draft);

  const stranger = await participantWithAssignment();
  const other = stranger.phone;
  expect((await other.call(readAssignment, { params })).draft).toBeNull();
  expect((await asAdmin.call(readAssignment, { params })).draft).toBeNull();
  expect(await other.call(discardAssignmentDraft, { params })).toEqual({ discarded: false });
  const foreignFile = await other.refused(saveAssignmentDraft, { params, body: { ...words, fileId } });
  expect(foreignFile.problem.code).toBe('invalid_input');
  expect(await draftOn(laptop)).toEqual(draft);

  expect(await laptop.call(discardAssignmentDraft, { params })).toEqual({ discarded: true });
  expect(await draftOn(phone)).toBeNull();
});

test('what another device has saved is never written over unseen, and the same content again is no change', async () => {
  const { phone, laptop, params, save, draftOn } = await participantWithAssignment();
  const first = await save(phone, {});
  expect(await save(phone, {})).toEqual(first);
  const second = await save(phone, { text: 'Three breakers were', basedOn: first.updatedAt });
  expect(second.updatedAt > first.updatedAt).toBe(true);
  // The answer was lost, so the phone sends the same again.
  expect(await save(phone, { text: 'Three breakers were', basedOn: first.updatedAt })).toEqual(second);

  for (const basedOn of [null, first.updatedAt]) {
    const body = { ...words, text: 'From the laptop', basedOn };
    const { status, problem } = await laptop.refused(saveAssignmentDraft, { params, body });
    expect([status, problem.code]).toEqual([409, 'stale']);
  }
  expect((await draftOn(laptop))?.text).toBe('Three breakers were');
  const chosen = await save(laptop, { text: 'From the laptop', basedOn: second.updatedAt });
  expect(await draftOn(phone)).toMatchObject({ text: 'From the laptop', updatedAt: chosen.updatedAt });
});

test('of several devices that save at once one is kept and the others are told', async () => {
  const { phone, params, save, draftOn } = await participantWithAssignment();
  const { updatedAt } = await save(phone, {});
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, device) =>
      phone.fetch(saveAssignmentDraft.path.replace(':id', params.id), {
        method: saveAssignmentDraft.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...words, text: `Device ${device}`, basedOn: updatedAt }),
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  const kept = answers.findIndex(({ status }) => status === 200);
  expect((await draftOn(phone))?.text).toBe(`Device ${kept}`);
});

test('handing in ends the draft, in any round, and what is handed in takes no draft', async () => {
  const { phone, params, save, draftOn } = await participantWithAssignment();
  await save(phone, {});
  const given = { text: 'Three breakers were open.', fileId: null, basedOnRound: null };
  const { id } = await phone.call(submitAssignment, { params, body: given });
  const rows = () =>
    server.db.selectFrom('assignmentDrafts').selectAll().where('assignmentId', '=', params.id).execute();
  expect(await rows()).toEqual([]);
  for (const basedOnRound of [null, 1]) {
    const late = await phone.refused(saveAssignmentDraft, { params, body: { ...words, basedOnRound } });
    expect(late.problem.code).toBe('conflict');
  }

  const coach = await server.as(await buildCoach(server.db));
  const review = { status: 'needs_revision', feedback: 'Which ones?', roundNumber: 1 } as const;
  await coach.call(reviewSubmission, { params: { id }, body: review });
  const early = await phone.refused(saveAssignmentDraft, { params, body: words });
  expect(early.problem.code).toBe('stale');
  const again = { ...words, text: 'Breakers 4 and 8', basedOnRound: 1 };
  await phone.call(saveAssignmentDraft, { params, body: again });
  expect((await draftOn(phone))?.text).toBe('Breakers 4 and 8');
  await phone.call(submitAssignment, { params, body: { ...given, basedOnRound: 1 } });
  expect(await rows()).toEqual([]);
});

test('a draft left over from an earlier round is not shown, and gives way', async () => {
  const { participant, phone, params, save, draftOn } = await participantWithAssignment();
  await server.db
    .insertInto('assignmentDrafts')
    .values({ assignmentId: params.id, userId: participant.id, draftText: 'Old', basedOnRound: 7 })
    .execute();
  expect(await draftOn(phone)).toBeNull();
  await save(phone, {});
  expect((await draftOn(phone))?.text).toBe(words.text);
});

test('ASSIGN-16 the upload of a submission that failed is removed after a day, and stays while a draft names it', async () => {
  const { participant, phone, params, save } = await participantWithAssignment();
  const [inDraft, letGo, young, handedIn] = await Promise.all(
    ['draft.txt', 'gone.txt', 'young.txt', 'work.txt'].map((name) => upload(phone, name)),
  );
  const failed = { text: null, fileId: letGo ?? '', basedOnRound: 7 };
  expect((await phone.refused(submitAssignment, { params, body: failed })).problem.code).toBe('stale');
  const first = await save(phone, { fileId: letGo ?? '' });
  await save(phone, { fileId: inDraft ?? '', basedOn: first.updatedAt });
  const other = await buildAssignment(server.db, { trainingActivityId: activityId });
  const work = { text: null, fileId: handedIn ?? '', basedOnRound: null };
  await phone.call(submitAssignment, { params: { id: other.id }, body: work });
  const mine = await uploadFile(phone, { area: 'my_files', name: 'mine.txt' }, 'mine');
  await server.db
    .updateTable('storedFiles')
    .set({ completedAt: new Date(Date.now() - 25 * 3_600_000) })
    .where('id', 'in', [inDraft ?? '', letGo ?? '', handedIn ?? '', mine])
    .execute();
  await removeUnusedUploadsJob.run(server.app, {}, { number: 1, isLast: false });
  const jobs = await server.runJobs();
  const statusOf = async (id: string | undefined) =>
    (await phone.fetch(downloadFile.path.replace(':id', id ?? ''))).status;
  expect(await Promise.all([inDraft, young, handedIn, mine].map(statusOf))).toEqual([200, 200, 200, 200]);
  expect(await statusOf(letGo)).toBe(404);
  await expect.poll(() => server.app.storage.read(`${participant.id}/${letGo}`)).toBeNull();
  await jobs.stop();
  const refused = await phone.refused(submitAssignment, { params, body: { ...work, fileId: letGo ?? '' } });
  expect(refused.problem.detail).toBe('The upload of this file did not finish. Please choose the file again.');
});
