import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readActivityContent } from '#contract/activities.ts';
import { downloadFile } from '#contract/files.ts';
import { readSubmission, reviewSubmission } from '#contract/reviews.ts';
import {
  listSubmissions,
  readAssignment,
  submissionFile,
  submissionStatuses,
  submitAssignment,
} from '#contract/submissions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { beginUpload, uploadFile } from '#test/support/uploads.ts';

let server: TestApp;
let cohortId: string;
let activityId: string;
let coach: BuiltPerson;
let asCoach: Client;
let asAdmin: Client;

beforeAll(async () => {
  server = await startTestApp();
  cohortId = (await buildCohort(server.db)).id;
  activityId = (await buildActivity(server.db, { cohortId })).id;
  coach = await buildCoach(server.db);
  asCoach = await server.as(coach);
  asAdmin = await server.as(await buildAdmin(server.db));
});
afterAll(() => server.close());

async function member() {
  const participant = await buildParticipant(server.db);
  await enrol(server.db, { cohortId, participantId: participant.id, coachId: coach.id });
  return { participant, client: await server.as(participant) };
}

async function memberWithAssignment() {
  const assignment = await buildAssignment(server.db, { trainingActivityId: activityId });
  return { ...(await member()), assignment };
}

const firstWork = { text: 'Three breakers were open.', fileId: null, basedOnRound: null };
const sendReview = { status: 'needs_revision', feedback: 'Name the breakers.', roundNumber: 1 } as const;

function rowsOf(assignmentId: string) {
  return server.db.selectFrom('contentSubmissions').selectAll().where('assignmentId', '=', assignmentId).execute();
}

function roundsOf(submissionId: string) {
  return server.db
    .selectFrom('submissionRounds')
    .selectAll()
    .where('submissionId', '=', submissionId)
    .orderBy('roundNumber')
    .execute();
}

/** Work that was handed in and reviewed, by default as needing a revision. */
async function reviewedWork(review: { status: 'needs_revision' | 'rejected' | 'accepted' } = sendReview) {
  const facts = await memberWithAssignment();
  const handedIn = await facts.client.call(submitAssignment, { params: { id: facts.assignment.id }, body: firstWork });
  await asCoach.call(reviewSubmission, { params: { id: handedIn.id }, body: { ...sendReview, ...review } });
  return { ...facts, submissionId: handedIn.id };
}

