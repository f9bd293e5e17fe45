import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readAttendance } from '#contract/activities.ts';
import { exportAuditLog, listAuditLog, listAuditPeople } from '#contract/audit.ts';
import { listCoaches, listParticipantsWithoutCoach } from '#contract/coach-assignment.ts';
import { listCohortProgress } from '#contract/cohort-progress.ts';
import { listCohortMembers, listCohorts } from '#contract/cohorts.ts';
import { listGivenUpDeliveries } from '#contract/deliveries.ts';
import { find as findEverywhere } from '#contract/finding.ts';
import { listImportRows } from '#contract/import-results.ts';
import { readTrainingCalendar } from '#contract/learning.ts';
import { listContacts } from '#contract/messages.ts';
import { listProgrammeActivities } from '#contract/programme-items.ts';
import { listCourses, listModules, listTracks } from '#contract/programme-setup.ts';
import { listProgrammes } from '#contract/programmes.ts';
import { listLibraryResources, listResources } from '#contract/resources.ts';
import { listSavedComments } from '#contract/saved-comments.ts';
import { listStipends } from '#contract/stipends.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { listTrainingActivities } from '#contract/training-activities.ts';
import { listUserFiles } from '#contract/user-files.ts';
import { exportUsers, listUserIds, listUsers } from '#contract/user-management.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildModule, buildTrack } from '#test/factories/curriculum.ts';
import { buildGivenUpDelivery } from '#test/factories/deliveries.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { buildResource } from '#test/factories/resources.ts';
import { buildSavedComment } from '#test/factories/saved-comments.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { buildUserFile } from '#test/factories/user-files.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { readContract } from '#test/support/contract.ts';

let server: TestApp;
let admin: Client;
let participant: Client;
let cohortId: string;
let activityId: string;
let importId: string;

beforeAll(async () => {
  server = await startTestApp();
  const actor = await buildAdmin(server.db);
  admin = await server.as(actor);
  cohortId = (await buildCohort(server.db)).id;
  activityId = (await buildActivity(server.db, { cohortId })).id;
  const { id: assignmentId } = await buildAssignment(server.db);
  const { id: courseId } = await buildCourse(server.db);
  importId = newId();
  await server.db
    .insertInto('bulkImports')
    .values({ id: importId, filename: 'people.csv', totalRecords: 8, createdBy: actor.id })
    .execute();
  const learner = await buildParticipant(server.db, { trackType: 'fellowship' });
  participant = await server.as(learner);
  for (const title of titles) {
    await buildTitled(title, actor.id);
    await buildSavedComment(server.db, { title, ownerId: actor.id });
    await buildUserFile(server.db, { userId: learner.id, displayName: `${title}.txt` });
  }
  for (const [index, [firstName, lastName]] of names.entries()) {
    const named = { firstName, lastName, email: `person-${index}@grid.example` };
    const { id } = await buildParticipant(server.db, named);
    await enrol(server.db, { cohortId, participantId: id });
    await server.db.insertInto('userCourses').values({ userId: id, courseId }).execute();
    await buildCoach(server.db, { ...named, email: `coach-${index}@grid.example` });
    await buildSubmission(server.db, { assignmentId, userId: id });
    await buildStipend(server.db, { fellowId: id, cohortId });
    await buildGivenUpDelivery(server.db, { recipientId: id, address: named.email });
    await server.db
      .insertInto('auditLog')
      .values({ actorId: id, action: 'user.details', subjectType: 'user', subjectId: id })
      .execute();
    await server.db
      .insertInto('bulkImportRows')
      .values([
        { importId, rowNumber: 2 * index + 1, record: '{}', status: 'succeeded', userId: id },
        { importId, rowNumber: 2 * index + 2, record: JSON.stringify(named), status: 'waiting' },
      ])
      .execute();
  }
});
afterAll(() => server.close());

async function buildTitled(title: string, actorId: string): Promise<void> {
  const { db } = server;
  await buildCohort(db, { name: title });
  await buildCourse(db, { title });
  await buildModule(db, { title });
  await buildTrack(db, { name: title });
  await buildProgramme(db, { name: title });
  await buildResource(db, { title, program: 'fellowship' });
  const { id: trainingActivityId } = await buildActivity(db, { title, weekNumber: 2 });
  const { id: assignmentId } = await buildAssignment(db, { trainingActivityId, title });
  const learner = await buildParticipant(db, { firstName: 'Robin', lastName: 'Reyes' });
  await buildSubmission(db, { assignmentId, userId: learner.id });
  await db
    .insertInto('auditLog')
    .values({
      actorId,
      action: 'resource.create',
      subjectType: 'resource',
      subjectId: newId(),
      after: JSON.stringify({ title }),
    })
    .execute();
}

