import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { markStipendPaid } from '#contract/stipend-payments.ts';
import { newId } from '#server/platform/ids.ts';
import { accessList } from '#server/platform/serve.ts';
import { buildCoachingSession } from './factories/coaching.ts';
import { assignCoach, buildCohort, buildCourse, enrol } from './factories/cohorts.ts';
import {
  buildActivity,
  buildAssignment,
  buildContentItem,
  buildModule,
  buildTrack,
  buildWeeklyRequirement,
} from './factories/curriculum.ts';
import { buildMessage } from './factories/messages.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from './factories/people.ts';
import { buildResource } from './factories/resources.ts';
import { buildStipend } from './factories/stipends.ts';
import { buildSubmission } from './factories/submissions.ts';
import { startTestApp, type TestApp } from './support/app.ts';
import { readContract } from './support/contract.ts';
import { type Sample, sampleOf } from './support/sample-body.ts';

const writes = (await readContract()).filter(
  (endpoint) => endpoint.method !== 'GET' && !['public', 'signed', 'pending'].includes(endpoint.access),
);
/** What coaches and admins do and participants can not, and what both do for somebody else. */
const shared = [
  'correctAttendance',
  'rateWeek',
  'setModuleCompletion',
  'withdrawMember',
  'takeMemberBack',
  'lockTrack',
];
const ofStaff = writes.filter(
  (endpoint) => shared.includes(endpoint.name) || !accessList(endpoint).includes('participant'),
);

/** Writes that leave no entry, and why. */
const withoutEntry: Record<string, string> = {
  addLeave: 'the own times of a coach',
  removeLeave: 'the own times of a coach',
  saveAvailability: 'the own times of a coach',
  saveBookingSetup: 'the own link of a coach',
  claimReview: 'ends by itself after ten minutes',
  releaseReview: 'ends a claim',
  saveReviewDraft: 'nobody but the reviewer sees it',
  checkImport: 'writes nothing',
  previewActivityAssignment: 'writes nothing',
  processStipends: 'derives what follows from facts',
  syncAuthProfiles: 'writes only where a profile is missing; account-functions.test.ts shows its entry',
};

let server: TestApp;
let admin: BuiltPerson;
beforeAll(async () => {
  server = await startTestApp();
  admin = await buildAdmin(server.db);
});
afterAll(() => server.close());

interface Call {
  as?: BuiltPerson;
  params?: Record<string, string | number>;
  body?: Record<string, Sample>;
}

/** Acts that need a longer story, and the test that tells it and reads the entry. */
const shownIn: Record<string, string> = {
  approveStipend: 'server/features/stipends/stipend-decisions.test.ts',
  denyStipend: 'server/features/stipends/stipend-decisions.test.ts',
  approveWeek: 'server/features/stipends/stipend-decisions.test.ts',
  changeStipendAmount: 'server/features/stipends/stipend-decisions.test.ts',
  approveStipendAmount: 'server/features/stipends/second-approvers.test.ts',
  handOverWeek: 'server/features/stipends/handovers.test.ts',
  resendImportInvitations: 'server/features/imports/import-results.test.ts',
  undoImport: 'server/features/imports/import-undo.test.ts',
  approveRoleRequest: 'server/features/users/role-requests.test.ts',
  declineRoleRequest: 'server/features/users/role-requests.test.ts',
  retryDelivery: 'server/features/notices/deliveries.test.ts',
  retryDeliveries: 'server/features/notices/deliveries.test.ts',
  copyProgramme: 'server/features/curriculum/programme-copies.test.ts',
  undoProgrammeCopy: 'server/features/curriculum/programme-copies.test.ts',
  rateWeek: 'server/features/coaching/ratings.test.ts',
  lockTrack: 'server/features/learning/tracks.test.ts',
  removeSecondFactor: 'server/features/accounts/sign-in-policy.test.ts',
  changeSignInPolicy: 'server/features/accounts/sign-in-policy.test.ts',
  resendInvitation: 'server/features/users/user-list.test.ts',
  answerAttendanceCorrection: 'server/features/learning/attendance-corrections.test.ts',
  answerStipendQuestion: 'server/features/stipends/stipend-explanations.test.ts',
  recallHandover: 'server/features/stipends/payments.test.ts',
  createAdminUser: 'server/features/accounts/account-functions.test.ts',
  processBulkInvitations: 'server/features/accounts/account-functions.test.ts',
};

