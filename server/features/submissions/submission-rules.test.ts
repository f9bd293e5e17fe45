import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reviewSubmission } from '#contract/reviews.ts';
import type { SubmissionRow } from '#contract/submissions.ts';
import { listSubmissions, readAssignment, submitAssignment } from '#contract/submissions.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { countStatements } from '#test/support/statements.ts';
import { uploadFile } from '#test/support/uploads.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const textWork = { text: 'Three breakers were open.', fileId: null, basedOnRound: null };

async function memberWithCoach() {
  const cohort = await buildCohort(server.db);
  const activity = await buildActivity(server.db, { cohortId: cohort.id });
  const coach = await buildCoach(server.db);
  const participant = await buildParticipant(server.db, { firstName: 'Nia', lastName: 'Novak' });
  await enrol(server.db, { cohortId: cohort.id, participantId: participant.id, coachId: coach.id });
  const newAssignment = () => buildAssignment(server.db, { trainingActivityId: activity.id });
  return { coach, participant, client: await server.as(participant), newAssignment };
}

async function memberOfWeekOne() {
  const cohort = await buildCohort(server.db, { unlockedWeeks: 1 });
  const participant = await buildParticipant(server.db);
  await enrol(server.db, { cohortId: cohort.id, participantId: participant.id });
  const assignmentOn = async (sessionDate: string) => {
    const activity = await buildActivity(server.db, { cohortId: cohort.id, weekNumber: 9, sessionDate });
    return buildAssignment(server.db, { trainingActivityId: activity.id });
  };
  return {
    client: await server.as(participant),
    lockedAssignment: await assignmentOn('2099-01-05'),
    overdueAssignment: await assignmentOn('2025-01-06'),
  };
}

async function rejectedWork() {
  const member = await memberWithCoach();
  const assignment = await member.newAssignment();
  const { id } = await member.client.call(submitAssignment, { params: { id: assignment.id }, body: textWork });
  const asCoach = await server.as(member.coach);
  const body = { status: 'rejected', feedback: 'Please start again.', roundNumber: 1 } as const;
  await asCoach.call(reviewSubmission, { params: { id }, body });
  return { ...member, assignment };
}

async function isResubmissionOffered(client: Client) {
  const { rows } = await client.call(listSubmissions, { query: {} });
  return rows.map(({ can }) => can.resubmit);
}

test('a file is handed in with one submission only, and may stay through its rounds', async () => {
  const { client, coach, newAssignment } = await memberWithCoach();
  const [first, second] = [await newAssignment(), await newAssignment()];
  const fileId = await uploadFile(client, { area: 'submissions', name: 'notes.txt' }, 'readings');
  const work = { text: null, fileId, basedOnRound: null };
  const { id } = await client.call(submitAssignment, { params: { id: first.id }, body: work });
  const { problem } = await client.refused(submitAssignment, { params: { id: second.id }, body: work });
  expect(problem).toMatchObject({
    code: 'invalid_input',
    detail: 'This file is part of another submission. Please upload it again.',
  });

  const review = { status: 'needs_revision', feedback: 'Say it in words too.', roundNumber: 1 } as const;
  await (await server.as(coach)).call(reviewSubmission, { params: { id }, body: review });
  const again = { text: 'In words.', fileId, basedOnRound: 1 };
  const reply = await client.call(submitAssignment, { params: { id: first.id }, body: again });
  expect(reply.roundNumber).toBe(2);
});