describe('handing in', () => {
  test('ASSIGN-14 ASSIGN-28 a first submission makes one row and one round, which the assignment then shows', async () => {
    const { participant, client, assignment } = await memberWithAssignment();
    const before = await client.call(readAssignment, { params: { id: assignment.id } });
    expect(before).toMatchObject({ submission: null, can: { submit: true, resubmit: false, grade: false } });

    const reply = await client.call(submitAssignment, { params: { id: assignment.id }, body: firstWork });
    expect(reply).toMatchObject({ status: 'submitted', roundNumber: 1 });
    const [row, ...others] = await rowsOf(assignment.id);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      id: reply.id,
      userId: participant.id,
      status: 'submitted',
      submissionText: firstWork.text,
      submittedAt: expect.any(Date),
    });
    expect(await roundsOf(reply.id)).toMatchObject([{ roundNumber: 1, submissionText: firstWork.text }]);
    const after = await client.call(readAssignment, { params: { id: assignment.id } });
    expect(after).toMatchObject({
      submission: { id: reply.id, status: 'submitted', text: firstWork.text, rounds: [{ roundNumber: 1 }] },
      can: { submit: false, resubmit: false },
    });
  });

  test('ASSIGN-09 neither text nor file is refused; text, a file and both are accepted', async () => {
    const { client } = await member();
    const send = async (body: { text: string | null; fileId: string | null }) => {
      const { id } = await buildAssignment(server.db, { trainingActivityId: activityId });
      return { id, input: { params: { id }, body: { ...body, basedOnRound: null } } };
    };
    for (const text of [null, '', ' \n ']) {
      const { id, input } = await send({ text, fileId: null });
      expect(await client.refused(submitAssignment, input)).toMatchObject({
        problem: { code: 'invalid_input', detail: 'Please provide either text submission or upload a file' },
      });
      expect(await rowsOf(id)).toEqual([]);
    }
    const upload = () => uploadFile(client, { area: 'submissions', name: 'notes.txt' }, 'readings');
    const accepted = [
      { text: 'Only text', fileId: null },
      { text: null, fileId: await upload() },
      { text: 'Both', fileId: await upload() },
    ];
    for (const body of accepted) {
      const { id, input } = await send(body);
      await client.call(submitAssignment, input);
      const { submission } = await client.call(readAssignment, { params: { id } });
      expect(submission).toMatchObject({ text: body.text, file: body.fileId ? { id: body.fileId } : null });
    }
  });

  test('ASSIGN-12 the server itself refuses other types and more than 50 MB, and takes the eleven types and exactly 50 MB', async () => {
    const { client } = await member();
    const begin = async (name: string, size: number) => {
      const answer = await beginUpload(client, { area: 'submissions', name, size });
      return answer.status;
    };
    const accepted = ['pdf', 'doc', 'docx', 'txt', 'jpg', 'jpeg', 'png', 'gif', 'bmp', 'webp', 'svg'];
    expect(await Promise.all(accepted.map((type) => begin(`work.${type}`, 10)))).toEqual(accepted.map(() => 201));
    for (const name of ['tool.exe', 'page.html', 'archive.zip', 'none']) expect(await begin(name, 10)).toBe(415);
    expect(await begin('report.pdf', submissionFile.maxBytes + 1)).toBe(413);
    expect(await begin('report.pdf', submissionFile.maxBytes)).toBe(201);
  });

  test('ASSIGN-15 SUBM-18 the file lies under its owner, and owner, any coach and admin get its bytes back', async () => {
    const { participant, client, assignment } = await memberWithAssignment();
    const fileId = await uploadFile(client, { area: 'submissions', name: 'notes.txt' }, 'The readings: 4, 8, 15.');
    const handedIn = await client.call(submitAssignment, {
      params: { id: assignment.id },
      body: { ...firstWork, fileId },
    });
    const [row] = await rowsOf(assignment.id);
    expect(row?.filePath?.startsWith(`${participant.id}/`)).toBe(true);
    const asOtherCoach = await server.as(await buildCoach(server.db));
    for (const reader of [client, asCoach, asOtherCoach, asAdmin]) {
      const shown = await reader.call(readSubmission, { params: { id: handedIn.id } });
      expect(shown).toMatchObject({ hasFile: true, fileId });
      const answer = await reader.fetch(downloadFile.path.replace(':id', fileId));
      expect(await answer.text()).toBe('The readings: 4, 8, 15.');
    }
    const { client: stranger } = await member();
    expect((await stranger.fetch(downloadFile.path.replace(':id', fileId))).status).toBe(404);
  });

  test('ASSIGN-35 ASSIGN-37 an assignment is read with its activity by way of its content item, and counts 100 points', async () => {
    const { client, assignment } = await memberWithAssignment();
    const params = { id: assignment.id };
    const activity = await server.db
      .selectFrom('trainingActivities')
      .select(['id', 'title', 'weekNumber'])
      .where('id', '=', activityId)
      .executeTakeFirstOrThrow();
    expect(await client.call(readAssignment, { params })).toMatchObject({ activity, maxPoints: 100 });
    const { items } = await client.call(readActivityContent, { params: { id: activityId } });
    const item = items.find(({ id }) => id === assignment.contentItemId);
    expect(item?.assignments.map(({ id }) => id)).toEqual([assignment.id]);
  });

  test("another participant's upload, and one made for something else, cannot be handed in", async () => {
    const { client, assignment } = await memberWithAssignment();
    const { client: stranger } = await member();
    const foreign = await uploadFile(stranger, { area: 'submissions', name: 'theirs.txt' }, 'theirs');
    const ofMyFiles = await uploadFile(client, { area: 'my_files', name: 'mine.txt' }, 'mine');
    for (const fileId of [foreign, ofMyFiles]) {
      const body = { ...firstWork, fileId };
      const { problem } = await client.refused(submitAssignment, { params: { id: assignment.id }, body });
      expect(problem.code).toBe('invalid_input');
    }
    expect(await rowsOf(assignment.id)).toEqual([]);
  });

  test('somebody of another cohort finds neither the assignment nor a way to hand it in', async () => {
    const { assignment } = await memberWithAssignment();
    const outsider = await buildParticipant(server.db);
    const otherCohort = await buildCohort(server.db, { startDate: '2026-01-05' });
    await enrol(server.db, { cohortId: otherCohort.id, participantId: outsider.id });
    const client = await server.as(outsider);
    const params = { id: assignment.id };
    expect((await client.refused(readAssignment, { params })).status).toBe(404);
    expect((await client.refused(submitAssignment, { params, body: firstWork })).status).toBe(404);
    expect(await rowsOf(assignment.id)).toEqual([]);
  });

  test('an archived assignment takes nothing more, and a person who has not begun it finds it no more', async () => {
    const { client } = await member();
    const assignment = await buildAssignment(server.db, { trainingActivityId: activityId, archivedAt: new Date() });
    const params = { id: assignment.id };
    expect((await client.refused(readAssignment, { params })).status).toBe(404);
    const { problem } = await client.refused(submitAssignment, { params, body: firstWork });
    expect(problem).toMatchObject({ code: 'conflict', detail: 'This assignment is closed.' });
  });

  test('coaches and admins cannot hand in, neither by the page nor by a direct call', async () => {
    const { assignment } = await memberWithAssignment();
    const params = { id: assignment.id };
    for (const client of [asCoach, asAdmin]) {
      const { can, submission } = await client.call(readAssignment, { params });
      expect({ can, submission }).toEqual({ can: { submit: false, resubmit: false, grade: true }, submission: null });
      expect((await client.refused(submitAssignment, { params, body: firstWork })).problem.code).toBe('forbidden');
    }
  });

  test('of twenty requests at once one makes the submission and its round', async () => {
    const { client, assignment } = await memberWithAssignment();
    const send = () =>
      client.fetch(submitAssignment.path.replace(':id', assignment.id), {
        method: submitAssignment.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(firstWork),
      });
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    const [row, ...others] = await rowsOf(assignment.id);
    expect(others).toEqual([]);
    expect(await roundsOf(row?.id ?? '')).toHaveLength(1);
  });
});

