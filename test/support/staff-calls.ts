import { markStipendPaid } from '#contract/payments.ts';
import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';
import { buildCoachingSession } from '../factories/coaching.ts';
import { assignCoach, buildCohort, buildCourse, enrol } from '../factories/cohorts.ts';
import {
  buildActivity,
  buildAssignment,
  buildContentItem,
  buildModule,
  buildTrack,
  buildWeeklyRequirement,
} from '../factories/curriculum.ts';
import { buildMessage } from '../factories/messages.ts';
import { buildAdmin, buildCoach, buildParticipant } from '../factories/people.ts';
import { buildProgramme } from '../factories/programmes.ts';
import { buildResource } from '../factories/resources.ts';
import { buildSavedComment } from '../factories/saved-comments.ts';
import { buildSubmission } from '../factories/submissions.ts';
import { callsOnPeople } from './calls-on-people.ts';
import type { MakeCall, StaffCall } from './made-call.ts';
import { approvedStipend, moneyCalls } from './money-calls.ts';
import { callsOnProgrammes } from './programme-calls.ts';
import type { Sample } from './sample-body.ts';

/** Writes of coaches and admins, by name. Each makes what the call needs and returns the call. */
export const staffCalls: Record<string, MakeCall> = {
  ...callsOnPeople,
  ...moneyCalls,
  ...callsOnProgrammes,
  createCohort: async ({ db }) => ({
    body: { programmeId: (await buildProgramme(db)).id, startDate: '2026-03-02', endDate: '2026-06-19' },
  }),
  updateCohort: async ({ db }) => {
    const { id, version, endDate, programType } = await buildCohort(db);
    return { params: { id }, body: { version, endDate, programType, status: 'planning' } };
  },
  moveCohort: async ({ db }) => {
    const { id, version } = await buildCohort(db, { status: 'planning' });
    return { params: { id }, body: { version, startDate: '2027-03-01', movesDates: true } };
  },
  withdrawMember: async ({ db }) => ({ params: await member(db) }),
  takeMemberBack: async ({ db }) => {
    const params = await member(db);
    const left = db.updateTable('cohortParticipants').set({ status: 'withdrawn', endedAt: new Date() });
    await left.where('participantId', '=', params.participantId).execute();
    return { params };
  },
  enrolInCohort: async ({ db }) => {
    await buildCourse(db);
    const [person, cohort] = [await buildParticipant(db), await buildCohort(db)];
    return { body: { userId: person.id, cohortId: cohort.id, coachId: null } };
  },
  enrolInFellowship: async ({ db }) => {
    await buildCourse(db);
    await buildCohort(db);
    return { body: { userId: (await buildParticipant(db)).id } };
  },
  assignCoach: async ({ db }) => {
    const course = await buildCourse(db);
    const person = await buildParticipant(db);
    await db.insertInto('userCourses').values({ userId: person.id, courseId: course.id }).execute();
    return { body: { participantIds: [person.id], coachId: (await buildCoach(db)).id } };
  },
  enrolPeople: async ({ db }) => {
    await buildCourse(db);
    const [person, cohort] = [await buildParticipant(db), await buildCohort(db)];
    return { body: { userIds: [person.id], cohortId: cohort.id } };
  },
  updateUser: async ({ db }) => {
    const { id, version } = await buildParticipant(db);
    return { params: { id }, body: { version, firstName: 'Other', role: 'participant', trackType: null } };
  },
  deleteUser: async ({ db }) => ({ params: { id: (await buildParticipant(db)).id } }),
  endSessionsOfPerson: async ({ db }) => ({ params: { id: (await buildParticipant(db)).id } }),
  createCourse: async () => ({}),
  updateCourse: async ({ db }) => versioned(await buildCourse(db)),
  deleteCourse: async ({ db }) => versioned(await buildCourse(db)),
  createModule: async () => ({ body: { moduleType: 'core', trackId: null } }),
  updateModule: async ({ db }) => {
    const call = versioned(await buildModule(db));
    return { ...call, body: { ...call.body, moduleType: 'core', trackId: null } };
  },
  deleteModule: async ({ db }) => versioned(await buildModule(db)),
  moveModule: async ({ db }) => {
    const curriculumVersion = 'two to move';
    await buildModule(db, { curriculumVersion, orderIndex: 1 });
    const { id } = await buildModule(db, { curriculumVersion, orderIndex: 2 });
    return { params: { id }, body: { direction: 'up' } };
  },
  createTrack: async () => ({}),
  updateTrack: async ({ db }) => versioned(await buildTrack(db)),
  deleteTrack: async ({ db }) => versioned(await buildTrack(db)),
  createRequirement: async ({ db }) => ({ body: { cohortId: (await buildCohort(db)).id, dueDate: '2025-09-12' } }),
  updateRequirement: async ({ db }) => {
    const call = versioned(await requirement(db));
    return { ...call, body: { ...call.body, dueDate: '2025-09-12' } };
  },
  deleteRequirement: async ({ db }) => versioned(await requirement(db)),
  moveRequirement: async ({ db }) => {
    const cohortId = (await buildCohort(db)).id;
    await buildWeeklyRequirement(db, { cohortId, weekNumber: 1, dueDate: '2025-09-12', orderIndex: 1 });
    const second = { cohortId, weekNumber: 1, dueDate: '2025-09-12', orderIndex: 2 };
    const { id } = await buildWeeklyRequirement(db, second);
    return { params: { id }, body: { direction: 'up' } };
  },
  createActivity: async () => ({
    body: { cohortId: null, sessionTime: '14:30', moduleName: null, audiences: ['amp'] },
  }),
  updateActivity: async ({ db }) => {
    const call = versioned(await buildActivity(db));
    return { ...call, body: { ...call.body, cohortId: null, sessionTime: '14:30', audiences: ['amp'] } };
  },
  deleteActivity: async ({ db }) => versioned(await buildActivity(db)),
  updateTrainingActivity: async ({ db }) => {
    const call = versioned(await buildActivity(db));
    return { ...call, body: { ...call.body, cohortId: null, moduleName: null } };
  },
  assignActivity: async ({ db }) => ({
    params: { id: (await buildActivity(db)).id },
    body: { cohortId: (await buildCohort(db)).id, coachId: null },
  }),
  assignActivities: async ({ db }) => ({
    body: {
      selection: { ids: [(await buildActivity(db)).id] },
      cohortId: (await buildCohort(db)).id,
      expected: 1,
    },
  }),
  createContent: async ({ db }) => ({ params: { id: (await buildActivity(db)).id }, body: { fileId: null } }),
  updateContent: async ({ db }) => {
    const call = versioned(await item(db));
    return { ...call, body: { ...call.body, fileId: null } };
  },
  deleteContent: async ({ db }) => versioned(await item(db)),
  orderContents: async ({ db }) => {
    const { id } = await buildActivity(db);
    const [one, two] = [await item(db, id), await item(db, id)];
    return { params: { id }, body: { ids: [two.id, one.id] } };
  },
  createContentAssignment: async ({ db }) => ({ body: { contentItemId: (await item(db)).id } }),
  updateContentAssignment: async ({ db }) => {
    const call = versioned(await buildAssignment(db));
    return { ...call, body: { ...call.body, contentItemId: call.row.contentItemId } };
  },
  deleteContentAssignment: async ({ db }) => versioned(await buildAssignment(db)),
  orderContentAssignments: async ({ db }) => {
    const { id } = await item(db);
    const [one, two] = [
      await buildAssignment(db, { contentItemId: id }),
      await buildAssignment(db, { contentItemId: id }),
    ];
    return { params: { id }, body: { ids: [two.id, one.id] } };
  },
  createResource: async ({ db }) => ({ body: { programmeId: (await buildProgramme(db)).id } }),
  updateResource: async ({ db }) => {
    const { params, body } = versioned(await buildResource(db));
    return { params, body: { ...body, programmeId: (await buildProgramme(db)).id } };
  },
  deleteResource: async ({ db }) => versioned(await buildResource(db)),
  setSecondApprover: async ({ db }) => {
    await buildAdmin(db);
    return { params: { id: (await buildCohort(db)).id }, body: { isNeeded: true } };
  },
  markStipendPaid: async ({ db }) => {
    const { id, version } = await approvedStipend(db);
    return { params: { id }, body: { version, reference: 'Cheque 17' } };
  },
  takePaymentBack: async (server, admin) => {
    const { db } = server;
    const { id, version } = await approvedStipend(db);
    const body = { version, reference: 'Cheque 18' };
    const paid = await (await server.as(admin)).call(markStipendPaid, { params: { id }, body });
    return { params: { id }, body: { version: paid.version, reason: 'Paid to somebody else' } };
  },
  openConversation: async ({ db }) => {
    const { coach, participant } = await pair(db);
    await buildMessage(db, coach, participant);
    return { body: { coachId: coach.id, participantId: participant.id, reason: 'A complaint' } };
  },
  updateSession: async ({ db }) =>
    sessionCall(db, { notes: 'Not reached', status: 'no_show', noShowReason: 'Ill' }, -3_600_000),
  reopenSession: async ({ db }) => sessionCall(db, {}, -3_600_000, { status: 'completed', closedAt: now() }),
  cancelSession: async ({ db }) => sessionCall(db, { reason: 'Ill' }),
  reviewSubmission: async ({ db }) => {
    const { coach, participant } = await pair(db);
    const assignment = await buildAssignment(db);
    const { id } = await buildSubmission(db, { assignmentId: assignment.id, userId: participant.id });
    const body = { status: 'accepted', feedback: 'Clear.', roundNumber: 1, pointsEarned: null };
    return { as: coach, params: { id }, body };
  },
  correctReview: async ({ db }) => {
    const { coach, participant } = await pair(db);
    const assignment = await buildAssignment(db);
    const reviewed = { status: 'accepted' as const, reviewedBy: coach.id };
    const { id } = await buildSubmission(db, { assignmentId: assignment.id, userId: participant.id, ...reviewed });
    const body = { status: 'needs_revision', formerStatus: 'accepted', roundNumber: 1, pointsEarned: null };
    return { as: coach, params: { id }, body };
  },
  takeReviewBack: async ({ db }) => {
    const { coach, participant } = await pair(db);
    const assignment = await buildAssignment(db);
    const submittedAt = now();
    const reviewed = { status: 'accepted' as const, reviewedBy: coach.id, submittedAt };
    const { id } = await buildSubmission(db, { assignmentId: assignment.id, userId: participant.id, ...reviewed });
    return { as: coach, params: { id }, body: { reviewedAt: submittedAt.toISOString() } };
  },
  createSavedComment: async ({ db }) => ({ as: await buildCoach(db) }),
  updateSavedComment: async ({ db }) => {
    const { id, version } = await buildSavedComment(db);
    return { params: { id }, body: { version, isShared: true } };
  },
  deleteSavedComment: async ({ db }) => ({ params: { id: (await buildSavedComment(db)).id } }),
  correctAttendance: async ({ db }) => {
    const { id: cohortId, participantId } = await member(db);
    const { id } = await buildActivity(db, { cohortId, sessionDate: '2025-09-09' });
    return { params: { id, participantId }, body: { attended: true, reason: 'Seen there' } };
  },
  setModuleCompletion: async ({ db }) => {
    const cohort = await buildCohort(db, { curriculumVersion: 'by hand' });
    const participant = await buildParticipant(db);
    await enrol(db, { cohortId: cohort.id, participantId: participant.id });
    const module = await buildModule(db, { curriculumVersion: 'by hand' });
    return {
      params: { id: cohort.id, participantId: participant.id, moduleId: module.id },
      body: { isCompleted: true, note: 'Certified before' },
    };
  },
};

