import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveAssignmentDraft } from '#contract/assignment-drafts.ts';
import { readSubmission, reviewSubmission } from '#contract/reviews.ts';
import { roles, trackTypes } from '#contract/roles.ts';
import { listSubmissions, readAssignment, submitAssignment } from '#contract/submissions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildParticipant, buildPerson } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

/** These reads build their statements once, and compare the second build. So each is asked as different people. */
let server: TestApp;
let cohortId: string;
let trainingActivityId: string;
let admin: BuiltPerson;

beforeAll(async () => {
  server = await startTestApp();
  cohortId = (await buildCohort(server.db)).id;
  const audiences = [...trackTypes];
  trainingActivityId = (await buildActivity(server.db, { cohortId, audiences })).id;
  admin = await buildAdmin(server.db);
});
afterAll(() => server.close());

const oftenEnough = [1, 2, 3];
const tracks = ['fellowship', 'self_learner', null] as const;
const everybody = roles.flatMap((role) => tracks.map((trackType) => ({ role, trackType })));

test.each(everybody)('each $role of track $trackType reads what is theirs to read, again and again', async (facts) => {
  for (const turn of oftenEnough) {
    const person = await buildPerson(server.db, facts);
    const client = await server.as(person);
    const author = facts.role === 'participant' ? person : await buildParticipant(server.db);
    const coachId = facts.role === 'coach' ? person.id : undefined;
    await enrol(server.db, { cohortId, participantId: author.id, coachId });
    const assignment = await buildAssignment(server.db, { trainingActivityId, title: `Switches ${turn}` });
    const { id } = await buildSubmission(server.db, { assignmentId: assignment.id, userId: author.id });

    const shown = await client.call(readSubmission, { params: { id } });
    const isReviewer = facts.role !== 'participant';
    const seen = { id, participantId: author.id, assignmentTitle: `Switches ${turn}` };
    expect(shown).toMatchObject({ ...seen, can: { review: isReviewer, openPerson: isReviewer } });
    expect(shown.rounds).toHaveLength(1);
    const { rows, pendingCount } = await client.call(listSubmissions, { query: {} });
    expect(rows[0]).toMatchObject(seen);
    const { count } = await server.db
      .selectFrom('contentSubmissions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect({ rows: rows.length, pendingCount }).toEqual(
      isReviewer ? { rows: Math.min(count, 30), pendingCount: count } : { rows: 1, pendingCount: 1 },
    );
    const opened = await client.call(readAssignment, { params: { id: assignment.id } });
    const refusal = 'You have handed this in already. Your coach will review it.';
    expect(opened).toMatchObject({ id: assignment.id, can: { grade: isReviewer } });
    expect(opened).toMatchObject(isReviewer ? { submission: null, refusal: null } : { submission: { id }, refusal });
  }
});

test('a participant reads their draft of each round, again and again', async () => {
  for (const turn of oftenEnough) {
    const participant = await buildParticipant(server.db);
    await enrol(server.db, { cohortId, participantId: participant.id });
    const params = { id: (await buildAssignment(server.db, { trainingActivityId })).id };
    const client = await server.as(participant);
    const ownWork = async () => {
      const { submission, draft } = await client.call(readAssignment, { params });
      return [submission?.roundNumber, draft?.text];
    };
    const save = (text: string, basedOnRound: number | null) =>
      client.call(saveAssignmentDraft, { params, body: { text, fileId: null, basedOnRound, basedOn: null } });

    expect(await ownWork()).toEqual([undefined, undefined]);
    await save(`First ${turn}`, null);
    expect(await ownWork()).toEqual([undefined, `First ${turn}`]);
    const body = { text: 'Three breakers were open.', fileId: null, basedOnRound: null };
    const { id } = await client.call(submitAssignment, { params, body });
    expect(await ownWork()).toEqual([1, undefined]);
    const review = { status: 'needs_revision', feedback: 'Name the breakers.', roundNumber: 1 } as const;
    await (await server.as(admin)).call(reviewSubmission, { params: { id }, body: review });
    await save(`Second ${turn}`, 1);
    expect(await ownWork()).toEqual([1, `Second ${turn}`]);
  }
});
