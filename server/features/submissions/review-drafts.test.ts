import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSubmission, reviewSubmission, saveReviewDraft } from '#contract/reviews.ts';
import { listSubmissions, readAssignment, submitAssignment } from '#contract/submissions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
let cohortId: string;
let activityId: string;
let asCoach: Client;
let asAdmin: Client;

beforeAll(async () => {
  server = await startTestApp();
  cohortId = (await buildCohort(server.db)).id;
  activityId = (await buildActivity(server.db, { cohortId })).id;
  asCoach = await server.as(await buildCoach(server.db));
  asAdmin = await server.as(await buildAdmin(server.db, { firstName: 'Ada', lastName: 'Adler' }));
});
afterAll(() => server.close());

async function waitingWork(maxPoints = 40) {
  const participant = await buildParticipant(server.db);
  await enrol(server.db, { cohortId, participantId: participant.id });
  const client = await server.as(participant);
  const assignment = await buildAssignment(server.db, { trainingActivityId: activityId, maxPoints });
  const handIn = (text: string, basedOnRound: number | null) =>
    client.call(submitAssignment, { params: { id: assignment.id }, body: { text, fileId: null, basedOnRound } });
  const { id } = await handIn('Three breakers were open.', null);
  return { id, params: { id }, client, assignment, handIn };
}

const draft = { roundNumber: 1, status: 'rejected', feedback: 'Name the breakers', pointsEarned: 12.5 } as const;
const review = { status: 'needs_revision', feedback: 'Name them.', roundNumber: 1 } as const;

const draftSeenBy = (client: Client, id: string) =>
  client.call(readSubmission, { params: { id } }).then((submission) => submission.draft);

test('what a reviewer has begun to write is kept for the reviewer alone until the review is sent', async () => {
  const { id, params, client } = await waitingWork();
  expect(await draftSeenBy(asCoach, id)).toBeNull();
  const first = await asCoach.call(saveReviewDraft, { params, body: { ...draft, feedback: 'Name' } });
  expect(first.updatedAt).not.toBeNull();
  const { updatedAt } = await asCoach.call(saveReviewDraft, { params, body: draft });
  expect(await draftSeenBy(asCoach, id)).toEqual({ ...draft, updatedAt });
  for (const other of [asAdmin, client]) expect(await draftSeenBy(other, id)).toBeNull();

  const rowOf = async (reader: Client) =>
    (await reader.call(listSubmissions, { query: {} })).rows.find((row) => row.id === id);
  expect((await rowOf(asCoach))?.hasOwnDraft).toBe(true);
  expect((await rowOf(asAdmin))?.hasOwnDraft).toBe(false);

  await asCoach.call(reviewSubmission, { params, body: review });
  expect(await draftSeenBy(asCoach, id)).toBeNull();
  // The draft was on its way while the review was sent.
  expect(await asCoach.call(saveReviewDraft, { params, body: draft })).toEqual({ updatedAt: null });
  expect(await draftSeenBy(asCoach, id)).toBeNull();
});

test('a draft without words and points is thrown away', async () => {
  const { id, params } = await waitingWork();
  await asCoach.call(saveReviewDraft, { params, body: draft });
  const pointsOnly = { ...draft, feedback: '' };
  expect((await asCoach.call(saveReviewDraft, { params, body: pointsOnly })).updatedAt).not.toBeNull();
  const empty = { ...draft, feedback: '  \n', pointsEarned: null };
  expect(await asCoach.call(saveReviewDraft, { params, body: empty })).toEqual({ updatedAt: null });
  expect(await draftSeenBy(asCoach, id)).toBeNull();
});

test('a draft of work that is not there is refused, and participants write none', async () => {
  const { params, client, assignment } = await waitingWork();
  const nowhere = { id: assignment.id };
  expect((await asCoach.refused(saveReviewDraft, { params: nowhere, body: draft })).problem.code).toBe('not_found');
  expect((await client.refused(saveReviewDraft, { params, body: draft })).problem.code).toBe('forbidden');
});

