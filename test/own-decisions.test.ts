import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answerAttendanceCorrection, listAttendanceCorrections } from '#contract/attendance-corrections.ts';
import { rateWeek } from '#contract/coaching.ts';
import { setModuleCompletion } from '#contract/cohort-progress.ts';
import { handOverWeek, markStipendPaid, takePaymentBack } from '#contract/payments.ts';
import { claimReview, reviewSubmission, saveReviewDraft } from '#contract/reviews.ts';
import { answerStipendQuestion, listStipendQuestions } from '#contract/stipend-questions.ts';
import {
  approveStipend,
  approveStipendAmount,
  approveWeek,
  changeStipendAmount,
  denyStipend,
  listStipends,
  processStipends,
  readStipend,
} from '#contract/stipends.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from './factories/cohorts.ts';
import { buildActivity, buildAssignment, buildModule } from './factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from './factories/people.ts';
import { buildRating, buildStipend } from './factories/stipends.ts';
import { buildSubmission } from './factories/submissions.ts';
import type { Client, TestApp } from './support/app.ts';
import { startPayingApp } from './support/paying-app.ts';
import type { PaymentSystem } from './support/payment-system.ts';
import { figuresOf } from './support/stipend-figures.ts';

let receiver: PaymentSystem;
let app: TestApp;
beforeAll(async () => {
  ({ app, receiver } = await startPayingApp());
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

/** Nadia was a participant of the cohort and has since become an admin or a coach. */
let nadia: Awaited<ReturnType<typeof buildParticipant>>;
let cohortId: string;
let coach: Awaited<ReturnType<typeof buildCoach>>;

beforeEach(async () => {
  nadia = await buildParticipant(app.db, { firstName: 'Nadia' });
  cohortId = (await buildCohort(app.db)).id;
  coach = await buildCoach(app.db);
  await enrol(app.db, { cohortId, participantId: nadia.id, coachId: coach.id });
});

/**
 * Does what an edit of the role does. A person who is no longer a participant is in no cohort, and keeps the weeks that
 * were over.
 */
async function raised(role: 'admin' | 'coach' = 'admin'): Promise<Client> {
  await app.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn', endedAt: new Date() })
    .where('participantId', '=', nadia.id)
    .execute();
  await app.db.updateTable('profiles').set({ role }).where('id', '=', nadia.id).execute();
  return app.as(nadia);
}

const own = (facts: Parameters<typeof buildStipend>[1] = {}) =>
  buildStipend(app.db, { fellowId: nadia.id, cohortId, ...facts });
const refusal = 'This is your own. Somebody else has to decide about it.';

describe('the person of the row, by now an admin', () => {
  test('neither approves nor denies it, nor sets or approves its amount', async () => {
    const client = await raised();
    await buildRating(app.db, { fellowId: nadia.id, cohortId, weekNumber: 2 });
    await client.call(processStipends, { body: { weekNumber: 2, cohortId } });
    const { rows } = await client.call(listStipends, { query: { week: 2, cohort: cohortId } });
    const params = { id: rows[0]?.id ?? '' };
    const { can, approvalRefusal, version } = await client.call(readStipend, { params });
    expect(can).toEqual({
      approve: false,
      deny: false,
      changeAmount: false,
      approveAmount: false,
      markPaid: false,
      renewPayee: false,
      takePaymentBack: false,
    });
    expect(approvalRefusal).toBe(refusal);
    for (const refused of [
      await client.refused(approveStipend, { params, body: { version } }),
      await client.refused(denyStipend, { params, body: { version, reason: 'Mine' } }),
      await client.refused(changeStipendAmount, { params, body: { version, amountCents: 90_000 } }),
    ]) {
      expect([refused.status, refused.problem.detail]).toEqual([403, refusal]);
    }
    const other = await app.as(await buildAdmin(app.db));
    await app.db.updateTable('cohorts').set({ needsSecondApprover: true }).where('id', '=', cohortId).execute();
    const approved = await own({ weekNumber: 3, paymentStatus: 'approved' });
    const changed = await other.call(changeStipendAmount, {
      params: { id: approved.id },
      body: { version: approved.version, amountCents: 60_000 },
    });
    const amount = { params: { id: approved.id }, body: { version: changed.version } };
    expect((await client.refused(approveStipendAmount, amount)).problem.detail).toBe(refusal);
  });

  test('approves a week without it, and is told that it was left out', async () => {
    const client = await raised();
    await buildRating(app.db, { fellowId: nadia.id, cohortId, weekNumber: 4 });
    await client.call(processStipends, { body: { weekNumber: 4, cohortId } });
    const other = await buildStipend(app.db, { cohortId, weekNumber: 4 });
    const { pending, pendingApproval } = await figuresOf(client, { week: 4, cohort: cohortId });
    expect(pending).toMatchObject({ count: 1, totalCents: 50_000 });
    expect(pendingApproval).toBe(2);
    const reply = await client.call(approveWeek, { body: { weekNumber: 4, cohortId, seen: pending } });
    expect(reply).toEqual({ approved: 1, firstApproved: 0, skipped: 0, own: 1 });
    const { rows } = await client.call(listStipends, { query: { week: 4, cohort: cohortId, status: 'approved' } });
    expect(rows.map(({ id }) => id)).toEqual([other.id]);
  });

  test('hands it over to nobody: it is left out of what they send, and goes with what another admin sends', async () => {
    const client = await raised();
    const stipend = await own({ weekNumber: 5, paymentStatus: 'approved' });
    const body = { weekNumber: 5, cohortId };
    expect(await client.call(handOverWeek, { body })).toMatchObject({ status: 'nothing_to_send', own: 1 });
    const other = await app.as(await buildAdmin(app.db));
    expect(await other.call(handOverWeek, { body })).toMatchObject({ status: 'sent', recipients: 1, own: 0 });
    const seen = (await figuresOf(client, { week: 5, cohort: cohortId })).sentUnpaid;
    const again = await client.call(handOverWeek, { body: { ...body, again: true, seen } });
    expect(again).toMatchObject({ status: 'nothing_to_send', own: 1 });
    expect((await client.call(readStipend, { params: { id: stipend.id } })).handover).toBe('sent');
  });

  test('neither marks it as paid nor takes its payment back', async () => {
    const client = await raised();
    const stipend = await own({ weekNumber: 6, paymentStatus: 'approved' });
    const params = { id: stipend.id };
    const body = { version: stipend.version, reference: 'CHK 1' };
    expect((await client.refused(markStipendPaid, { params, body })).problem.detail).toBe(refusal);
    const paid = await (await app.as(await buildAdmin(app.db))).call(markStipendPaid, { params, body });
    const back = { params, body: { version: paid.version, reason: 'A mistake' } };
    expect((await client.refused(takePaymentBack, back)).problem.detail).toBe(refusal);
  });

  test('answers neither their own question about a week nor their own request to correct attendance', async () => {
    const activity = await buildActivity(app.db, { cohortId, weekNumber: 1, sessionDate: '2025-09-08' });
    const question = await app.db
      .insertInto('stipendQuestions')
      .values({ participantId: nadia.id, cohortId, weekNumber: 1, question: 'Why?', facts: ['A fact'] })
      .returning('id')
      .executeTakeFirstOrThrow();
    const request = await app.db
      .insertInto('attendanceCorrections')
      .values({
        participantId: nadia.id,
        activityId: activity.id,
        cohortId,
        weekNumber: 1,
        attended: true,
        reason: 'I was there',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const client = await raised();
    const asked = { params: { id: question.id }, body: { closes: false, answer: 'Because' } };
    expect((await client.refused(answerStipendQuestion, asked)).problem.detail).toBe(refusal);
    const wanted = { params: { id: request.id }, body: { accepts: true, answer: '' } };
    expect((await client.refused(answerAttendanceCorrection, wanted)).problem.detail).toBe(refusal);
    const queues = [await client.call(listStipendQuestions), await client.call(listAttendanceCorrections)];
    const waiting = queues.flatMap(({ rows }) => rows.map(({ id }) => id));
    expect(waiting).not.toContain(question.id);
    expect(waiting).not.toContain(request.id);
  });
});

describe('the author of the work, by now a coach', () => {
  test('neither opens, drafts nor gives a review of it', async () => {
    const activity = await buildActivity(app.db, { cohortId, weekNumber: 1 });
    const assignment = await buildAssignment(app.db, { trainingActivityId: activity.id });
    const submission = await buildSubmission(app.db, { assignmentId: assignment.id, userId: nadia.id });
    const client = await raised('coach');
    const { rows } = await client.call(listSubmissions, { query: {} });
    expect(rows.find(({ id }) => id === submission.id)?.can.review).toBe(false);
    const params = { id: submission.id };
    const review = { status: 'accepted', feedback: 'Very good', pointsEarned: null, roundNumber: 1 } as const;
    for (const refused of [
      await client.refused(claimReview, { params }),
      await client.refused(saveReviewDraft, { params, body: review }),
      await client.refused(reviewSubmission, { params, body: review }),
    ]) {
      expect([refused.status, refused.problem.detail]).toEqual([403, refusal]);
    }
  });

  test('rates no own week, and sets no own module as complete', async () => {
    const client = await raised('coach');
    const week = { params: { participantId: nadia.id, weekNumber: 1 }, body: { rating: 5, comment: null } };
    expect((await client.refused(rateWeek, week)).status).toBe(404);
    const module = { params: { id: cohortId, participantId: nadia.id, moduleId: newId() } };
    const complete = { ...module, body: { isCompleted: true, note: 'I know it' } };
    expect((await client.refused(setModuleCompletion, complete)).status).toBe(404);
  });
});

describe('the database', () => {
  const message = 'nobody decides about what is their own';

  test('holds it for every column of a stipend that names who decided', async () => {
    const stipend = await own();
    const set = (values: object) =>
      app.db.updateTable('stipendEligibility').set(values).where('id', '=', stipend.id).execute();
    const at = new Date();
    for (const values of [
      { paymentStatus: 'approved', approvedBy: nadia.id, approvedAt: at },
      { firstApprovedBy: nadia.id, firstApprovedAt: at },
      { stipendAmountCents: 60_000, amountSetBy: nadia.id },
      { amountApprovedBy: nadia.id, amountApprovedAt: at },
    ]) {
      await expect(set(values)).rejects.toThrow(message);
    }
    await expect(own({ weekNumber: 9, paymentStatus: 'approved', approvedBy: nadia.id })).rejects.toThrow(message);
  });

  test('holds it for payments, hand-overs and every line of the ledger', async () => {
    const stipend = await own({ paymentStatus: 'approved' });
    const paid = { stipendId: stipend.id, part: 1, amountCents: 50_000, source: 'admin', reference: 'CHK 1' };
    await expect(
      app.db
        .insertInto('stipendPaymentParts')
        .values({ ...paid, recordedBy: nadia.id })
        .execute(),
    ).rejects.toThrow('nobody_acts_on_their_own');
    const handoverId = newId();
    const batch = { id: handoverId, weekNumber: 1, body: '{}', recipients: 1, totalCents: 50_000, createdBy: nadia.id };
    await app.db.insertInto('stipendHandovers').values(batch).execute();
    await expect(
      app.db
        .insertInto('stipendHandoverRows')
        .values({ handoverId, stipendId: stipend.id, amountCents: 50_000 })
        .execute(),
    ).rejects.toThrow('nobody_acts_on_their_own');
  });

  test('holds it for ratings, reviews, answers, attendance and modules', async () => {
    const activity = await buildActivity(app.db, { cohortId, weekNumber: 1 });
    const assignment = await buildAssignment(app.db, { trainingActivityId: activity.id });
    const submission = await buildSubmission(app.db, { assignmentId: assignment.id, userId: nadia.id });
    const module = await buildModule(app.db);
    const { db } = app;
    const [at, by] = [new Date(), nadia.id];
    const place = { participantId: nadia.id, cohortId, weekNumber: 1 };
    const request = { ...place, activityId: activity.id, attended: true, reason: 'I was there' };
    for (const act of [
      db
        .insertInto('performanceFeedback')
        .values({ fellowId: by, cohortId, weekNumber: 1, overallRating: 5, ratedBy: by }),
      db.updateTable('contentSubmissions').set({ reviewedBy: by, reviewedAt: at }).where('id', '=', submission.id),
      db.insertInto('contentEvaluations').values({ submissionId: submission.id, gradedBy: by, gradedAt: at }),
      db.insertInto('reviewClaims').values({ submissionId: submission.id, reviewerId: by, expiresAt: at }),
      db.insertInto('reviewDrafts').values({
        submissionId: submission.id,
        reviewerId: by,
        roundNumber: 1,
        reviewStatus: 'accepted',
        feedback: 'Good',
      }),
      db.insertInto('attendanceCorrections').values({ ...request, status: 'accepted', answeredBy: by, answeredAt: at }),
      db
        .insertInto('attendanceRecords')
        .values({ fellowId: by, cohortId, contentId: activity.id, weekNumber: 1, recordedBy: by, reason: 'Mine' }),
      db
        .insertInto('attendanceRemovals')
        .values({ participantId: by, activityId: activity.id, removedBy: by, reason: 'Mine' }),
      db
        .insertInto('participantModuleCompletions')
        .values({ participantId: by, cohortId, moduleId: module.id, setBy: by, note: 'Mine' }),
      db
        .insertInto('stipendQuestions')
        .values({ ...place, question: 'Why?', facts: [], status: 'closed', answeredBy: by, answeredAt: at }),
    ]) {
      await expect(act.execute()).rejects.toThrow(message);
    }
  });
});