const names = [
  ['Ana', 'García'],
  ['Łukasz', 'Đorđević'],
  ['Thị Hoa', 'Nguyễn'],
  ['Søren', 'Weiß'],
] as const;

const titles = ['Ñandú Überspannung', 'Łódź Relæ'];

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;

const lists: [name: string, find: (search: string) => Promise<string[]>][] = [
  [
    'listUserIds',
    async (search) => {
      const { ids } = await admin.call(listUserIds, { query: { search } });
      const found = await server.db
        .selectFrom('profiles')
        .select(['firstName', 'lastName'])
        .where('id', 'in', [...ids, newId()]);
      return (await found.orderBy('fullName').execute()).map(nameOf);
    },
  ],
  ['listUsers', async (search) => (await admin.call(listUsers, { query: { search } })).rows.map(nameOf)],
  [
    'listContacts',
    async (search) => (await admin.call(listContacts, { query: { search } })).rows.map(({ name }) => name),
  ],
  ['listCoaches', async (search) => (await admin.call(listCoaches, { query: { search } })).rows.map(nameOf)],
  [
    'listParticipantsWithoutCoach',
    async (search) => (await admin.call(listParticipantsWithoutCoach, { query: { search } })).rows.map(nameOf),
  ],
  [
    'listCohortMembers',
    async (search) =>
      (await admin.call(listCohortMembers, { params: { id: cohortId }, query: { search } })).rows.map(nameOf),
  ],
  [
    'listCohortProgress',
    async (search) =>
      (await admin.call(listCohortProgress, { params: { id: cohortId }, query: { search } })).rows.map(nameOf),
  ],
  [
    'readAttendance',
    async (search) =>
      (await admin.call(readAttendance, { params: { id: activityId }, query: { search } })).rows.map(
        ({ name }) => name,
      ),
  ],
  [
    'listSubmissions',
    async (search) =>
      (await admin.call(listSubmissions, { query: { search } })).rows.map(({ participantName }) => participantName),
  ],
  [
    'listStipends',
    async (search) =>
      (await admin.call(listStipends, { query: { week: 1, search } })).rows.map(
        ({ participantName }) => participantName,
      ),
  ],
  [
    'listGivenUpDeliveries',
    async (search) =>
      (await admin.call(listGivenUpDeliveries, { query: { search } })).rows.map(
        ({ recipientName }) => recipientName ?? '',
      ),
  ],
  [
    'listImportRows',
    async (search) =>
      (await admin.call(listImportRows, { params: { id: importId }, query: { search } })).rows.map(nameOf),
  ],
  [
    'listAuditLog',
    async (search) =>
      (await admin.call(listAuditLog, { query: { search } })).rows.map(({ actor }) => actor?.name ?? ''),
  ],
  [
    'listAuditPeople',
    async (search) => (await admin.call(listAuditPeople, { query: { search } })).people.map(({ name }) => name),
  ],
  ['exportUsers', async (search) => namesIn(await textOf(`${exportUsers.path}?search=${encodeURIComponent(search)}`))],
  [
    'exportAuditLog',
    async (search) => namesIn(await textOf(`${exportAuditLog.path}?search=${encodeURIComponent(search)}`)),
  ],
  [
    'find',
    async (words) =>
      words.length < 2 ? [] : (await admin.call(findEverywhere, { query: { words } })).people.map(({ title }) => title),
  ],
];

async function textOf(address: string): Promise<string> {
  const answer = await admin.fetch(address);
  expect(answer.status).toBe(200);
  return answer.text();
}

/** An export may have first and last names apart. */
function namesIn(text: string): string[] {
  return names.filter((name) => name.every((part) => text.includes(part))).map((name) => name.join(' '));
}

