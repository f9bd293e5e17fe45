import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readActivityContent } from '#contract/activities.ts';
import {
  type AssignmentInput,
  assignmentTypes,
  createContentAssignment,
  deleteContent,
  deleteContentAssignment,
  listContents,
  orderContentAssignments,
  updateContentAssignment,
} from '#contract/contents.ts';
import { listSubmissions, readAssignment, submitAssignment } from '#contract/submissions.ts';
import { removeUnusedUploads } from '#server/features/files/unused-uploads.ts';
import { weekFacts } from '#server/features/stipends/week-facts-queries.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildContentItem } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStoredFile } from '#test/factories/stored-files.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { countWaiting } from '#test/support/waiting-statements.ts';

let server: TestApp;
let ada: BuiltPerson;
let admin: Client;
let cohortId: string;
let activityId: string;
let itemId: string;
beforeAll(async () => {
  server = await startTestApp();
  await server.runJobs();
  ada = await buildAdmin(server.db);
  admin = await server.as(ada);
});
afterAll(() => server.close());
beforeEach(async () => {
  cohortId = (await buildCohort(server.db)).id;
  activityId = (await buildActivity(server.db, { cohortId })).id;
  itemId = (await buildContentItem(server.db, { trainingActivityId: activityId })).id;
});

function factsOf(changes: Partial<AssignmentInput> = {}): AssignmentInput {
  return {
    contentItemId: itemId,
    title: 'Write a report',
    instructions: 'Describe what you saw.',
    assignmentType: 'written_response',
    dueDate: '2026-03-09',
    isRequired: false,
    ...changes,
  };
}

const create = (changes: Partial<AssignmentInput> = {}) =>
  admin.call(createContentAssignment, { body: factsOf(changes) });

async function listed() {
  return (await admin.call(listContents, { params: { id: activityId } })).items;
}

function storedAssignments() {
  return server.db
    .selectFrom('contentAssignments')
    .select(['id', 'archivedAt'])
    .where('contentItemId', '=', itemId)
    .orderBy('id')
    .execute();
}

async function buildMember() {
  const participant = await buildParticipant(server.db);
  await enrol(server.db, { cohortId, participantId: participant.id });
  return { participant, client: await server.as(participant) };
}

test('CONT-05 CONT-32 CONT-33 DATA1-07 an assignment is stored as given, returned, and stands below its item', async () => {
  const created = await create();
  const expected = { id: created.id, ...factsOf(), submissions: 0, drafts: 0, version: 1 };
  expect(created).toEqual(expected);
  const later = await create({ title: 'Later', dueDate: null, isRequired: true });
  expect((await listed()).map(({ id, assignments }) => [id, assignments])).toEqual([[itemId, [expected, later]]]);
  const stored = await server.db
    .selectFrom('contentAssignments')
    .selectAll()
    .where('id', '=', created.id)
    .executeTakeFirstOrThrow();
  expect(stored).toMatchObject(factsOf());
  const trail = await server.db.selectFrom('auditLog').select('action').where('subjectId', '=', created.id).execute();
  expect(trail).toEqual([{ action: 'assignment.create' }]);
});

test('two assignments that are added at once stand one after the other', async () => {
  let adding: Promise<unknown>[] = [];
  await server.db.transaction().execute(async (db) => {
    await db.selectFrom('contentItems').select('id').where('id', '=', itemId).forUpdate().execute();
    adding = [create({ title: 'One' }), create({ title: 'Another' })];
    await vi.waitUntil(async () => (await countWaiting(server.db)) === 2, { interval: 20 });
  });
  await Promise.all(adding);
  const stored = server.db.selectFrom('contentAssignments').select('orderIndex').where('contentItemId', '=', itemId);
  expect(await stored.orderBy('orderIndex').execute()).toEqual([{ orderIndex: 1 }, { orderIndex: 2 }]);
});