/** Rows that stand in a calendar count their versions in `calendarSequence`. */
function versioned<Row extends { id: string; version?: number; calendarSequence?: number }>(row: Row) {
  return { row, params: { id: row.id }, body: { version: row.version ?? row.calendarSequence ?? 1 } };
}

async function item(db: Db, trainingActivityId?: string) {
  return buildContentItem(db, {
    trainingActivityId: trainingActivityId ?? (await buildActivity(db)).id,
  });
}

async function requirement(db: Db) {
  const cohortId = (await buildCohort(db)).id;
  return buildWeeklyRequirement(db, { cohortId, weekNumber: 1, dueDate: '2025-09-12' });
}

async function member(db: Db) {
  const [cohort, participant] = [await buildCohort(db), await buildParticipant(db)];
  await enrol(db, { cohortId: cohort.id, participantId: participant.id });
  return { id: cohort.id, participantId: participant.id };
}

async function pair(db: Db) {
  const [coach, participant] = [await buildCoach(db), await buildParticipant(db)];
  await assignCoach(db, { participantId: participant.id, coachId: coach.id });
  return { coach, participant };
}

async function sessionCall(
  db: Db,
  body: Record<string, Sample>,
  fromNowInMs = 3_600_000,
  facts: { status?: string; closedAt?: Date } = {},
): Promise<StaffCall> {
  const { coach, participant } = await pair(db);
  const scheduledAt = new Date(Date.now() + fromNowInMs).toISOString();
  const session = { coachId: coach.id, participantId: participant.id, scheduledAt, ...facts };
  const { id } = await buildCoachingSession(db, session);
  return { as: coach, params: { id }, body };
}
