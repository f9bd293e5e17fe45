import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { claimReview, readSubmission, releaseReview, reviewSubmission } from '#contract/reviews.ts';
import { listSubmissions, submitAssignment } from '#contract/submissions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { toldBy } from '#test/support/live-news.ts';
import { countWaiting } from '#test/support/waiting-statements.ts';

let server: TestApp;
let activityId: string;
let cohortId: string;
let coach: BuiltPerson;
let admin: BuiltPerson;
let asCoach: Client;
let asAdmin: Client;

beforeAll(async () => {
  server = await startTestApp();
  cohortId = (await buildCohort(server.db)).id;
  activityId = (await buildActivity(server.db, { cohortId })).id;
  coach = await buildCoach(server.db, { firstName: 'Casey', lastName: 'Cole' });
  admin = await buildAdmin(server.db, { firstName: 'Ada', lastName: 'Adler' });
  asCoach = await server.as(coach);
  asAdmin = await server.as(admin);
});
afterAll(() => server.close());

/** Work that waits for a review of the coach's own participant. */
async function waitingWork() {
  const participant = await buildParticipant(server.db);
  await enrol(server.db, { cohortId, participantId: participant.id, coachId: coach.id });
  const assignment = await buildAssignment(server.db, { trainingActivityId: activityId });
  const { id } = await buildSubmission(server.db, { assignmentId: assignment.id, userId: participant.id });
  return { id, params: { id }, participant, assignment, client: await server.as(participant) };
}

const review = { status: 'accepted', feedback: 'Well seen.', roundNumber: 1 } as const;

function rowSeenBy(client: Client, id: string) {
  return client.call(listSubmissions, { query: { view: 'all' } }).then(({ rows }) => rows.find((row) => row.id === id));
}

function at(minutes: number): string {
  return new Date(Date.UTC(2026, 2, 3, 15, minutes)).toISOString();
}

test('a reviewer who opens a submission first has it for ten minutes; others see the name and cannot review it', async () => {
  const { id, params, client } = await waitingWork();
  const resetClock = stopClockAt(at(0));
  try {
    const mine = await asCoach.call(claimReview, { params });
    const claim = { reviewerId: coach.id, reviewerName: 'Casey Cole', expiresAt: at(10) };
    expect(mine.claim).toEqual({ ...claim, isOwn: true });
    expect((await asAdmin.call(claimReview, { params })).claim).toEqual({ ...claim, isOwn: false });

    expect(await rowSeenBy(asAdmin, id)).toMatchObject({ claim: { ...claim, isOwn: false }, can: { review: false } });
    expect(await rowSeenBy(asCoach, id)).toMatchObject({ claim: { ...claim, isOwn: true }, can: { review: true } });
    expect((await asAdmin.call(readSubmission, { params })).claim).toEqual({ ...claim, isOwn: false });
    expect((await client.call(readSubmission, { params })).claim).toBeNull();
    expect(await rowSeenBy(client, id)).toMatchObject({ claim: null });

    const { status, problem } = await asAdmin.refused(reviewSubmission, { params, body: review });
    expect([status, problem.code]).toEqual([409, 'conflict']);
    expect(problem.detail).toBe('Casey Cole has this submission open for review.');
    await asCoach.call(reviewSubmission, { params, body: review });
    expect(await rowSeenBy(asAdmin, id)).toMatchObject({ status: 'accepted', claim: null });
  } finally {
    resetClock();
  }
});

test('a claim is prolonged while it is used, and may be taken over when it has ended', async () => {
  const { id, params } = await waitingWork();
  const claimAt = async (client: Client, minutes: number) => {
    const resetClock = stopClockAt(at(minutes));
    return client.call(claimReview, { params }).finally(resetClock);
  };
  await claimAt(asCoach, 0);
  expect((await claimAt(asCoach, 9)).claim).toMatchObject({ isOwn: true, expiresAt: at(19) });
  expect((await claimAt(asAdmin, 18)).claim).toMatchObject({ isOwn: false, reviewerName: 'Casey Cole' });
  expect((await claimAt(asAdmin, 19)).claim).toMatchObject({ isOwn: true, expiresAt: at(29) });
  expect((await claimAt(asCoach, 20)).claim).toMatchObject({ isOwn: false, reviewerName: 'Ada Adler' });
  const resetClock = stopClockAt(at(21));
  const { problem } = await asCoach.refused(reviewSubmission, { params, body: review }).finally(resetClock);
  expect(problem.code).toBe('conflict');
  expect((await server.db.selectFrom('reviewClaims').where('submissionId', '=', id).selectAll().execute()).length).toBe(
    1,
  );
});

