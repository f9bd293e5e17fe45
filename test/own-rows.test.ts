import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, IdParams } from '#contract/endpoint.ts';
import { readFellowship } from '#contract/fellowship.ts';
import { downloadFile } from '#contract/files.ts';
import { readParticipantDashboard } from '#contract/home.ts';
import { houseZone } from '#contract/house-zone.ts';
import { readImport } from '#contract/import-results.ts';
import { listImports } from '#contract/imports.ts';
import { readActivity } from '#contract/learning.ts';
import { readConversation } from '#contract/messages.ts';
import { changeOwnNames } from '#contract/own-details.ts';
import { readSubmission, reviewSubmission } from '#contract/reviews.ts';
import type { Role } from '#contract/roles.ts';
import { listSubmissions, readAssignment, submitAssignment } from '#contract/submissions.ts';
import { listUserFiles } from '#contract/user-files.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { accessList } from '#server/platform/serve.ts';
import { buildCoachingSession } from './factories/coaching.ts';
import { buildCohort, enrol } from './factories/cohorts.ts';
import { buildActivity, buildAssignment } from './factories/curriculum.ts';
import { buildMessage } from './factories/messages.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from './factories/people.ts';
import { buildStipend } from './factories/stipends.ts';
import { buildStoredFile } from './factories/stored-files.ts';
import { buildSubmission } from './factories/submissions.ts';
import { buildUserFile } from './factories/user-files.ts';
import { startTestApp, type TestApp } from './support/app.ts';
import { readContract } from './support/contract.ts';

const secret = 'Zanzibar-secret';
const contract = await readContract();

let server: TestApp;
let world: Awaited<ReturnType<typeof buildWorld>>;
beforeAll(async () => {
  server = await startTestApp();
  world = await buildWorld();
});
afterAll(() => server.close());