function approvedStipend() {
  return buildStipend(server.db, { paymentStatus: 'approved', approvedBy: admin.id, approvedAt: new Date() });
}

const calls: Record<string, () => Promise<Call>> = {
  createCohort: async () => ({ body: { startDate: '2026-03-02', endDate: '2026-06-19' } }),
  updateCohort: async () => {
    const { id, version, endDate, programType } = await buildCohort(server.db);
    return { params: { id }, body: { version, endDate, programType, status: 'planning' } };
  },
  moveCohort: async () => {
    const { id, version } = await buildCohort(server.db, { status: 'planning' });
    return { params: { id }, body: { version, startDate: '2027-03-01', movesDates: true } };
  },
  withdrawMember: async () => ({ params: await member() }),
  takeMemberBack: async () => {
    const params = await member();
    const left = server.db.updateTable('cohortParticipants').set({ status: 'withdrawn', endedAt: new Date() });
    await left.where('participantId', '=', params.participantId).execute();
    return { params };
  },
  enrolInCohort: async () => {
    await buildCourse(server.db);
    const [person, cohort] = [await buildParticipant(server.db), await buildCohort(server.db)];
    return { body: { userId: person.id, cohortId: cohort.id, coachId: null } };
  },
  enrolInFellowship: async () => {
    await buildCourse(server.db);
    await buildCohort(server.db);
    return { body: { userId: (await buildParticipant(server.db)).id } };
  },
  assignCoach: async () => {
    const course = await buildCourse(server.db);
    const person = await buildParticipant(server.db);
    await server.db.insertInto('userCourses').values({ userId: person.id, courseId: course.id }).execute();
    return { body: { participantIds: [person.id], coachId: (await buildCoach(server.db)).id } };
  },
  updateUser: async () => {
    const { id, version } = await buildParticipant(server.db);
    return { params: { id }, body: { version, firstName: 'Other', role: 'participant', trackType: null } };
  },
  deleteUser: async () => ({ params: { id: (await buildParticipant(server.db)).id } }),
  endSessionsOfPerson: async () => ({ params: { id: (await buildParticipant(server.db)).id } }),
  createCourse: async () => ({}),
  updateCourse: async () => versioned(await buildCourse(server.db)),
  deleteCourse: async () => versioned(await buildCourse(server.db)),
  createModule: async () => ({ body: { moduleType: 'core', trackId: null } }),
  updateModule: async () => {
    const call = versioned(await buildModule(server.db));
    return { ...call, body: { ...call.body, moduleType: 'core', trackId: null } };
  },
  deleteModule: async () => versioned(await buildModule(server.db)),
  moveModule: async () => {
    const curriculumVersion = 'two to move';
    await buildModule(server.db, { curriculumVersion, orderIndex: 1 });
    const { id } = await buildModule(server.db, { curriculumVersion, orderIndex: 2 });
    return { params: { id }, body: { direction: 'up' } };
  },
  createTrack: async () => ({}),
  updateTrack: async () => versioned(await buildTrack(server.db)),
  deleteTrack: async () => versioned(await buildTrack(server.db)),
  createRequirement: async () => ({ body: { cohortId: (await buildCohort(server.db)).id, dueDate: '2025-09-12' } }),
  updateRequirement: async () => {
    const call = versioned(await requirement());
    return { ...call, body: { ...call.body, dueDate: '2025-09-12' } };
  },
  deleteRequirement: async () => versioned(await requirement()),
  moveRequirement: async () => {
    const cohortId = (await buildCohort(server.db)).id;
    await buildWeeklyRequirement(server.db, { cohortId, weekNumber: 1, dueDate: '2025-09-12', orderIndex: 1 });
    const second = { cohortId, weekNumber: 1, dueDate: '2025-09-12', orderIndex: 2 };
    const { id } = await buildWeeklyRequirement(server.db, second);
    return { params: { id }, body: { direction: 'up' } };
  },
  createActivity: async () => ({ body: { cohortId: null, sessionTime: '14:30', moduleName: null } }),
  updateActivity: async () => {
    const call = versioned(await buildActivity(server.db));
    return { ...call, body: { ...call.body, cohortId: null, sessionTime: '14:30' } };
  },
  deleteActivity: async () => versioned(await buildActivity(server.db)),
  updateTrainingActivity: async () => {
    const call = versioned(await buildActivity(server.db));
    return { ...call, body: { ...call.body, cohortId: null, moduleName: null } };
  },
  assignActivity: async () => ({
    params: { id: (await buildActivity(server.db)).id },
    body: { cohortId: (await buildCohort(server.db)).id, coachId: null },
  }),
  assignActivities: async () => ({
    body: {
      selection: { ids: [(await buildActivity(server.db)).id] },
      cohortId: (await buildCohort(server.db)).id,
      expected: 1,
    },
  }),
  createContent: async () => ({ params: { id: (await buildActivity(server.db)).id }, body: { fileId: null } }),
  updateContent: async () => {
    const call = versioned(await item());
    return { ...call, body: { ...call.body, fileId: null } };
  },
  deleteContent: async () => versioned(await item()),
  orderContents: async () => {
    const { id } = await buildActivity(server.db);
    const [one, two] = [await item(id), await item(id)];
    return { params: { id }, body: { ids: [two.id, one.id] } };
  },
  createContentAssignment: async () => ({ body: { contentItemId: (await item()).id } }),
  updateContentAssignment: async () => {
    const call = versioned(await buildAssignment(server.db));
    return { ...call, body: { ...call.body, contentItemId: call.row.contentItemId } };
  },
  deleteContentAssignment: async () => versioned(await buildAssignment(server.db)),
  orderContentAssignments: async () => {
    const { id } = await item();
    const [one, two] = [
      await buildAssignment(server.db, { contentItemId: id }),
      await buildAssignment(server.db, { contentItemId: id }),
    ];
    return { params: { id }, body: { ids: [two.id, one.id] } };
  },
  createResource: async () => ({}),
  updateResource: async () => versioned(await buildResource(server.db)),
  deleteResource: async () => versioned(await buildResource(server.db)),
  setSecondApprover: async () => {
    await buildAdmin(server.db);
    return { params: { id: (await buildCohort(server.db)).id }, body: { isNeeded: true } };
  },
  markStipendPaid: async () => {
    const { id, version } = await approvedStipend();
    return { params: { id }, body: { version, reference: 'Cheque 17' } };
  },
  takePaymentBack: async () => {
    const { id, version } = await approvedStipend();
    const body = { version, reference: 'Cheque 18' };
    const paid = await (await server.as(admin)).call(markStipendPaid, { params: { id }, body });
    return { params: { id }, body: { version: paid.version, reason: 'Paid to somebody else' } };
  },
  openConversation: async () => {
    const { coach, participant } = await pair();
    await buildMessage(server.db, coach, participant);
    return { body: { coachId: coach.id, participantId: participant.id, reason: 'A complaint' } };
  },
  updateSession: async () => sessionCall({ notes: 'Went well', status: 'completed' }),
  cancelSession: async () => sessionCall({ reason: 'Ill' }),
  reviewSubmission: async () => {
    const { coach, participant } = await pair();
    const assignment = await buildAssignment(server.db);
    const { id } = await buildSubmission(server.db, { assignmentId: assignment.id, userId: participant.id });
    const body = { status: 'accepted', feedback: 'Clear.', roundNumber: 1, pointsEarned: null };
    return { as: coach, params: { id }, body };
  },
  correctAttendance: async () => {
    const { id: cohortId, participantId } = await member();
    const { id } = await buildActivity(server.db, { cohortId, sessionDate: '2025-09-09' });
    return { params: { id, participantId }, body: { attended: true, reason: 'Seen there' } };
  },
  setModuleCompletion: async () => {
    const cohort = await buildCohort(server.db, { curriculumVersion: 'by hand' });
    const participant = await buildParticipant(server.db);
    await enrol(server.db, { cohortId: cohort.id, participantId: participant.id });
    const module = await buildModule(server.db, { curriculumVersion: 'by hand' });
    return {
      params: { id: cohort.id, participantId: participant.id, moduleId: module.id },
      body: { isCompleted: true, note: 'Certified before' },
    };
  },
};