test('a claim is given up by its own reviewer only', async () => {
  const { params } = await waitingWork();
  await asCoach.call(claimReview, { params });
  expect(await asAdmin.call(releaseReview, { params, query: {} })).toEqual({ isReleased: false });
  expect((await asAdmin.call(claimReview, { params })).claim.isOwn).toBe(false);
  expect(await asCoach.call(releaseReview, { params, query: {} })).toEqual({ isReleased: true });
  expect(await asCoach.call(releaseReview, { params, query: {} })).toEqual({ isReleased: false });
  expect((await asAdmin.call(claimReview, { params })).claim).toMatchObject({ isOwn: true, reviewerName: 'Ada Adler' });
});

test('a tab that closes keeps its claim for the half minute in which it may load again; then others have it', async () => {
  const { params } = await waitingWork();
  let resetClock = stopClockAt(at(5));
  await asCoach.call(claimReview, { params });
  const close = () => asCoach.call(releaseReview, { params, query: { left: 'tab' } });
  expect([await close(), await close()]).toEqual([{ isReleased: true }, { isReleased: false }]);
  const ends = '2026-03-03T15:05:30.000Z';
  expect((await asAdmin.call(claimReview, { params })).claim).toMatchObject({ isOwn: false, expiresAt: ends });
  expect((await asCoach.call(claimReview, { params })).claim).toMatchObject({ isOwn: true, expiresAt: at(15) });
  await close();
  resetClock();
  resetClock = stopClockAt(at(6));
  expect((await asAdmin.call(claimReview, { params })).claim.isOwn).toBe(true);
  resetClock();
});

test('of many reviewers who open the same submission at once, one has it and all are told who', async () => {
  const { params } = await waitingWork();
  const reviewers = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => server.as(await buildCoach(server.db, { firstName: `Coach${n}` }))),
  );
  const answers = await Promise.all(reviewers.map((client) => client.call(claimReview, { params })));
  expect(answers.filter(({ claim }) => claim.isOwn)).toHaveLength(1);
  expect(new Set(answers.map(({ claim }) => claim.reviewerId)).size).toBe(1);
});

test('a review that waits while another reviewer opens the submission is refused', async () => {
  const { id, params } = await waitingWork();
  let opening: Promise<unknown> | undefined;
  let reviewing: ReturnType<typeof asAdmin.refused> | undefined;
  await server.db.transaction().execute(async (db) => {
    await db.selectFrom('contentSubmissions').select('id').where('id', '=', id).forUpdate().execute();
    opening = asCoach.call(claimReview, { params });
    await vi.waitUntil(async () => (await countWaiting(server.db)) === 1, { interval: 20 });
    reviewing = asAdmin.refused(reviewSubmission, { params, body: review });
    await vi.waitUntil(async () => (await countWaiting(server.db)) === 2, { interval: 20 });
  });
  expect(await opening).toMatchObject({ claim: { isOwn: true } });
  expect((await reviewing)?.problem.detail).toBe('Casey Cole has this submission open for review.');
});

test('what is reviewed already cannot be opened for review', async () => {
  const { params } = await waitingWork();
  await asCoach.call(reviewSubmission, { params, body: review });
  expect((await asAdmin.refused(claimReview, { params })).problem.code).toBe('stale');
});

test('opening and giving up refresh the lists of the reviewers, and of the one who opened it; prolonging tells nobody', async () => {
  const { params, participant } = await waitingWork();
  const screens = ['submissions'];
  const opened = await toldBy(server, () => asAdmin.call(claimReview, { params }));
  expect([opened(coach), opened(admin), opened(participant)]).toEqual([screens, screens, []]);
  const prolonged = await toldBy(server, () => asAdmin.call(claimReview, { params }));
  expect(prolonged(coach)).toEqual([]);
  const refused = await toldBy(server, () => asCoach.call(claimReview, { params }));
  expect(refused(admin)).toEqual([]);
  const released = await toldBy(server, () => asAdmin.call(releaseReview, { params, query: {} }));
  expect(released(coach)).toEqual(screens);
  const elsewhere = await buildCoach(server.db);
  const asElsewhere = await server.as(elsewhere);
  const openedElsewhere = await toldBy(server, () => asElsewhere.call(claimReview, { params }));
  expect([openedElsewhere(elsewhere), openedElsewhere(coach)]).toEqual([screens, screens]);
});

test('a resubmission starts without a claim', async () => {
  const { params, client, assignment } = await waitingWork();
  await asCoach.call(claimReview, { params });
  await asCoach.call(reviewSubmission, { params, body: { ...review, status: 'needs_revision' } });
  const again = { text: 'Named all breakers.', fileId: null, basedOnRound: 1 };
  await client.call(submitAssignment, { params: { id: assignment.id }, body: again });
  expect(await asAdmin.call(readSubmission, { params })).toMatchObject({ claim: null, can: { review: true } });
});