test('CONT-28 CONT-30 CONT-31 item, title and instructions are required, the type is one of six, the due date is optional', async () => {
  const attempts: [object, string][] = [
    [{ contentItemId: '' }, 'Please choose a content item'],
    [{ title: ' ' }, 'Title is required'],
    [{ instructions: ' ' }, 'Instructions are required'],
    [{ instructions: undefined }, 'Instructions are required'],
    [{ assignmentType: 'essay' }, ''],
    [{ dueDate: 'tomorrow' }, ''],
  ];
  for (const [wrong, words] of attempts) {
    const { status, problem } = await admin.refused(createContentAssignment, { body: factsOf(wrong) });
    expect({ wrong, status }).toEqual({ wrong, status: 422 });
    expect(JSON.stringify(problem)).toContain(words);
  }
  expect((await admin.refused(createContentAssignment, { body: factsOf({ contentItemId: newId() }) })).status).toBe(
    404,
  );
  for (const assignmentType of assignmentTypes) await create({ assignmentType, dueDate: null });
  const [item] = await listed();
  expect(item?.assignments.map(({ assignmentType }) => assignmentType)).toEqual([
    'written_response',
    'project_submission',
    'upload_certificate',
    'link_task',
    'read_material',
    'watch_video',
  ]);
});

test('CONT-29 an assignment is edited with its version, and moves only to an item of its own activity', async () => {
  const created = await create();
  const params = { id: created.id };
  const sibling = await buildContentItem(server.db, { trainingActivityId: activityId, orderIndex: 2 });
  const foreign = await buildContentItem(server.db, { trainingActivityId: (await buildActivity(server.db)).id });
  const body = factsOf({ contentItemId: sibling.id, title: 'Anew', isRequired: true });
  const edited = await admin.call(updateContentAssignment, { params, body: { ...body, version: 1 } });
  expect(edited).toMatchObject({ ...body, version: 2 });
  const late = await admin.refused(updateContentAssignment, { params, body: { ...body, version: 1 } });
  expect(late).toMatchObject({ status: 409, problem: { code: 'stale' } });
  const away = { ...body, contentItemId: foreign.id, version: 2 };
  expect((await admin.refused(updateContentAssignment, { params, body: away })).status).toBe(422);
  expect((await listed()).map(({ assignments }) => assignments.length)).toEqual([0, 1]);
});

test('assignments are put into another order, which participants see too', async () => {
  const [one, two, three] = [await create(), await create(), await create()];
  const ids = [three.id, one.id, two.id];
  const reply = await admin.call(orderContentAssignments, { params: { id: itemId }, body: { ids } });
  expect(reply.assignments.map(({ id }) => id)).toEqual(ids);
  const { client } = await buildMember();
  const { items } = await client.call(readActivityContent, { params: { id: activityId } });
  expect(items[0]?.assignments.map(({ id }) => id)).toEqual(ids);
  const added = await create();
  expect((await listed())[0]?.assignments.map(({ id }) => id)).toEqual([...ids, added.id]);
  const refused = await admin.refused(orderContentAssignments, { params: { id: itemId }, body: { ids } });
  expect(refused.problem.code).toBe('stale');
});

test('CONT-35 deleting an assignment that nobody worked on removes it, and its content item stays', async () => {
  const { id } = await create();
  const kept = await create();
  expect(await admin.call(deleteContentAssignment, { params: { id } })).toEqual({ isArchived: false });
  expect(await storedAssignments()).toEqual([{ id: kept.id, archivedAt: null }]);
  expect((await listed()).map((item) => item.id)).toEqual([itemId]);
  const again = await admin.refused(deleteContentAssignment, { params: { id } });
  expect(again).toMatchObject({ status: 404, problem: { detail: expect.stringContaining('no longer exists') } });
});