describe('handing in again', () => {
  test('the coach is told of each round', async () => {
    const { client, assignment, participant } = await memberWithAssignment();
    const params = { id: assignment.id };
    const { id } = await client.call(submitAssignment, { params, body: firstWork });
    await asCoach.call(reviewSubmission, { params: { id }, body: sendReview });
    await client.call(submitAssignment, { params, body: { ...firstWork, basedOnRound: 1 } });
    const told = await server.db
      .selectFrom('notices')
      .select(['title', 'message'])
      .where('userId', '=', coach.id)
      .where('link', '=', `/submissions?tab=pending&review=${id}`)
      .orderBy('createdAt')
      .execute();
    const message = `${participant.firstName} ${participant.lastName} handed in ${assignment.title}.`;
    expect(told).toEqual([
      { title: 'Work is waiting for your review', message },
      { title: 'Work was handed in again', message },
    ]);
  });

  test.each(['needs_revision', 'rejected'] as const)('ASSIGN-22 %s lets the participant resubmit', async (status) => {
    const { client, assignment, submissionId } = await reviewedWork({ status });
    const params = { id: assignment.id };
    expect((await client.call(readAssignment, { params })).can).toMatchObject({ submit: false, resubmit: true });
    const { rows } = await client.call(listSubmissions, { query: {} });
    expect(rows).toMatchObject([{ id: submissionId, can: { resubmit: true } }]);
    await client.call(submitAssignment, { params, body: { ...firstWork, basedOnRound: 1 } });
    expect((await client.call(readAssignment, { params })).can.resubmit).toBe(false);
  });

  test('work in an activity that is hidden since is still read by the person who did it, takes nothing more, and is found by nobody else', async () => {
    const { client, assignment, submissionId } = await reviewedWork();
    const { client: another } = await member();
    const params = { id: assignment.id };
    const body = { ...firstWork, basedOnRound: 1 };
    const show = (applicableFellowship: boolean) =>
      server.db.updateTable('trainingActivities').set({ applicableFellowship }).where('id', '=', activityId).execute();
    await show(false);
    const { rows } = await client.call(listSubmissions, { query: {} });
    expect(rows).toMatchObject([{ id: submissionId, can: { resubmit: false } }]);
    const { submission, can } = await client.call(readAssignment, { params });
    expect(submission).toMatchObject({ text: firstWork.text, feedback: sendReview.feedback });
    expect(can).toMatchObject({ submit: false, resubmit: false });
    await client.refused(submitAssignment, { params, body });
    expect((await another.refused(readAssignment, { params })).status).toBe(404);
    await show(true);
    await client.call(submitAssignment, { params, body });
  });

  test('ASSIGN-23 ASSIGN-24 ASSIGN-25 it updates the same row: new text and file, new time, the old feedback stays', async () => {
    const { client, assignment } = await memberWithAssignment();
    const params = { id: assignment.id };
    const upload = (name: string) => uploadFile(client, { area: 'submissions', name }, name);
    const [oldFile, newFile] = [await upload('old.txt'), await upload('new.txt')];
    const first = await client.call(submitAssignment, { params, body: { ...firstWork, fileId: oldFile } });
    const [before] = await rowsOf(assignment.id);
    await asCoach.call(reviewSubmission, { params: { id: first.id }, body: sendReview });

    const body = { text: 'Breakers 4, 8 and 15 were open.', fileId: newFile, basedOnRound: 1 };
    const second = await client.call(submitAssignment, { params, body });
    expect(second).toEqual({ id: first.id, status: 'submitted', roundNumber: 2 });
    const [after, ...others] = await rowsOf(assignment.id);
    expect(others).toEqual([]);
    expect(after?.submittedAt.getTime()).toBeGreaterThan(before?.submittedAt.getTime() ?? 0);
    const { submission } = await client.call(readAssignment, { params });
    expect(submission).toMatchObject({
      status: 'submitted',
      text: body.text,
      file: { id: newFile, name: 'new.txt' },
      feedback: sendReview.feedback,
      rounds: [
        { roundNumber: 2, text: body.text, file: { id: newFile }, reviewStatus: null },
        {
          roundNumber: 1,
          text: firstWork.text,
          file: { id: oldFile },
          reviewStatus: 'needs_revision',
          feedback: sendReview.feedback,
          reviewerName: 'Casey Cole',
        },
      ],
    });
  });

  test.each(submissionStatuses.filter((status) => status !== 'needs_revision' && status !== 'rejected'))(
    'ASSIGN-26 %s blocks another submission',
    async (status) => {
      const { participant, client, assignment } = await memberWithAssignment();
      const facts = { assignmentId: assignment.id, userId: participant.id, reviewedBy: coach.id };
      await buildSubmission(server.db, { ...facts, status });
      for (const basedOnRound of [null, 1]) {
        const body = { ...firstWork, basedOnRound };
        const { problem } = await client.refused(submitAssignment, { params: { id: assignment.id }, body });
        expect(problem.code).toBe('conflict');
      }
      const { can } = await client.call(readAssignment, { params: { id: assignment.id } });
      expect(can).toMatchObject({ submit: false, resubmit: false });
      expect(await rowsOf(assignment.id)).toMatchObject([{ status, roundNumber: 1 }]);
    },
  );

  test('what was not based on the present round is refused as stale, and of two at once one is taken', async () => {
    const { client, assignment, submissionId } = await reviewedWork();
    const params = { id: assignment.id };
    for (const basedOnRound of [null, 2]) {
      const { problem } = await client.refused(submitAssignment, { params, body: { ...firstWork, basedOnRound } });
      expect(problem.code).toBe('stale');
    }
    const send = () =>
      client.fetch(submitAssignment.path.replace(':id', assignment.id), {
        method: submitAssignment.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...firstWork, basedOnRound: 1 }),
      });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await roundsOf(submissionId)).toHaveLength(2);
  });

  test("ASSIGN-27 SUBM-03 nobody reads or changes another participant's submission", async () => {
    const { assignment, submissionId } = await reviewedWork();
    const { client: stranger } = await member();
    expect((await stranger.refused(readSubmission, { params: { id: submissionId } })).status).toBe(404);
    expect((await stranger.call(listSubmissions, { query: {} })).rows).toEqual([]);
    expect((await stranger.call(readAssignment, { params: { id: assignment.id } })).submission).toBeNull();

    const again = { ...firstWork, basedOnRound: 1 };
    const params = { id: assignment.id };
    expect((await stranger.refused(submitAssignment, { params, body: again })).problem.code).toBe('stale');
    const own = await stranger.call(submitAssignment, { params, body: firstWork });
    expect(own.id).not.toBe(submissionId);
    expect(await roundsOf(submissionId)).toHaveLength(1);
  });

  test('a round stays as it was handed in and as it was reviewed, even for SQL', async () => {
    const { submissionId } = await reviewedWork();
    const change = (set: object) =>
      server.db.updateTable('submissionRounds').set(set).where('submissionId', '=', submissionId).execute();
    await expect(change({ submissionText: 'Something else' })).rejects.toThrow('immutable');
    await expect(change({ feedback: 'Never said' })).rejects.toThrow('immutable');
    await expect(
      sql`delete from submission_rounds where submission_id = ${submissionId}`.execute(server.db),
    ).rejects.toThrow();
    expect(await roundsOf(submissionId)).toMatchObject([{ submissionText: firstWork.text }]);
  });
});
