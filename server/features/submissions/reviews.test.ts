import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSubmission, reviewSubmission } from '#contract/reviews.ts';
import {
  listSubmissions,
  readAssignment,
  type SubmissionStatus,
  submissionStatuses,
  submitAssignment,
} from '#contract/submissions.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClock } from '#test/support/clock.ts';

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

/** Work that was handed in and reviewed, by default as needing a revision. */
async function reviewedWork(review: { status: 'needs_revision' | 'rejected' | 'accepted' } = sendReview) {
  const facts = await memberWithAssignment();
  const handedIn = await facts.client.call(submitAssignment, { params: { id: facts.assignment.id }, body: firstWork });
  await asCoach.call(reviewSubmission, { params: { id: handedIn.id }, body: { ...sendReview, ...review } });
  return { ...facts, submissionId: handedIn.id };
}

describe('reviewing', () => {
  test('SUBM-11 a review sets status, reviewer, time and feedback, and leaves the queue', async () => {
    const { client, assignment } = await memberWithAssignment();
    const { id } = await client.call(submitAssignment, { params: { id: assignment.id }, body: firstWork });
    const waiting = await asAdmin.call(listSubmissions, { query: { view: 'pending' } });
    expect(waiting.rows.map((row) => row.id)).toContain(id);

    const body = { status: 'accepted', feedback: '  Well seen.  ', roundNumber: 1 } as const;
    const reply = await asCoach.call(reviewSubmission, { params: { id }, body });
    const instant = expect.stringMatching(/Z$/);
    expect(reply).toEqual({ id, status: 'accepted', reviewedAt: instant, takeBackUntil: instant });
    expect(await rowsOf(assignment.id)).toMatchObject([
      { status: 'accepted', feedback: 'Well seen.', reviewedBy: coach.id, reviewedAt: expect.any(Date) },
    ]);
    const after = await asAdmin.call(listSubmissions, { query: { view: 'pending' } });
    expect(after.rows.map((row) => row.id)).not.toContain(id);
    expect(after.pendingCount).toBe(waiting.pendingCount - 1);
    const { submission } = await client.call(readAssignment, { params: { id: assignment.id } });
    expect(submission).toMatchObject({ status: 'accepted', feedback: 'Well seen.', reviewerName: 'Casey Cole' });
    const { rows } = await client.call(listSubmissions, { query: {} });
    expect(rows).toMatchObject([{ id, status: 'accepted', feedback: 'Well seen.' }]);
  });

  test('SUBM-14 a review is one call with the evaluation status and the feedback, and neither may be missing', async () => {
    const { client, assignment } = await memberWithAssignment();
    const { id } = await client.call(submitAssignment, { params: { id: assignment.id }, body: firstWork });
    const send = (body: object) =>
      asCoach.fetch(`/api/submissions/${id}/review`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const { status, feedback, roundNumber } = sendReview;
    expect((await send({ feedback, roundNumber })).status).toBe(422);
    expect((await send({ status, roundNumber })).status).toBe(422);
    expect((await send({ status, feedback, roundNumber })).status).toBe(200);
    expect(await rowsOf(assignment.id)).toMatchObject([{ status, feedback }]);
  });

  test('blank feedback and any other outcome are refused, and nothing changes', async () => {
    const { client, assignment } = await memberWithAssignment();
    const { id } = await client.call(submitAssignment, { params: { id: assignment.id }, body: firstWork });
    for (const change of [{ feedback: '' }, { feedback: ' \n' }, { status: 'approved' }, { status: 'submitted' }]) {
      const answer = await asCoach.fetch(reviewSubmission.path.replace(':id', id), {
        method: reviewSubmission.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...sendReview, ...change }),
      });
      expect(answer.status).toBe(422);
    }
    expect(await rowsOf(assignment.id)).toMatchObject([{ status: 'submitted', feedback: null, reviewedBy: null }]);
  });

  test('SUBM-15 a participant cannot review, not even the own submission', async () => {
    const { client, assignment } = await memberWithAssignment();
    const { id } = await client.call(submitAssignment, { params: { id: assignment.id }, body: firstWork });
    const { status, problem } = await client.refused(reviewSubmission, { params: { id }, body: sendReview });
    expect([status, problem.code]).toEqual([403, 'forbidden']);
    expect((await client.call(readSubmission, { params: { id } })).can.review).toBe(false);
    expect(await rowsOf(assignment.id)).toMatchObject([{ status: 'submitted' }]);
  });

  test('a review of an older round, and a second review of the same one, are stale', async () => {
    const { client, assignment, submissionId } = await reviewedWork();
    const params = { id: submissionId };
    expect((await asAdmin.call(readSubmission, { params })).can.review).toBe(false);
    expect((await asAdmin.refused(reviewSubmission, { params, body: sendReview })).problem.code).toBe('stale');
    const again = { ...firstWork, basedOnRound: 1 };
    await client.call(submitAssignment, { params: { id: assignment.id }, body: again });
    expect((await asAdmin.refused(reviewSubmission, { params, body: sendReview })).problem.code).toBe('stale');
    expect((await asAdmin.call(readSubmission, { params })).can.review).toBe(true);
    await asAdmin.call(reviewSubmission, { params, body: { ...sendReview, roundNumber: 2 } });
  });

  test('in every status a review is accepted exactly where the list offers it', async () => {
    const { participant } = await member();
    for (const status of submissionStatuses) {
      const { id: assignmentId } = await buildAssignment(server.db, { trainingActivityId: activityId });
      const facts = { assignmentId, userId: participant.id, status, reviewedBy: coach.id };
      const { id } = await buildSubmission(server.db, facts);
      const { can } = await asCoach.call(readSubmission, { params: { id } });
      expect(can.review, status).toBe(status === 'submitted');
      if (can.review) await asCoach.call(reviewSubmission, { params: { id }, body: sendReview });
      else {
        const { problem } = await asCoach.refused(reviewSubmission, { params: { id }, body: sendReview });
        expect(problem.code, status).toBe('stale');
      }
    }
  });

  test('of two reviews at once one counts', async () => {
    const { client, assignment } = await memberWithAssignment();
    const { id } = await client.call(submitAssignment, { params: { id: assignment.id }, body: firstWork });
    const send = (reviewer: Client, status: SubmissionStatus) =>
      reviewer.fetch(reviewSubmission.path.replace(':id', id), {
        method: reviewSubmission.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...sendReview, status }),
      });
    const answers = await Promise.all([send(asCoach, 'accepted'), send(asAdmin, 'rejected')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("a review outside the coach's own participants is allowed, and recorded as such", async () => {
    const own = await reviewedWork();
    const stranger = await buildParticipant(server.db);
    await enrol(server.db, { cohortId, participantId: stranger.id });
    const foreign = await buildSubmission(server.db, { assignmentId: own.assignment.id, userId: stranger.id });
    await asCoach.call(reviewSubmission, { params: { id: foreign.id }, body: sendReview });
    const recorded = await server.db
      .selectFrom('auditLog')
      .select(['actorId', 'before', 'after'])
      .where('action', '=', 'submission.review')
      .where('subjectId', 'in', [own.submissionId, foreign.id])
      .orderBy('at')
      .execute();
    const entry = { actorId: coach.id, before: { status: 'submitted', roundNumber: 1 } };
    expect(recorded).toEqual([
      { ...entry, after: { status: 'needs_revision', roundNumber: 1, pointsEarned: null, isOwnParticipant: true } },
      { ...entry, after: { status: 'needs_revision', roundNumber: 1, pointsEarned: null, isOwnParticipant: false } },
    ]);
  });

  test('the participant is told in the product and by mail once the review stands, and not by mail when the preference is off', async () => {
    const clock = stopClock();
    const told = await memberWithAssignment();
    const quiet = await memberWithAssignment();
    await server.db
      .insertInto('notificationPreferences')
      .values({ userId: quiet.participant.id, performanceFeedback: false })
      .execute();
    for (const { client, assignment } of [told, quiet]) {
      const { id } = await client.call(submitAssignment, { params: { id: assignment.id }, body: firstWork });
      await asCoach.call(reviewSubmission, { params: { id }, body: sendReview });
    }
    const noticesOf = (userId: string) =>
      server.db.selectFrom('notices').select(['title', 'link']).where('userId', '=', userId).execute();
    const mailsTo = (userId: string) =>
      server.db.selectFrom('deliveries').select('subject').where('recipientId', '=', userId).execute();
    clock.pass(70);
    await decideDueNotices(server.app);
    clock.restore();
    for (const { participant, assignment } of [told, quiet]) {
      const link = `/assignment/${assignment.id}`;
      expect(await noticesOf(participant.id)).toEqual([{ title: 'Your work was reviewed', link }]);
    }
    expect(await mailsTo(told.participant.id)).toEqual([{ subject: 'Your work was reviewed' }]);
    expect(await mailsTo(quiet.participant.id)).toEqual([]);
  });
});

describe('the list', () => {
  test('SUBM-04 SUBM-05 coaches and admins see all; a coach may look at the own participants only', async () => {
    const mine = await memberWithAssignment();
    const other = await buildParticipant(server.db, { firstName: 'Otto', lastName: 'Other' });
    const assignmentId = mine.assignment.id;
    const own = await buildSubmission(server.db, { assignmentId, userId: mine.participant.id });
    const foreign = await buildSubmission(server.db, { assignmentId, userId: other.id });
    for (const client of [asCoach, asAdmin]) {
      const ids = (await client.call(listSubmissions, { query: {} })).rows.map(({ id }) => id);
      expect(ids.slice(0, 2).sort()).toEqual([own.id, foreign.id].sort());
    }
    const all = await asCoach.call(listSubmissions, { query: { view: 'pending' } });
    const ofMine = await asCoach.call(listSubmissions, { query: { view: 'pending', mine: 'true' } });
    expect(all.rows.find(({ id }) => id === foreign.id)?.participantName).toBe('Otto Other');
    expect(ofMine.rows.map(({ id }) => id)).toContain(own.id);
    expect(ofMine.rows.map(({ id }) => id)).not.toContain(foreign.id);
    expect(ofMine.pendingCount).toBeLessThan(all.pendingCount);
    await assignCoach(server.db, { participantId: other.id, coachId: coach.id });
    const afterwards = await asCoach.call(listSubmissions, { query: { view: 'pending', mine: 'true' } });
    expect(afterwards.pendingCount).toBe(ofMine.pendingCount + 1);
  });

  test('SUBM-06 what waits is listed oldest first, and is not for participants', async () => {
    const { participant, client } = await member();
    const days = ['2025-03-03', '2025-03-01', '2025-03-02'];
    const built = [];
    for (const day of days) {
      const { id: assignmentId } = await buildAssignment(server.db, { trainingActivityId: activityId });
      const submittedAt = new Date(`${day}T12:00:00Z`);
      built.push(await buildSubmission(server.db, { assignmentId, userId: participant.id, submittedAt }));
    }
    const { rows } = await asAdmin.call(listSubmissions, { query: { view: 'pending' } });
    const [third, first, second] = built;
    expect(rows.slice(0, 3).map(({ id }) => id)).toEqual([first?.id, second?.id, third?.id]);
    expect(rows.every(({ status }) => status === 'submitted')).toBe(true);
    expect((await client.refused(listSubmissions, { query: { view: 'pending' } })).problem.code).toBe('forbidden');
  });

  test('SUBM-17 every stored status is listed, filtered and counted', async () => {
    const { participant, client } = await member();
    for (const status of submissionStatuses) {
      const { id: assignmentId } = await buildAssignment(server.db, { trainingActivityId: activityId });
      await buildSubmission(server.db, { assignmentId, userId: participant.id, status, reviewedBy: coach.id });
    }
    const { rows, pendingCount } = await client.call(listSubmissions, { query: {} });
    expect(rows.map(({ status }) => status).sort()).toEqual([...submissionStatuses].sort());
    expect(pendingCount).toBe(1);
    for (const status of submissionStatuses) {
      const filtered = await client.call(listSubmissions, { query: { status } });
      expect(filtered.rows.map((row) => row.status)).toEqual([status]);
      expect(filtered.pendingCount).toBe(1);
    }
  });

  test('SUBM-03 is paged by key, newest first, without a gap or a repetition where times are equal', async () => {
    const { participant, client } = await member();
    const count = 65;
    const { contentItemId } = await buildAssignment(server.db, { trainingActivityId: activityId });
    const assignments = await server.db
      .insertInto('contentAssignments')
      .values(Array.from({ length: count }, (_, n) => ({ title: `Paged ${n}`, instructions: 'Write.', contentItemId })))
      .returning('id')
      .execute();
    await server.db
      .insertInto('contentSubmissions')
      .values(
        assignments.map(({ id }, n) => ({
          assignmentId: id,
          userId: participant.id,
          submissionText: 'Work',
          submittedAt: new Date(Date.UTC(2025, 5, 1, 12, Math.floor(n / 20))),
        })),
      )
      .execute();
    const pages = [];
    let cursor: string | undefined;
    do {
      const page = await client.call(listSubmissions, { query: cursor ? { cursor } : {} });
      pages.push(page);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(pages.map(({ rows }) => rows.length)).toEqual([30, 30, 5]);
    const rows = pages.flatMap((page) => page.rows);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(count);
    const times = rows.map(({ submittedAt }) => submittedAt);
    expect(times).toEqual(times.toSorted().reverse());
    expect(rows[0]).toMatchObject({
      participantName: 'Robin Reyes',
      status: 'submitted',
      feedback: null,
      hasFile: false,
      assignmentTitle: expect.stringContaining('Paged'),
    });
    const { problem } = await client.refused(listSubmissions, { query: { cursor: 'nonsense' } });
    expect(problem.code).toBe('invalid_input');
  });
});