test('every write of coaches and admins says how its entry is shown, or why there is none', () => {
  expect(ofStaff.length).toBeGreaterThan(60);
  const told = [calls, shownIn, withoutEntry].flatMap((part) => Object.keys(part));
  expect(ofStaff.map(({ name }) => name).filter((name) => !told.includes(name))).toEqual([]);
  expect(told.filter((name) => !ofStaff.some((endpoint) => endpoint.name === name))).toEqual([]);
});

test.each(Object.entries(shownIn))('the entry of %s is read by the test that tells of it: %s', (name, file) => {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/auditLog|audit_log/);
  expect(text).toContain(name);
});

test.each(ofStaff.filter(({ name }) => name in calls).map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s leaves an entry in the audit log, of the person who did it',
  async (name, endpoint) => {
    const call = await calls[name]?.();
    const person = call?.as ?? admin;
    const before = await entriesOf(person);
    const answer = await (await server.as(person)).fetch(addressOf(endpoint, call?.params ?? {}), {
      method: endpoint.method,
      ...(endpoint.body ? { headers: { 'content-type': 'application/json' }, body: bodyOf(endpoint, call) } : {}),
    });
    expect(answer.status, await answer.text()).toBe(200);
    expect(await entriesOf(person)).toBeGreaterThan(before);
  },
);