/** A person with a row in every table that is a participant's own, in one cohort with the person who asks. */
async function buildWorld() {
  const { db } = server;
  const today = dayAt(new Date(), houseZone);
  const cohort = await buildCohort(db, { startDate: addDays(today, -10) });
  const coach = await buildCoach(db);
  const owner = await buildParticipant(db, { firstName: secret, lastName: secret });
  const neighbour = await buildParticipant(db);
  for (const { id: participantId } of [owner, neighbour]) {
    await enrol(db, { cohortId: cohort.id, participantId, coachId: coach.id });
  }
  const activity = await buildActivity(db, { cohortId: cohort.id, weekNumber: 1, sessionDate: addDays(today, -9) });
  const assignment = await buildAssignment(db, { trainingActivityId: activity.id });
  const work = await buildStoredFile(db, { ownerId: owner.id });
  const submission = await buildSubmission(db, {
    assignmentId: assignment.id,
    userId: owner.id,
    text: secret,
    filePath: work.path,
  });
  const userFile = await buildUserFile(db, { userId: owner.id, displayName: `${secret}.txt` });
  const message = await buildMessage(db, owner, coach, { message: secret });
  const stipend = await buildStipend(db, { fellowId: owner.id, cohortId: cohort.id });
  const session = await buildCoachingSession(db, {
    coachId: coach.id,
    participantId: owner.id,
    scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await db
    .insertInto('attendanceRecords')
    .values({ fellowId: owner.id, cohortId: cohort.id, contentId: activity.id, weekNumber: 1 })
    .execute();
  await db
    .insertInto('participantProgress')
    .values({ participantId: owner.id, cohortId: cohort.id, totalModules: 3 })
    .execute();
  const track = await db
    .insertInto('specializationTracks')
    .values({ name: `A track of ${owner.id.slice(-6)}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('trackSelections')
    .values({ participantId: owner.id, cohortId: cohort.id, specializationTrackId: track.id, notes: secret })
    .execute();
  await db
    .insertInto('notificationPreferences')
    .values({ userId: owner.id })
    .onConflict((on) => on.doNothing())
    .execute();
  const own = [submission, work, userFile, message, stipend, session].map(({ id }) => id);
  return {
    cohort,
    coach,
    owner,
    neighbour,
    activity,
    assignment,
    work,
    submission,
    userFile,
    message,
    session,
    signs: [secret, owner.id, owner.email, ...own],
  };
}

/**
 * The endpoints that a person may read without naming a record or a part of the list. Streams have tests of their own.
 */
function readableBy(role: Role): Endpoint[] {
  return contract.filter(
    (endpoint) =>
      endpoint.method === 'GET' &&
      !endpoint.binary &&
      (endpoint.query?.safeParse({}).success ?? true) &&
      !endpoint.path.includes('/:') &&
      accessList(endpoint).includes(role),
  );
}

async function everythingReadBy(person: BuiltPerson, role: Role) {
  const client = await server.as(person);
  return Promise.all(
    readableBy(role).map(async (endpoint) => {
      const answer = await client.fetch(endpoint.path);
      return { name: endpoint.name, status: answer.status, text: await answer.text() };
    }),
  );
}

describe('rows of one participant', () => {
  test('SEC-05 another participant of the same cohort finds nothing of them in anything they can read', async () => {
    const answers = await everythingReadBy(world.neighbour, 'participant');
    expect(answers.length).toBeGreaterThan(7);
    for (const { name, status, text } of answers) {
      expect({ name, status }).toEqual({ name, status: 200 });
      for (const sign of world.signs) expect(text, name).not.toContain(sign);
    }
    const client = await server.as(world.neighbour);
    expect((await client.refused(readSubmission, { params: { id: world.submission.id } })).status).toBe(404);
    expect((await client.call(readAssignment, { params: { id: world.assignment.id } })).submission).toBeNull();
    expect((await client.fetch(downloadFile.path.replace(':id', world.work.id))).status).toBe(404);
  });

  test('the owner does find them, or the test above would show nothing', async () => {
    const answers = await everythingReadBy(world.owner, 'participant');
    const all = answers.map(({ text }) => text).join('\n');
    expect(answers.map(({ name }) => name)).toEqual(expect.arrayContaining([listUserFiles.name, listSubmissions.name]));
    for (const sign of [secret, world.submission.id]) expect(all).toContain(sign);
  });

  test('a coach who does not look after them finds them only among the submissions', async () => {
    const answers = await everythingReadBy(await buildCoach(server.db), 'coach');
    for (const { name, status, text } of answers.filter(({ name }) => name !== listSubmissions.name)) {
      expect({ name, status }).toEqual({ name, status: 200 });
      for (const sign of world.signs) expect(text, name).not.toContain(sign);
    }
  });
});

test('SEC1-22 files, messages, submissions, attendance and stipends are read by their owner, and by the own coach as far as screens need', async () => {
  const { owner, coach, neighbour, submission, work, userFile, message, session } = world;
  const idsFor = async (person: BuiltPerson, role: Role) => {
    const text = (await everythingReadBy(person, role)).map((answer) => answer.text).join('\n');
    return Object.entries({ submission, userFile, session }).flatMap(([name, { id }]) =>
      text.includes(id) ? [name] : [],
    );
  };
  expect(await idsFor(owner, 'participant')).toEqual(['submission', 'userFile', 'session']);
  expect(await idsFor(neighbour, 'participant')).toEqual([]);
  expect(await idsFor(coach, 'coach')).toEqual(['submission', 'session']);
  expect(await idsFor(await buildCoach(server.db), 'coach')).toEqual(['submission']);

  const place = { params: { id: owner.id }, query: {} };
  expect(JSON.stringify(await (await server.as(coach)).call(readConversation, place))).toContain(message.id);
  const statusFor = async (person: BuiltPerson, address: string) =>
    (await (await server.as(person)).fetch(address)).status;
  const conversation = readConversation.path.replace(':id', owner.id);
  const file = downloadFile.path.replace(':id', work.id);
  for (const stranger of [neighbour, await buildCoach(server.db)]) {
    expect([403, 404]).toContain(await statusFor(stranger, conversation));
  }
  expect(await statusFor(neighbour, file)).toBe(404);
  const seen = await (await server.as(neighbour)).call(readActivity, { params: { id: world.activity.id } });
  expect(seen.state).not.toBe('completed');
  expect((await (await server.as(owner)).call(readActivity, { params: { id: world.activity.id } })).state).toBe(
    'completed',
  );
  const paid = (await (await server.as(neighbour)).call(readParticipantDashboard)).stipend;
  expect(paid?.recentWeeks).toEqual([]);
  // A participant has no address for the lists of others' attendance and stipends.
  expect(await statusFor(neighbour, `/api/activities/${world.activity.id}/attendance`)).toBe(403);
  expect(await statusFor(neighbour, '/api/stipends?week=1')).toBe(403);
});

test('SEC-07 nothing that a participant sends sets the outcome, the feedback or the reviewer of a submission', async () => {
  const { db } = server;
  const participant = await buildParticipant(db);
  await enrol(db, { cohortId: world.cohort.id, participantId: participant.id, coachId: world.coach.id });
  const client = await server.as(participant);
  const smuggled = {
    status: 'accepted',
    feedback: 'Very good',
    reviewed_by: participant.id,
    reviewedBy: participant.id,
    reviewed_at: '2026-01-01T00:00:00Z',
    reviewedAt: '2026-01-01T00:00:00Z',
  };
  const address = submitAssignment.path.replace(':id', world.assignment.id);
  const answer = await client.fetch(address, {
    method: submitAssignment.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'My work', fileId: null, basedOnRound: null, ...smuggled }),
  });
  expect(answer.status).toBe(200);
  const stored = () =>
    db
      .selectFrom('contentSubmissions')
      .select(['id', 'status', 'feedback', 'reviewedBy', 'reviewedAt'])
      .where('userId', '=', participant.id)
      .executeTakeFirstOrThrow();
  const { id } = await stored();
  const untouched = { id, status: 'submitted', feedback: null, reviewedBy: null, reviewedAt: null };
  expect(await stored()).toEqual(untouched);
  const review = { status: 'accepted', feedback: 'Very good', roundNumber: 1 };
  const reviewed = await client.fetch(reviewSubmission.path.replace(':id', id), {
    method: reviewSubmission.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(review),
  });
  expect(reviewed.status).toBe(403);
  expect(await stored()).toEqual(untouched);
});

test('SEC-08 a participant changes no role, stipend, evaluation, module completion or cohort, their own neither', async () => {
  const { db } = server;
  const client = await server.as(world.owner);
  const facts = async () => ({
    roles: await db.selectFrom('profiles').select(['id', 'role', 'requestedRole']).orderBy('id').execute(),
    stipends: await db.selectFrom('stipendEligibility').selectAll().orderBy('id').execute(),
    evaluations: await db.selectFrom('contentEvaluations').selectAll().execute(),
    ratings: await db.selectFrom('performanceFeedback').selectAll().execute(),
    modules: await db.selectFrom('participantModuleCompletions').selectAll().execute(),
    cohorts: await db.selectFrom('cohorts').selectAll().orderBy('id').execute(),
  });
  const before = await facts();
  // These ask about a participant's own week, and decide nothing.
  const ownQuestions = ['askAboutStipend', 'withdrawStipendQuestion'];
  const guarded = contract.filter(
    ({ name, method, path, access }) =>
      method !== 'GET' &&
      !ownQuestions.includes(name) &&
      access !== 'public' &&
      access !== 'signed' &&
      /stipend|review|rating|module|cohort|\/users|role|admin/.test(path),
  );
  expect(guarded.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'approveStipend',
      'reviewSubmission',
      'rateWeek',
      'setModuleCompletion',
      'createAdminUser',
    ]),
  );
  for (const { name, method, path } of guarded) {
    const answer = await client.fetch(path.replace(/:\w+/g, world.owner.id), {
      method,
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect({ name, status: answer.status }).toEqual({ name, status: 403 });
  }
  await client.fetch(changeOwnNames.path, {
    method: changeOwnNames.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: secret, lastName: secret, role: 'admin', requestedRole: 'admin' }),
  });
  expect(await facts()).toEqual(before);
});

test('SEC1-15 nobody but an admin reads the history of bulk uploads', async () => {
  const { db } = server;
  const admin = await server.as(await buildAdmin(db));
  expect((await admin.call(listImports)).rows).toEqual([]);
  const id = world.cohort.id;
  for (const [person, status] of [
    [await buildParticipant(db), 403],
    [await buildCoach(db), 403],
    [null, 401],
  ] as const) {
    const client = await server.as(person);
    expect((await client.refused(listImports)).status).toBe(status);
    expect((await client.refused(readImport, { params: IdParams.parse({ id }) })).status).toBe(status);
  }
});

test('ERR-03 ERR1-05 what is not there yet is read as nothing, never as a failure', async () => {
  const { db } = server;
  const newcomer = await buildParticipant(db);
  for (const [person, role] of [
    [newcomer, 'participant'],
    [await buildCoach(db), 'coach'],
    [await buildAdmin(db), 'admin'],
  ] as const) {
    for (const { name, status } of await everythingReadBy(person, role))
      expect({ name, status }).toEqual({ name, status: 200 });
  }
  const client = await server.as(newcomer);
  expect((await client.call(readFellowship)).cohort).toBeNull();
  expect((await client.call(readParticipantDashboard)).week).toBeNull();
  const assigned = await server.as(world.neighbour);
  expect((await assigned.call(readAssignment, { params: { id: world.assignment.id } })).submission).toBeNull();
});
