import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { listNotices } from '#contract/notices.ts';
import { correctReview, readSubmission, reviewSubmission, takeReviewBack } from '#contract/reviews.ts';
import { approveStipend } from '#contract/stipends.ts';
import { readAssignment, submitAssignment } from '#contract/submissions.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import { processWeek } from '#server/features/stipends/stipends.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { type StoppedClock, stopClock } from '#test/support/clock.ts';
import { toldBy } from '#test/support/live-news.ts';
import { mailsTo } from '#test/support/sign-in.ts';
import { somebodyWaits } from '#test/support/waiting-statements.ts';

let server: TestApp;
let clock: StoppedClock;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
beforeEach(() => {
  clock = stopClock();
});
afterEach(() => clock.restore());

const review = { status: 'needs_revision' as const, feedback: 'Name the breakers.', pointsEarned: 4, roundNumber: 1 };

/** Work of week 1 that waits for its coach. */
async function waitingWork() {
  const { db } = server;
  const { id: cohortId } = await buildCohort(db);
  const [participant, coach] = [await buildParticipant(db), await buildCoach(db)];
  await enrol(db, { cohortId, participantId: participant.id });
  await assignCoach(db, { participantId: participant.id, coachId: coach.id });
  const { id: trainingActivityId } = await buildActivity(db, { cohortId, weekNumber: 1 });
  const { id: assignmentId } = await buildAssignment(db, { trainingActivityId, maxPoints: 10 });
  const [own, byCoach] = [await server.as(participant), await server.as(coach)];
  const handIn = (basedOnRound: number | null) =>
    own.call(submitAssignment, { params: { id: assignmentId }, body: { text: 'My work', fileId: null, basedOnRound } });
  const { id } = await handIn(null);
  const send = (changes: object = {}) =>
    byCoach.call(reviewSubmission, { params: { id }, body: { ...review, ...changes } });
  const takeBack = (reviewedAt: string) => byCoach.call(takeReviewBack, { params: { id }, body: { reviewedAt } });
  const refusedTakeBack = async (reviewedAt: string) =>
    (await byCoach.refused(takeReviewBack, { params: { id }, body: { reviewedAt } })).problem;
  const stored = () =>
    server.db.selectFrom('contentSubmissions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const points = () =>
    server.db.selectFrom('contentEvaluations').select('pointsEarned').where('submissionId', '=', id).executeTakeFirst();
  return {
    ...{ id, assignmentId, cohortId, participant, coach, own, byCoach },
    ...{ handIn, send, takeBack, refusedTakeBack, stored, points },
  };
}

async function rowsOf(table: 'reviewRetractions' | 'reviewCorrections', submissionId: string) {
  return server.db.selectFrom(table).selectAll().where('submissionId', '=', submissionId).execute();
}

test('a review is taken back: the work waits again as before, and the review is a draft of its reviewer', async () => {
  const { id, assignmentId, own, byCoach, coach, participant, send, takeBack, stored, points } = await waitingWork();
  const before = await stored();
  const { reviewedAt, takeBackUntil } = await send();
  expect(Date.parse(takeBackUntil ?? '') - Date.parse(reviewedAt)).toBe(60_000);
  expect((await byCoach.call(readSubmission, { params: { id } })).takeBackUntil).toBe(takeBackUntil);
  expect((await own.call(readSubmission, { params: { id } })).takeBackUntil).toBeNull();
  clock.pass(59);
  const told = await toldBy(server, () => takeBack(reviewedAt));
  for (const person of [participant, coach]) expect(told(person)).toContain('submissions');
  expect([await stored(), await points()]).toEqual([before, undefined]);
  const { submission, can } = await own.call(readAssignment, { params: { id: assignmentId } });
  expect(submission).toMatchObject({ status: 'submitted', feedback: null, pointsEarned: null, reviewerName: null });
  expect([submission?.rounds[0]?.feedback, can.resubmit]).toEqual([null, false]);
  const read = await byCoach.call(readSubmission, { params: { id } });
  expect(read).toMatchObject({ can: { review: true, correct: false }, takeBackUntil: null, draft: review });
  const log = server.db.selectFrom('auditLog').selectAll().where('action', '=', 'review.take_back');
  expect(await log.where('subjectId', '=', id).execute()).toMatchObject([
    { actorId: coach.id, before: { status: 'needs_revision' }, after: { status: 'submitted', isOwnParticipant: true } },
  ]);
  await send({ status: 'accepted' });
  expect(await stored()).toMatchObject({ status: 'accepted', feedback: review.feedback });
});

test('what was said of the round before stands again, as it was corrected', async () => {
  const { id, byCoach, handIn, send, takeBack, stored, points } = await waitingWork();
  await send({ pointsEarned: 2 });
  const correction = { ...review, pointsEarned: 3, feedback: 'All breakers.', reason: 'Too short.' };
  await byCoach.call(correctReview, { params: { id }, body: { ...correction, formerStatus: 'needs_revision' } });
  await handIn(1);
  const [before, pointsBefore] = [await stored(), await points()];
  expect(pointsBefore).toEqual({ pointsEarned: 3 });
  const { reviewedAt } = await send({ status: 'accepted', feedback: 'Complete.', pointsEarned: 10, roundNumber: 2 });
  await takeBack(reviewedAt);
  expect([await stored(), await points()]).toEqual([before, pointsBefore]);
});

test('the participant is told after the minute, and only of a review that stands', async () => {
  const [kept, taken, corrected] = [await waitingWork(), await waitingWork(), await waitingWork()];
  await kept.send();
  const first = await taken.send();
  await corrected.send({ status: 'accepted' });
  const body = { ...review, reason: 'Another file.', formerStatus: 'accepted' as const };
  clock.pass(1);
  await corrected.byCoach.call(correctReview, { params: { id: corrected.id }, body });
  const titles = async ({ own }: typeof kept) =>
    (await own.call(listNotices, { query: {} })).rows.map(({ title }) => title);
  const subjects = async ({ participant }: typeof kept) =>
    (await mailsTo(server.db, participant.email)).map(({ subject }) => subject);
  const told = async () => {
    await decideDueNotices(server.app);
    return [await titles(kept), await titles(taken), await titles(corrected)];
  };
  expect(await told()).toEqual([[], [], ['A review was corrected']]);
  await taken.takeBack(first.reviewedAt);
  clock.pass(70);
  const news = await toldBy(server, () => decideDueNotices(server.app));
  expect(news(kept.participant)).toContain('notices');
  expect(await told()).toEqual([['Your work was reviewed'], [], ['A review was corrected']]);
  expect(await subjects(kept)).toEqual(['Your work was reviewed']);
  expect([await subjects(taken), await subjects(corrected)]).toEqual([[], ['A review was corrected']]);
  await taken.send();
  clock.pass(70);
  expect((await told())[1]).toEqual(['Your work was reviewed']);
});

test('it is refused to others, after a minute, and once something has followed', async () => {
  const { id, own, byCoach, send, takeBack, handIn, refusedTakeBack } = await waitingWork();
  const { reviewedAt } = await send();
  const call = { params: { id }, body: { reviewedAt } };
  expect((await own.refused(takeReviewBack, call)).status).toBe(403);
  const byOther = await server.as(await buildCoach(server.db));
  expect((await byOther.refused(takeReviewBack, call)).problem.detail).toBe('Only its reviewer takes a review back.');
  expect((await byOther.call(readSubmission, { params: { id } })).takeBackUntil).toBeNull();
  const byAdmin = await server.as(await buildAdmin(server.db));
  expect((await byAdmin.refused(takeReviewBack, call)).problem.code).toBe('forbidden');

  await takeBack(reviewedAt);
  expect((await refusedTakeBack(reviewedAt)).code).toBe('stale');
  clock.pass(1);
  const second = await send();
  expect((await refusedTakeBack(reviewedAt)).detail).toBe('Somebody has just reviewed this submission again.');
  clock.pass(60);
  expect(await refusedTakeBack(second.reviewedAt)).toMatchObject({
    code: 'conflict',
    detail: 'A review can be taken back for one minute. Correct it instead.',
  });
  expect((await byCoach.call(readSubmission, { params: { id } })).takeBackUntil).toBeNull();
  await handIn(1);
  expect((await refusedTakeBack(second.reviewedAt)).code).toBe('stale');
  const third = await send({ roundNumber: 2 });
  const correction = { ...review, roundNumber: 2, reason: 'No.', formerStatus: 'needs_revision' as const };
  await byCoach.call(correctReview, { params: { id }, body: correction });
  expect((await refusedTakeBack(third.reviewedAt)).detail).toBe('Somebody has just corrected this review.');
});

test('it is refused, and not offered, once the pay of the week is decided', async () => {
  const { cohortId, participant, send, refusedTakeBack } = await waitingWork();
  const stipend = await buildStipend(server.db, { fellowId: participant.id, cohortId, paymentStatus: 'pending' });
  const { reviewedAt } = await send();
  const decided = { paymentStatus: 'denied', denialReason: 'No.', approvedAt: new Date() };
  const by = (await buildAdmin(server.db)).id;
  await server.db
    .updateTable('stipendEligibility')
    .set({ ...decided, approvedBy: by })
    .where('id', '=', stipend.id)
    .execute();
  expect((await refusedTakeBack(reviewedAt)).detail).toBe(
    'The stipend of this week is decided, so its reviews cannot change.',
  );
  const other = await waitingWork();
  const facts = { fellowId: other.participant.id, cohortId: other.cohortId, paymentStatus: 'denied' };
  await buildStipend(server.db, facts);
  expect((await other.send()).takeBackUntil).toBeNull();
});

test('the database lets a round go of its review only if it was taken back, and keeps the record', async () => {
  const { id, send, takeBack } = await waitingWork();
  const { reviewedAt } = await send();
  const empty = { reviewStatus: null, feedback: null, pointsEarned: null, reviewedBy: null, reviewedAt: null };
  const emptying = server.db.updateTable('submissionRounds').set(empty).where('submissionId', '=', id);
  await expect(emptying.execute()).rejects.toThrow('a submission round is immutable');
  await takeBack(reviewedAt);
  expect(await rowsOf('reviewRetractions', id)).toMatchObject([{ reviewStatus: 'needs_revision', roundNumber: 1 }]);
  await expect(server.db.deleteFrom('reviewRetractions').execute()).rejects.toThrow();
  const later = await send();
  const retractedAt = new Date(Date.parse(later.reviewedAt) + 60_000);
  const [kept] = await rowsOf('reviewRetractions', id);
  const late = { ...kept, reviewedAt: new Date(later.reviewedAt), retractedAt } as NonNullable<typeof kept>;
  await expect(
    server.db
      .insertInto('reviewRetractions')
      .values(late as never)
      .execute(),
  ).rejects.toThrow('reviews_are_taken_back_at_once');
});

test('of a review that is taken back and corrected at once, one act holds', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { id, byCoach, send, takeBack, stored } = await waitingWork();
    const { reviewedAt } = await send();
    const body = { ...review, status: 'accepted' as const, reason: 'No.', formerStatus: 'needs_revision' as const };
    const answers = await Promise.allSettled([
      takeBack(reviewedAt),
      byCoach.call(correctReview, { params: { id }, body }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const isTakenBack = answers[0]?.status === 'fulfilled';
    expect((await stored()).status).toBe(isTakenBack ? 'submitted' : 'accepted');
    const [retracted, corrected] = [await rowsOf('reviewRetractions', id), await rowsOf('reviewCorrections', id)];
    expect([retracted.length, corrected.length]).toEqual(isTakenBack ? [1, 0] : [0, 1]);
  }
});

test('of a review that is taken back and work that is handed in again at once, one act holds', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { id, send, takeBack, handIn, stored } = await waitingWork();
    const { reviewedAt } = await send();
    const answers = await Promise.allSettled([takeBack(reviewedAt), handIn(1)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const isTakenBack = answers[0]?.status === 'fulfilled';
    expect(await stored()).toMatchObject({ status: 'submitted', roundNumber: isTakenBack ? 1 : 2 });
    expect(await rowsOf('reviewRetractions', id)).toHaveLength(isTakenBack ? 1 : 0);
  }
});

test('a review is not taken back while its week is being approved', async () => {
  const { id, cohortId, participant, send, refusedTakeBack, stored } = await waitingWork();
  await processWeek(server.db, 1, cohortId);
  const { reviewedAt } = await send({ status: 'accepted' });
  const byAdmin = await buildAdmin(server.db);
  const approving = await server.db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('stipendEligibility')
      .set({ paymentStatus: 'approved', approvedBy: byAdmin.id, approvedAt: new Date() })
      .where('fellowId', '=', participant.id)
      .execute();
    const refusal = refusedTakeBack(reviewedAt);
    await somebodyWaits(server.db);
    return { refusal };
  });
  expect((await approving.refusal).detail).toBe('The stipend of this week is decided, so its reviews cannot change.');
  expect([(await stored()).status, await rowsOf('reviewRetractions', id)]).toEqual(['accepted', []]);
});

test('a stipend that is approved while a review is taken back rests on what stands', async () => {
  const byAdmin = await server.as(await buildAdmin(server.db));
  for (let round = 0; round < 4; round += 1) {
    const { cohortId, participant, send, takeBack, stored } = await waitingWork();
    await processWeek(server.db, 1, cohortId);
    const { reviewedAt } = await send({ status: 'accepted' });
    const week = server.db
      .selectFrom('stipendEligibility')
      .select(['id', 'version', 'paymentStatus'])
      .where('fellowId', '=', participant.id);
    const { id: stipendId, version } = await week.executeTakeFirstOrThrow();
    const body = { version, reason: 'Seen in the room.' };
    const [taken, approved] = await Promise.all([
      takeBack(reviewedAt).then(
        () => true,
        () => false,
      ),
      byAdmin.call(approveStipend, { params: { id: stipendId }, body }).then(
        () => true,
        () => false,
      ),
    ]);
    expect(taken || approved).toBe(true);
    expect([(await week.executeTakeFirstOrThrow()).paymentStatus, (await stored()).status]).toEqual([
      approved ? 'approved' : 'pending',
      taken ? 'submitted' : 'accepted',
    ]);
  }
});