test('CONT-26 CONT-27 deleting a content item removes it and all its assignments', async () => {
  await create();
  await create();
  const other = await buildContentItem(server.db, { trainingActivityId: activityId });
  expect(await admin.call(deleteContent, { params: { id: itemId } })).toEqual({ isArchived: false });
  expect(await storedAssignments()).toEqual([]);
  expect(await server.db.selectFrom('contentItems').select('id').where('id', '=', itemId).execute()).toEqual([]);
  expect((await listed()).map(({ id }) => id)).toEqual([other.id]);
});

test('work that was handed in is never destroyed: its assignment is archived, for its owner and reviewers to see', async () => {
  const { id } = await create({ isRequired: true });
  const untouched = await create();
  const [owner, other] = [await buildMember(), await buildMember()];
  const coach = await buildCoach(server.db);
  const submission = await buildSubmission(server.db, {
    assignmentId: id,
    userId: owner.participant.id,
    status: 'needs_revision',
    reviewedBy: coach.id,
  });
  expect((await listed())[0]?.assignments).toMatchObject([
    { id, submissions: 1 },
    { id: untouched.id, submissions: 0 },
  ]);
  expect(await admin.call(deleteContent, { params: { id: itemId } })).toEqual({ isArchived: true });

  expect(await storedAssignments()).toEqual([{ id, archivedAt: expect.any(Date) }]);
  expect(await listed()).toEqual([]);
  const asked = { params: { id } };
  const { items } = await owner.client.call(readActivityContent, { params: { id: activityId } });
  expect(items).toEqual([]);
  expect((await other.client.refused(readAssignment, asked)).status).toBe(404);
  expect(await owner.client.call(readAssignment, asked)).toMatchObject({ can: { submit: false } });
  expect((await (await server.as(coach)).call(readAssignment, asked)).id).toBe(id);
  for (const client of [owner.client, admin, await server.as(coach)]) {
    const { rows } = await client.call(listSubmissions, { query: { assignment: id } });
    expect(rows.map((row) => row.id)).toEqual([submission.id]);
  }
  const body = { text: 'Once more', fileId: null, basedOnRound: 1 };
  const refused = await owner.client.refused(submitAssignment, { params: { id }, body });
  expect(refused.problem.detail).toBe('This assignment is closed.');
  for (const refusal of [
    await admin.refused(updateContentAssignment, { params: { id }, body: { ...factsOf(), version: 1 } }),
    await admin.refused(deleteContentAssignment, { params: { id } }),
    await admin.refused(deleteContent, { params: { id: itemId } }),
    await admin.refused(createContentAssignment, { body: factsOf() }),
  ]) {
    expect(refusal.status).toBe(404);
  }
});

test('what somebody has typed without handing it in keeps an assignment too', async () => {
  const { id } = await create();
  const { participant, client } = await buildMember();
  await server.db
    .insertInto('assignmentDrafts')
    .values({ assignmentId: id, userId: participant.id, draftText: 'Half a page' })
    .execute();
  expect((await listed())[0]?.assignments).toMatchObject([{ drafts: 1 }]);
  expect(await admin.call(deleteContentAssignment, { params: { id } })).toEqual({ isArchived: true });
  expect((await client.call(readAssignment, { params: { id } })).draft).toMatchObject({ text: 'Half a page' });
});

test('a stipend that is still to be decided counts archived assignments no more', async () => {
  const { id } = await create();
  const { participant } = await buildMember();
  await buildSubmission(server.db, { assignmentId: id, userId: participant.id });
  const unfinished = await create();
  const total = async () => {
    const { weekNumber } = await server.db
      .selectFrom('trainingActivities')
      .select('weekNumber')
      .where('id', '=', activityId)
      .executeTakeFirstOrThrow();
    const { rows } = await sql`
      with ${weekFacts(sql`
        select ${participant.id}::uuid as person_id, ${cohortId}::uuid as cohort_id, ${weekNumber}::integer as week_number`)}
      select assignments_total, assignments_submitted from counted`.execute(server.db);
    return rows;
  };
  expect(await total()).toEqual([{ assignmentsTotal: 2, assignmentsSubmitted: 1 }]);
  await admin.call(deleteContentAssignment, { params: { id } });
  await admin.call(deleteContentAssignment, { params: { id: unfinished.id } });
  expect(await total()).toEqual([{ assignmentsTotal: 0, assignmentsSubmitted: 0 }]);
});