type Titled = { title: string };
const titlesOf = (rows: Titled[]) => rows.map(({ title }) => title);
const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name);
const titledLists: [name: string, find: (search: string) => Promise<string[]>][] = [
  ['listSavedComments', async (search) => titlesOf((await admin.call(listSavedComments, { query: { search } })).rows)],
  ['listCohorts', async (search) => namesOf((await admin.call(listCohorts, { query: { search } })).rows)],
  ['listProgrammes', async (search) => namesOf((await admin.call(listProgrammes, { query: { search } })).rows)],
  ['listCourses', async (search) => titlesOf((await admin.call(listCourses, { query: { search } })).rows)],
  ['listModules', async (search) => titlesOf((await admin.call(listModules, { query: { search } })).rows)],
  ['listTracks', async (search) => namesOf((await admin.call(listTracks, { query: { search } })).rows)],
  ['listResources', async (search) => titlesOf((await admin.call(listResources, { query: { search } })).rows)],
  [
    'listLibraryResources',
    async (search) => titlesOf((await participant.call(listLibraryResources, { query: { search } })).rows),
  ],
  [
    'listTrainingActivities',
    async (search) => titlesOf((await admin.call(listTrainingActivities, { query: { search } })).rows),
  ],
  [
    'listProgrammeActivities',
    async (search) => titlesOf((await admin.call(listProgrammeActivities, { query: { search } })).rows),
  ],
  [
    'readTrainingCalendar',
    async (search) => titlesOf((await participant.call(readTrainingCalendar, { query: { search } })).activities),
  ],
  [
    'listSubmissions',
    async (search) =>
      (await admin.call(listSubmissions, { query: { search } })).rows.map(({ assignmentTitle }) => assignmentTitle),
  ],
  [
    'listUserFiles',
    async (search) =>
      namesOf((await participant.call(listUserFiles, { query: { search } })).rows).map((name) =>
        name.replace('.txt', ''),
      ),
  ],
  [
    'listAuditLog',
    async (search) =>
      (await admin.call(listAuditLog, { query: { search } })).rows.map(({ after }) => String(after?.title)),
  ],
];

test('every endpoint with a search is asked here', async () => {
  const searches = (await readContract()).filter(({ query }) => {
    const fields = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
    return fields.includes('search') || fields.includes('words');
  });
  const asked = new Set([...lists, ...titledLists].map(([name]) => name));
  expect(searches.length).toBeGreaterThan(20);
  expect(searches.map(({ name }) => name).filter((name) => !asked.has(name))).toEqual([]);
});

describe.each(titledLists)('%s finds a title', (_, find) => {
  test.each([
    ['nandu', titles[0]],
    ['UBERSPANNUNG nan', titles[0]],
    ['u\u0308berspannung', titles[0]],
    ['lodz', titles[1]],
    ['relae  Łódź', titles[1]],
  ])('by "%s"', async (search, title) => {
    expect(await find(search)).toEqual([title]);
  });

  test.each(['nandu relae', 'n_ndu', '%%', 'lodz \\'])('but not by "%s"', async (search) => {
    expect(await find(search)).toEqual([]);
  });
});

describe.each(lists)('%s finds a person', (_, find) => {
  test.each([
    ['ana garcia', 'Ana García'],
    ['GARCÍA  ana', 'Ana García'],
    // A phone or a Mac may send the accent as a character of its own.
    ['garci\u0301a', 'Ana García'],
    ['lukasz', 'Łukasz Đorđević'],
    ['dordevic luk', 'Łukasz Đorđević'],
    ['nguyen hoa', 'Thị Hoa Nguyễn'],
    ['thị', 'Thị Hoa Nguyễn'],
    ['weiss soren', 'Søren Weiß'],
    ['WEIß', 'Søren Weiß'],
    ['garcia grid.example', 'Ana García'],
  ])('by "%s"', async (search, name) => {
    expect([...new Set(await find(search))]).toEqual([name]);
  });

  test.each(['ana nguyen', 'lu_asz', '%', 'garcia \\'])('but not by "%s"', async (search) => {
    expect(await find(search)).toEqual([]);
  });
});

test('a person who has another name is found by that one only', async () => {
  const { id } = await buildParticipant(server.db, { firstName: 'Zoé', lastName: 'Brontë', email: 'zb@wire.example' });
  const found = async (search: string) =>
    (await admin.call(listUsers, { query: { search } })).rows.map((row) => row.id);
  expect(await found('bronte zoe')).toEqual([id]);
  await server.db.updateTable('profiles').set({ lastName: 'Åkesson' }).where('id', '=', id).execute();
  expect(await found('bronte')).toEqual([]);
  expect(await found('akesson')).toEqual([id]);
});