test('of two assignments that are handed in with one file at the same moment, one is taken', async () => {
  const { client, newAssignment } = await memberWithCoach();
  const assignments = await Promise.all(Array.from({ length: 5 }, newAssignment));
  const fileId = await uploadFile(client, { area: 'submissions', name: 'notes.txt' }, 'readings');
  const body = JSON.stringify({ text: null, fileId, basedOnRound: null });
  const answers = await Promise.all(
    assignments.map(({ id }) =>
      client.fetch(submitAssignment.path.replace(':id', id), {
        method: submitAssignment.method,
        headers: { 'content-type': 'application/json' },
        body,
      }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 422, 422, 422, 422]);
});

test('work of a week that is still locked is refused, and the page says why', async () => {
  const { client, lockedAssignment, overdueAssignment } = await memberOfWeekOne();
  const params = { id: lockedAssignment.id };
  const { problem } = await client.refused(submitAssignment, { params, body: textWork });
  const refusal = expect.stringMatching(/^Opens [A-Z][a-z]{2} \d/);
  expect(problem).toMatchObject({ code: 'conflict', detail: refusal });
  const page = await client.call(readAssignment, { params });
  expect(page).toMatchObject({ refusal, can: { submit: false, resubmit: false } });

  const open = await client.call(readAssignment, { params: { id: overdueAssignment.id } });
  expect(open).toMatchObject({ refusal: null, can: { submit: true } });
  await client.call(submitAssignment, { params: { id: overdueAssignment.id }, body: textWork });
});

test("the participant's coach is told of work in the product and by mail", async () => {
  const { client, coach, newAssignment } = await memberWithCoach();
  const assignment = await newAssignment();
  const { id } = await client.call(submitAssignment, { params: { id: assignment.id }, body: textWork });
  const told = { title: 'Work is waiting for your review', message: `Nia Novak handed in ${assignment.title}.` };
  const notices = await server.db
    .selectFrom('notices')
    .select(['title', 'message', 'link'])
    .where('userId', '=', coach.id)
    .execute();
  expect(notices).toEqual([{ ...told, link: `/submissions?tab=pending&review=${id}` }]);
  await decideDueNotices(server.app);
  const mails = await server.db
    .selectFrom('deliveries')
    .select(['subject', 'address'])
    .where('recipientId', '=', coach.id)
    .execute();
  expect(mails).toEqual([{ subject: told.title, address: coach.email }]);
});

test('work and its review are read again on every screen that shows them, of the participant and of the coach', async () => {
  const { client, coach, participant, newAssignment } = await memberWithCoach();
  const { id: assignmentId } = await newAssignment();
  const handIn = () => client.call(submitAssignment, { params: { id: assignmentId }, body: textWork });
  const facts = ['progress', 'stipends', 'submissions'];
  const ofWork = await toldBy(server, handIn);
  expect(ofWork(participant)).toEqual(facts);
  expect(ofWork(coach)).toEqual(['notices', ...facts]);

  const asAnother = await server.as(await buildCoach(server.db));
  const { rows } = await client.call(listSubmissions, { query: {} });
  const body = { status: 'accepted', feedback: 'Well seen.', roundNumber: 1 } as const;
  const ofReview = await toldBy(server, () =>
    asAnother.call(reviewSubmission, { params: { id: rows[0]?.id ?? '' }, body }),
  );
  // A notice comes when the review can no longer be taken back.
  expect(ofReview(participant)).toEqual(facts);
  expect(ofReview(coach)).toEqual(facts);
});

test('handing in with a file, and a review, need at most 10 statements between begin and commit', async () => {
  const { client, coach, newAssignment } = await memberWithCoach();
  const { id: assignmentId } = await newAssignment();
  const asCoach = await server.as(coach);
  // A process looks up each job queue once. This does it.
  await client.call(submitAssignment, { params: { id: (await newAssignment()).id }, body: textWork });
  const fileId = await uploadFile(client, { area: 'submissions', name: 'notes.txt' }, 'readings');
  const beginAndCommit = 2;
  let id = '';
  const handingIn = await countStatements(server.app.pool, async () => {
    const work = { ...textWork, fileId };
    ({ id } = await client.call(submitAssignment, { params: { id: assignmentId }, body: work }));
  });
  expect(handingIn - beginAndCommit).toBeLessThanOrEqual(10);
  const body = { status: 'accepted', feedback: 'Well seen.', roundNumber: 1 } as const;
  const review = await countStatements(server.app.pool, () => asCoach.call(reviewSubmission, { params: { id }, body }));
  expect(review - beginAndCommit).toBeLessThanOrEqual(10);
});

test('a coach of another track opens the assignment of every submission in the list', async () => {
  const { client, newAssignment } = await memberWithCoach();
  const { id } = await newAssignment();
  await client.call(submitAssignment, { params: { id }, body: textWork });
  const asCoach = await server.as(await buildCoach(server.db, { trackType: 'adult_mobilization' }));
  const { rows } = await asCoach.call(listSubmissions, { query: {} });
  expect(rows.map(({ assignmentId }) => assignmentId)).toContain(id);
  expect((await asCoach.call(readAssignment, { params: { id } })).can).toMatchObject({ grade: true });
});

test('a resubmission is offered only while the assignment is open to the participant', async () => {
  const moved = await rejectedWork();
  const closed = await rejectedWork();
  for (const { client } of [moved, closed]) expect(await isResubmissionOffered(client)).toEqual([true]);
  await server.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn' })
    .where('participantId', '=', moved.participant.id)
    .execute();
  await server.db
    .updateTable('contentAssignments')
    .set({ archivedAt: new Date() })
    .where('id', '=', closed.assignment.id)
    .execute();
  for (const { client, assignment } of [moved, closed]) {
    expect(await isResubmissionOffered(client)).toEqual([false]);
    const body = { ...textWork, basedOnRound: 1 };
    await client.refused(submitAssignment, { params: { id: assignment.id }, body });
  }
});

test('pages neither skip nor repeat a row where times differ by less than a millisecond', async () => {
  const { client, participant, newAssignment } = await memberWithCoach();
  const { contentItemId } = await newAssignment();
  const count = 40;
  const assignments = await server.db
    .insertInto('contentAssignments')
    .values(Array.from({ length: count }, (_, n) => ({ title: `Work ${n}`, instructions: 'Write.', contentItemId })))
    .returning('id')
    .execute();
  const microsecondsOf = (n: number) => (n * 37) % count;
  await server.db
    .insertInto('contentSubmissions')
    .values(
      assignments.map(({ id }, n) => ({
        assignmentId: id,
        userId: participant.id,
        submissionText: 'Work',
        submittedAt: sql<Date>`timestamptz '2025-06-01 12:00:00Z' + ${microsecondsOf(n)} * interval '1 microsecond'`,
      })),
    )
    .execute();
  const rows: SubmissionRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call(listSubmissions, { query: { cursor } });
    rows.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(count);
});