test('a review that came second is refused as stale, and its words stay beside what the other one decided', async () => {
  const { id, params } = await waitingWork();
  await asCoach.call(saveReviewDraft, { params, body: draft });
  await asAdmin.call(reviewSubmission, { params, body: { ...review, status: 'accepted', feedback: 'Fine as it is.' } });
  const { status, problem } = await asCoach.refused(reviewSubmission, { params, body: review });
  expect([status, problem.code]).toEqual([409, 'stale']);

  await asCoach.call(saveReviewDraft, { params, body: { ...draft, feedback: 'Name all of them' } });
  const seen = await asCoach.call(readSubmission, { params });
  expect(seen.draft).toMatchObject({ roundNumber: 1, feedback: 'Name all of them' });
  expect(seen).toMatchObject({ status: 'accepted', can: { review: false } });
  expect(seen.rounds).toMatchObject([{ reviewerName: 'Ada Adler', feedback: 'Fine as it is.' }]);
  const stored = await server.db
    .selectFrom('contentSubmissions')
    .select(['status', 'feedback'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(stored).toEqual({ status: 'accepted', feedback: 'Fine as it is.' });
});

test('a review of a round that was handed in again is refused as stale, and its words stay beside the new round', async () => {
  const { params, handIn } = await waitingWork();
  await asCoach.call(saveReviewDraft, { params, body: draft });
  await asAdmin.call(reviewSubmission, { params, body: review });
  await handIn('Breakers 4 and 8 were open.', 1);
  expect((await asCoach.refused(reviewSubmission, { params, body: review })).problem.code).toBe('stale');
  const seen = await asCoach.call(readSubmission, { params });
  expect(seen.draft).toMatchObject(draft);
  expect(seen.rounds).toMatchObject([
    { roundNumber: 2, text: 'Breakers 4 and 8 were open.', reviewStatus: null },
    { roundNumber: 1, reviewerName: 'Ada Adler', feedback: 'Name them.' },
  ]);
});

test('ASSIGN-36 a review stores its points, which participant and reviewer read with the feedback', async () => {
  const { id, params, client, assignment, handIn } = await waitingWork(40);
  const graded = { ...review, pointsEarned: 32.25 };
  await asCoach.call(reviewSubmission, { params, body: graded });
  const evaluation = () =>
    server.db
      .selectFrom('contentEvaluations')
      .select(['pointsEarned', 'feedback', 'gradedAt'])
      .where('submissionId', '=', id)
      .executeTakeFirstOrThrow();
  expect(await evaluation()).toEqual({ pointsEarned: 32.25, feedback: 'Name them.', gradedAt: expect.any(Date) });
  const { submission } = await client.call(readAssignment, { params: { id: assignment.id } });
  expect(submission).toMatchObject({ feedback: 'Name them.', pointsEarned: 32.25 });
  expect(submission?.rounds).toMatchObject([{ feedback: 'Name them.', pointsEarned: 32.25 }]);
  const { rows } = await client.call(listSubmissions, { query: {} });
  expect(rows).toMatchObject([{ feedback: 'Name them.', pointsEarned: 32.25, maxPoints: 40 }]);

  await handIn('Breakers 4 and 8 were open.', 1);
  const second = { ...review, status: 'accepted', feedback: 'Well seen.', roundNumber: 2, pointsEarned: 40 } as const;
  await asAdmin.call(reviewSubmission, { params, body: second });
  expect(await evaluation()).toMatchObject({ pointsEarned: 40, feedback: 'Well seen.' });
  const { rounds, pointsEarned } = await asCoach.call(readSubmission, { params });
  expect(pointsEarned).toBe(40);
  expect(rounds).toMatchObject([{ pointsEarned: 40 }, { pointsEarned: 32.25 }]);
});

test('points are optional, never more than the assignment is worth, and never below zero', async () => {
  const { params, client, assignment } = await waitingWork(40);
  const tooMany = await asCoach.refused(reviewSubmission, { params, body: { ...review, pointsEarned: 40.01 } });
  expect(tooMany.problem).toMatchObject({
    code: 'invalid_input',
    errors: [{ path: 'pointsEarned', message: 'This assignment is worth up to 40 points.' }],
  });
  for (const pointsEarned of [-1, 1.005]) {
    const refused = await asCoach.refused(reviewSubmission, { params, body: { ...review, pointsEarned } });
    expect(refused.status).toBe(422);
  }
  await asCoach.call(reviewSubmission, { params, body: review });
  const { submission } = await client.call(readAssignment, { params: { id: assignment.id } });
  expect(submission?.rounds).toMatchObject([{ feedback: 'Name them.', pointsEarned: null }]);
});