function addressOf({ path }: Endpoint, params: Record<string, string | number>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => String(params[name]));
}

function bodyOf({ body }: Endpoint, call: Call | undefined): string {
  const own = `A name of its own ${newId()}`;
  const sample = { ...(body ? (sampleOf(body) as Record<string, Sample>) : {}), ...call?.body };
  // Some names may stand only once.
  const named = Object.keys(sample).filter((name) => name === 'name' || name === 'title');
  return JSON.stringify({ ...sample, ...Object.fromEntries(named.map((name) => [name, own])) });
}

async function entriesOf({ id }: BuiltPerson): Promise<number> {
  const { count } = await server.db
    .selectFrom('auditLog')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('actorId', '=', id)
    .executeTakeFirstOrThrow();
  return count;
}

/** What stands in a calendar counts its versions in `calendarSequence`. */
function versioned<Row extends { id: string; version?: number; calendarSequence?: number }>(row: Row) {
  return { row, params: { id: row.id }, body: { version: row.version ?? row.calendarSequence ?? 1 } };
}

async function item(trainingActivityId?: string) {
  return buildContentItem(server.db, {
    trainingActivityId: trainingActivityId ?? (await buildActivity(server.db)).id,
  });
}

async function requirement() {
  const cohortId = (await buildCohort(server.db)).id;
  return buildWeeklyRequirement(server.db, { cohortId, weekNumber: 1, dueDate: '2025-09-12' });
}

async function member() {
  const [cohort, participant] = [await buildCohort(server.db), await buildParticipant(server.db)];
  await enrol(server.db, { cohortId: cohort.id, participantId: participant.id });
  return { id: cohort.id, participantId: participant.id };
}

async function pair() {
  const [coach, participant] = [await buildCoach(server.db), await buildParticipant(server.db)];
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  return { coach, participant };
}

async function sessionCall(body: Record<string, Sample>): Promise<Call> {
  const { coach, participant } = await pair();
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const session = { coachId: coach.id, participantId: participant.id, scheduledAt };
  const { id } = await buildCoachingSession(server.db, session);
  return { as: coach, params: { id }, body };
}
