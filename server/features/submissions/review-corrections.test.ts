import { afterAll, beforeAll, expect, test } from 'vitest';
import { correctReview, readSubmission, reviewSubmission } from '#contract/reviews.ts';
import { readAssignment, submitAssignment } from '#contract/submissions.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

/** Work of week 1 that its coach accepted. */
async function acceptedWork() {
  const { db } = server;
  const { id: cohortId } = await buildCohort(db);
  const [participant, coach] = [await buildParticipant(db), await buildCoach(db)];
  await enrol(db, { cohortId, participantId: participant.id });
  await assignCoach(db, { participantId: participant.id, coachId: coach.id });
  const { id: trainingActivityId } = await buildActivity(db, { cohortId, weekNumber: 1 });
  const { id: assignmentId } = await buildAssignment(db, { trainingActivityId, maxPoints: 10 });
  const [own, byCoach] = [await server.as(participant), await server.as(coach)];
  const work = { text: 'My work', fileId: null, basedOnRound: null };
  const { id } = await own.call(submitAssignment, { params: { id: assignmentId }, body: work });
  const accepted = { status: 'accepted' as const, feedback: 'Fine', pointsEarned: 8, roundNumber: 1 };
  await byCoach.call(reviewSubmission, { params: { id }, body: accepted });
  return { id, assignmentId, cohortId, participant, coach, own, byCoach };
}

const correction = {
  status: 'needs_revision' as const,
  feedback: 'The load table is missing.',
  pointsEarned: null,
  reason: 'I had read another file.',
  roundNumber: 1,
  formerStatus: 'accepted' as const,
};
const adminClient = async () => server.as(await buildAdmin(server.db));

test('a review is corrected by its reviewer, with a reason; the participant reads both and hands in again', async () => {
  const { id, assignmentId, participant, coach, own, byCoach } = await acceptedWork();
  expect((await byCoach.call(readSubmission, { params: { id } })).can).toMatchObject({ review: false, correct: true });
  const answer = await byCoach.call(correctReview, { params: { id }, body: correction });
  expect(answer).toEqual({ id, status: 'needs_revision' });
  const { submission, can } = await own.call(readAssignment, { params: { id: assignmentId } });
  expect(can.resubmit).toBe(true);
  expect(submission).toMatchObject({ status: 'needs_revision', feedback: correction.feedback, pointsEarned: null });
  expect(submission?.rounds).toMatchObject([
    {
      reviewStatus: 'needs_revision',
      feedback: correction.feedback,
      pointsEarned: null,
      correction: { formerStatus: 'accepted', reason: correction.reason },
    },
  ]);
  const round = server.db.selectFrom('submissionRounds').selectAll().where('submissionId', '=', id);
  expect(await round.executeTakeFirst()).toMatchObject({ reviewStatus: 'accepted', feedback: 'Fine', pointsEarned: 8 });
  const told = server.db.selectFrom('notices').select(['title', 'message']).where('userId', '=', participant.id);
  expect(await told.orderBy('createdAt', 'desc').executeTakeFirst()).toMatchObject({
    title: 'A review was corrected',
    message: expect.stringContaining('ACTION REQUIRED: Resubmit with Changes. Reason: I had read another file.'),
  });
  const log = server.db.selectFrom('auditLog').selectAll().where('action', '=', 'submission.correct_review');
  expect(await log.where('subjectId', '=', id).execute()).toMatchObject([
    {
      actorId: coach.id,
      before: { status: 'accepted' },
      after: { status: 'needs_revision' },
      reason: correction.reason,
    },
  ]);
});

test('an admin corrects too, and tells the reviewer; a correction is corrected; both stay', async () => {
  const { id, coach, byCoach, own } = await acceptedWork();
  const byAdmin = await adminClient();
  await byAdmin.call(correctReview, { params: { id }, body: correction });
  const told = server.db.selectFrom('notices').select('title').where('userId', '=', coach.id);
  expect(await told.execute()).toContainEqual({ title: 'A review was corrected' });
  expect((await byCoach.call(readSubmission, { params: { id } })).can.correct).toBe(false);
  const again = { ...correction, status: 'accepted' as const, formerStatus: 'needs_revision' as const, reason: 'No.' };
  await byAdmin.call(correctReview, { params: { id }, body: again });
  const [round] = (await own.call(readSubmission, { params: { id } })).rounds;
  expect(round).toMatchObject({
    reviewStatus: 'accepted',
    correction: { formerStatus: 'needs_revision', reason: 'No.' },
  });
  const kept = server.db.selectFrom('reviewCorrections').select('reason').where('submissionId', '=', id);
  expect(await kept.execute()).toHaveLength(2);
  await expect(server.db.deleteFrom('reviewCorrections').execute()).rejects.toThrow();
});

test('it is refused to others, without a reason, over an outcome that nobody read, and once the pay is decided', async () => {
  const { id, cohortId, participant, own, byCoach } = await acceptedWork();
  const stranger = await server.as(await buildCoach(server.db));
  const params = { id };
  expect((await own.refused(correctReview, { params, body: correction })).status).toBe(403);
  expect((await stranger.refused(correctReview, { params, body: correction })).problem.detail).toBe(
    'Only its reviewer or an admin can correct a review.',
  );
  expect((await byCoach.refused(correctReview, { params, body: { ...correction, reason: ' ' } })).status).toBe(422);
  const tooMany = { ...correction, pointsEarned: 11 };
  expect((await byCoach.refused(correctReview, { params, body: tooMany })).problem.errors).toMatchObject([
    { path: 'pointsEarned' },
  ]);
  const unread = { ...correction, formerStatus: 'rejected' as const };
  expect((await byCoach.refused(correctReview, { params, body: unread })).problem.code).toBe('stale');
  await buildStipend(server.db, { fellowId: participant.id, cohortId, paymentStatus: 'denied' });
  expect((await byCoach.call(readSubmission, { params })).can.correct).toBe(false);
  expect((await byCoach.refused(correctReview, { params, body: correction })).problem).toMatchObject({
    code: 'conflict',
    detail: 'The stipend of this week is decided, so its reviews cannot change.',
  });
});