test('progress follows when a required assignment comes or goes', async () => {
  const { participant } = await buildMember();
  const percentage = () =>
    server.db
      .selectFrom('participantProgress')
      .select('overallCompletionPercentage')
      .where('participantId', '=', participant.id)
      .executeTakeFirst()
      .then((row) => (row ? Number(row.overallCompletionPercentage) : null));
  await server.db.updateTable('trainingActivities').set({ isRequired: false }).execute();
  const accepted = await create({ isRequired: true });
  await buildSubmission(server.db, {
    assignmentId: accepted.id,
    userId: participant.id,
    status: 'accepted',
    reviewedBy: ada.id,
  });
  const becomes = (value: number) => vi.waitFor(async () => expect(await percentage()).toBe(value), { interval: 50 });
  const another = await create({ isRequired: true });
  await becomes(50);
  await admin.call(deleteContentAssignment, { params: { id: another.id } });
  await becomes(100);
});

test('of a submission and a deletion at once nothing is lost: the work is kept, or the assignment was gone before', async () => {
  const { client } = await buildMember();
  for (let round = 0; round < 5; round += 1) {
    const { id } = await create();
    const [handedIn, deleted] = await Promise.all([
      client.fetch(submitAssignment.path.replace(':id', id), {
        method: submitAssignment.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'Mine', fileId: null, basedOnRound: null }),
      }),
      admin.fetch(deleteContentAssignment.path.replace(':id', id), { method: 'DELETE' }),
    ]);
    expect(deleted.status).toBe(200);
    const work = await server.db.selectFrom('contentSubmissions').select('id').where('assignmentId', '=', id).execute();
    expect(work).toHaveLength(handedIn.ok ? 1 : 0);
    if (!handedIn.ok) expect([404, 409]).toContain(handedIn.status);
  }
});

test('a file goes when no content item has it any more, and stays while a copy of its item does', async () => {
  const longAgo = new Date('2026-01-01T00:00:00Z');
  const build = () => buildStoredFile(server.db, { ownerId: ada.id, area: 'content', completedAt: longAgo });
  const [used, copied, unused] = [await build(), await build(), await build()];
  const fresh = await buildStoredFile(server.db, { ownerId: ada.id, area: 'content' });
  await buildContentItem(server.db, { trainingActivityId: activityId, filePath: used.path });
  const copies = [];
  for (let n = 0; n < 2; n += 1) {
    copies.push(await buildContentItem(server.db, { trainingActivityId: activityId, filePath: copied.path }));
  }
  const remaining = async () => {
    await server.db.transaction().execute((db) => removeUnusedUploads(db, 100));
    const ids = [used, copied, unused, fresh].map(({ id }) => id);
    const rows = await server.db.selectFrom('storedFiles').select('id').where('id', 'in', ids).execute();
    return rows.map(({ id }) => id).toSorted();
  };
  await admin.call(deleteContent, { params: { id: copies[0]?.id ?? '' } });
  expect(await remaining()).toEqual([used.id, copied.id, fresh.id].toSorted());
  await admin.call(deleteContent, { params: { id: copies[1]?.id ?? '' } });
  expect(await remaining()).toEqual([used.id, fresh.id].toSorted());
});

test('SEC1-18 coaches and participants change no assignments', async () => {
  const { id } = await create();
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    const refusals = [
      await client.refused(createContentAssignment, { body: factsOf() }),
      await client.refused(updateContentAssignment, { params: { id }, body: { ...factsOf(), version: 1 } }),
      await client.refused(deleteContentAssignment, { params: { id } }),
      await client.refused(orderContentAssignments, { params: { id: itemId }, body: { ids: [id] } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  }
  expect(await storedAssignments()).toEqual([{ id, archivedAt: null }]);
});
