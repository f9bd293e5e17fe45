import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAttendance } from '#contract/activities.ts';
import { listAuditLog, listAuditPeople } from '#contract/audit.ts';
import { listCoaches, listParticipantsWithoutCoach } from '#contract/coach-assignment.ts';
import { listCohortProgress } from '#contract/cohort-progress.ts';
import { listCohortMembers } from '#contract/cohorts.ts';
import { listGivenUpDeliveries } from '#contract/deliveries.ts';
import { listImportRows } from '#contract/import-results.ts';
import { listContacts } from '#contract/messages.ts';
import { listStipends } from '#contract/stipends.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { listUsers } from '#contract/user-management.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildGivenUpDelivery } from '#test/factories/deliveries.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
let admin: Client;
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

const names = [
  ['Ana', 'García'],
  ['Łukasz', 'Đorđević'],
  ['Thị Hoa', 'Nguyễn'],
  ['Søren', 'Weiß'],
] as const;

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;

const lists: [name: string, find: (search: string) => Promise<string[]>][] = [
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
];

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
