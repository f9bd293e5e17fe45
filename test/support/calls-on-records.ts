import { houseZone } from '#contract/house-zone.ts';
import { handOverWeek } from '#contract/payments.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { newId } from '#server/platform/ids.ts';
import { buildAvailability, buildCoachingSession } from '../factories/coaching.ts';
import { assignCoach, buildCohort, buildCourse, enrol } from '../factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem, buildModule, buildTrack } from '../factories/curriculum.ts';
import { buildMessage } from '../factories/messages.ts';
import { buildNotice } from '../factories/notices.ts';
import { buildCoach, buildParticipant } from '../factories/people.ts';
import { buildStipend } from '../factories/stipends.ts';
import { buildStoredFile } from '../factories/stored-files.ts';
import { buildSubmission } from '../factories/submissions.ts';
import { buildUserFile } from '../factories/user-files.ts';
import type { TestApp } from './app.ts';
import { askedCorrection } from './calls-on-people.ts';
import type { MakeCall, StaffCall } from './made-call.ts';
import { approvedStipend, askedQuestion, deafPaymentSystem } from './money-calls.ts';
import { signedConfirmation } from './payment-system.ts';
import { tryRulesCall } from './programme-calls.ts';
import { staffCalls } from './staff-calls.ts';
import { beginUpload, idOf, tusHeaders } from './uploads.ts';

/** Calls that succeed and name records in every field that takes one, by the endpoint's name. */
export const callsOnRecords: Record<string, MakeCall> = {
  ...staffCalls,
  createModule: async ({ db }) => ({ body: { moduleType: 'specialization', trackId: (await buildTrack(db)).id } }),
  updateModule: async ({ db }) => {
    const { id } = await buildModule(db);
    return { params: { id }, body: { version: 1, moduleType: 'specialization', trackId: (await buildTrack(db)).id } };
  },
  createActivity: async ({ db }) => ({
    body: {
      ...{ cohortId: (await buildCohort(db)).id, sessionDate: '2025-09-09', sessionTime: '14:30' },
      audiences: ['amp'],
    },
  }),
  updateActivity: async ({ db }) => {
    const { id, calendarSequence: version } = await buildActivity(db);
    const body = { version, sessionDate: '2025-09-09', sessionTime: '14:30', audiences: ['amp'] };
    return { params: { id }, body: { ...body, cohortId: (await buildCohort(db)).id } };
  },
  updateTrainingActivity: async ({ db }) => {
    const { id, calendarSequence: version } = await buildActivity(db);
    const { id: cohortId } = await buildCohort(db);
    return { params: { id }, body: { version, cohortId, sessionDate: '2025-09-09' } };
  },
  createContent: async ({ db }, admin) => ({
    params: { id: (await buildActivity(db)).id },
    body: { fileId: (await buildStoredFile(db, { ownerId: admin.id, area: 'content' })).id, contentUrl: null },
  }),
  updateContent: async ({ db }, admin) => {
    const { id, version } = await buildContentItem(db, { trainingActivityId: (await buildActivity(db)).id });
    const file = await buildStoredFile(db, { ownerId: admin.id, area: 'content' });
    return { params: { id }, body: { version, fileId: file.id, contentUrl: null } };
  },
  enrolInCohort: async ({ db }) => {
    await buildCourse(db);
    const [person, cohort, coach] = [await buildParticipant(db), await buildCohort(db), await buildCoach(db)];
    return { body: { userId: person.id, cohortId: cohort.id, coachId: coach.id } };
  },
  renameSavedFilters: async ({ db }, admin) => ({
    params: { id: await keptFilters(db, admin.id) },
    body: { name: newId() },
  }),
  removeSavedFilters: async ({ db }, admin) => ({ params: { id: await keptFilters(db, admin.id) } }),
  previewEnrolments: async ({ db }) => {
    const [person, cohort] = [await buildParticipant(db), await buildCohort(db)];
    return { body: { userIds: [person.id], cohortId: cohort.id } };
  },
  previewCoachAssignment: async ({ db }) => {
    await buildCourse(db);
    const [person, coach] = [await buildParticipant(db), await buildCoach(db)];
    return { body: { participantIds: [person.id], coachId: coach.id } };
  },
  tryRules: tryRulesCall,
  previewInvitations: async ({ db }) => ({ body: { userIds: [(await buildParticipant(db)).id] } }),
  processStipends: async ({ db }) => ({ body: { cohortId: (await weekOf(db)).cohort.id, weekNumber: 1 } }),
  claimReview: onSubmission({}),
  saveReviewDraft: onSubmission({ status: 'accepted', feedback: 'Clear.', roundNumber: 1, pointsEarned: null }),
  selectTrack: async ({ db }) => {
    const { participant, cohort, coach } = await weekOf(db);
    const { id: moduleId } = await buildModule(db, { curriculumVersion: cohort.curriculumVersion });
    await db
      .insertInto('participantModuleCompletions')
      .values({ participantId: participant.id, cohortId: cohort.id, moduleId, setBy: coach.id, note: 'Before' })
      .execute();
    return { as: participant, body: { trackId: (await buildTrack(db)).id, notes: null } };
  },
  submitAssignment: onAssignment({ text: null, basedOnRound: null }),
  saveAssignmentDraft: onAssignment({ text: 'So far', basedOnRound: null, basedOn: null }),
  setContentTick: async ({ db }) => {
    const { participant, activity } = await weekOf(db);
    const { id } = await buildContentItem(db, { trainingActivityId: activity.id });
    return { as: participant, params: { id }, body: { isTicked: true } };
  },
  recordAttendance: async ({ db }) => {
    const { participant, activity, cohort } = await weekOf(db);
    const names = { fellow_id: participant.id, cohort_id: cohort.id, content_id: activity.id };
    return { as: participant, body: { ...names, week_number: 1, content_type: 'live_session', duration_minutes: 60 } };
  },
  askForAttendanceCorrection: async ({ db }) => {
    const { participant, activity } = await weekOf(db);
    return { as: participant, params: { id: activity.id }, body: { attended: true, reason: 'I was there' } };
  },
  askAboutStipend: async ({ db }) => {
    const { participant, cohort } = await weekOf(db);
    await buildStipend(db, { fellowId: participant.id, cohortId: cohort.id });
    return { as: participant, body: { cohortId: cohort.id, weekNumber: 1, question: 'Why?' } };
  },
  sendMessage: async ({ db }) => {
    const { participant, coach } = await weekOf(db);
    const file = await buildStoredFile(db, { ownerId: participant.id, area: 'messages' });
    return {
      as: participant,
      params: { id: coach.id },
      body: { clientKey: newId(), text: 'Please see this', fileId: file.id },
    };
  },
  markConversationRead: async ({ db }) => {
    const { participant, coach } = await weekOf(db);
    const message = await buildMessage(db, coach, participant);
    return { as: participant, params: { id: coach.id }, body: { upToId: message.id } };
  },
  markNoticeRead: async ({ db }) => {
    const { participant } = await weekOf(db);
    return { as: participant, params: { id: (await buildNotice(db, { userId: participant.id })).id } };
  },
  bookSession: async ({ db }) => {
    const { participant, coach, day } = await freeDay(db);
    return { as: participant, body: { id: newId(), coachId: coach.id, startsAt: `${day}T15:00:00Z` } };
  },
  moveSession: async ({ db }) => {
    const { participant, coach, day } = await freeDay(db);
    const session = { coachId: coach.id, participantId: participant.id, scheduledAt: `${day}T15:00:00Z` };
    const { id } = await buildCoachingSession(db, session);
    return { as: participant, params: { id }, body: { startsAt: `${day}T15:30:00Z` } };
  },
  withdrawSession: async ({ db }) => {
    const { participant, coach, day } = await freeDay(db);
    const session = { coachId: coach.id, participantId: participant.id, scheduledAt: `${day}T15:00:00Z` };
    return { as: participant, params: { id: (await buildCoachingSession(db, session)).id } };
  },
  deleteUserFile: async ({ db }) => {
    const { participant } = await weekOf(db);
    return { as: participant, params: { id: (await buildUserFile(db, { userId: participant.id })).id } };
  },
  removeLeave: async ({ db }) => {
    const coach = await buildCoach(db);
    const { id } = await db
      .insertInto('coachLeave')
      .values({ coachId: coach.id, startsOn: '2026-03-02', endsOn: '2026-03-03' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { as: coach, params: { id } };
  },
  releaseReview: async (server) => {
    const { coach, id } = await workToReview(server.db);
    const expiresAt = new Date(Date.now() + 60_000);
    await server.db.insertInto('reviewClaims').values({ submissionId: id, reviewerId: coach.id, expiresAt }).execute();
    return { as: coach, params: { id } };
  },
  discardAssignmentDraft: async ({ db }) => {
    const { participant, activity } = await weekOf(db);
    const { id } = await buildAssignment(db, { trainingActivityId: activity.id });
    await db
      .insertInto('assignmentDrafts')
      .values({ assignmentId: id, userId: participant.id, draftText: 'So far' })
      .execute();
    return { as: participant, params: { id } };
  },
  withdrawAttendanceCorrection: async ({ db }) => {
    const { id, participant } = await askedCorrection(db);
    return { as: participant, params: { id } };
  },
  withdrawStipendQuestion: async ({ db }) => {
    const { id, participant } = await askedQuestion(db);
    return { as: participant, params: { id } };
  },
  markAllNoticesRead: async ({ db }) => {
    const { participant } = await weekOf(db);
    return { as: participant, body: { upToId: (await buildNotice(db, { userId: participant.id })).id } };
  },
  previewActivityAssignment: async ({ db }) => ({
    body: { selection: { ids: [(await buildActivity(db)).id] }, cohortId: (await buildCohort(db)).id },
  }),
  endSession: async ({ db }) => {
    const { participant } = await weekOf(db);
    const session = { userId: participant.id, token: newId(), expiresAt: new Date(Date.now() + 3_600_000) };
    const { id } = await db.insertInto('auth.session').values(session).returning('id').executeTakeFirstOrThrow();
    return { as: participant, params: { id } };
  },
  unlinkIdentity: async ({ db }) => {
    const { participant } = await weekOf(db);
    return { as: participant, params: { id: await linkedIdentity(db, participant.id) } };
  },
  renamePasskey: onPasskey({ name: 'My phone' }),
  removePasskey: onPasskey({}),
  continueUpload: async (server) => {
    const { participant, id } = await begunUpload(server);
    const headers = { ...tusHeaders, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    return { as: participant, params: { id }, headers, bytes: 'words' };
  },
  cancelUpload: async (server) => {
    const { participant, id } = await begunUpload(server);
    return { as: participant, params: { id }, headers: tusHeaders };
  },
  confirmPayments: async (server, admin) => {
    const { cohortId, weekNumber } = await approvedStipend(server.db);
    const sent = await (await server.as(admin)).call(handOverWeek, { body: { cohortId, weekNumber } });
    const body = { handover_id: sent.handoverId, reference: 'PAY 1' };
    const secret = deafPaymentSystem.STIPEND_WEBHOOK_SECRET;
    const { text, headers } = signedConfirmation({ body, messageId: newId(), secret });
    return { as: null, bytes: text, headers };
  },
};

type Db = TestApp['db'];

/** A participant with a coach, in a cohort's first week. */
async function weekOf(db: Db) {
  const cohort = await buildCohort(db, { startDate: dayAt(new Date(), houseZone), curriculumVersion: newId() });
  const [participant, coach] = [await buildParticipant(db), await buildCoach(db)];
  await enrol(db, { cohortId: cohort.id, participantId: participant.id, coachId: coach.id });
  const sessionDate = dayAt(new Date(), houseZone);
  const activity = await buildActivity(db, { cohortId: cohort.id, sessionDate });
  return { cohort, participant, coach, activity };
}

/** A day on which the participant's coach is free from nine to five. */
export async function freeDay(db: Db) {
  const { participant, coach } = await weekOf(db);
  const day = addDays(dayAt(new Date(), houseZone), 3);
  const dayOfWeek = new Date(`${day}T12:00:00Z`).getUTCDay();
  const times = { dayOfWeek, startTime: '09:00', endTime: '17:00' };
  await buildAvailability(db, { coachId: coach.id, weekStartDate: addDays(day, -dayOfWeek), ...times });
  return { participant, coach, day };
}

async function begunUpload(server: TestApp) {
  const { participant } = await weekOf(server.db);
  const begun = await beginUpload(await server.as(participant), { area: 'my_files', name: 'a.txt', size: 5 });
  return { participant, id: idOf(begun) };
}

/** Links two, because the last way in stays. */
async function linkedIdentity(db: Db, userId: string): Promise<string> {
  const linked = ['wallet', 'credential'].map((providerId) => ({
    userId,
    providerId,
    accountId: userId,
    password: 'x',
  }));
  return (await db.insertInto('auth.account').values(linked).returning('id').executeTakeFirstOrThrow()).id;
}

function onPasskey(body: StaffCall['body']): MakeCall {
  return async ({ db }) => {
    const { participant } = await weekOf(db);
    await linkedIdentity(db, participant.id);
    const { id } = await db
      .insertInto('auth.passkey')
      .values({ userId: participant.id, credentialId: newId(), publicKey: Buffer.from('key'), name: 'Phone' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { as: participant, params: { id }, body };
  };
}

async function keptFilters(db: Db, ownerId: string): Promise<string> {
  const kept = db.insertInto('savedFilters').values({ ownerId, list: 'users', name: newId(), search: '{}' });
  return (await kept.returning('id').executeTakeFirstOrThrow()).id;
}

async function workToReview(db: Db) {
  const [participant, coach] = [await buildParticipant(db), await buildCoach(db)];
  await assignCoach(db, { participantId: participant.id, coachId: coach.id });
  const assignment = await buildAssignment(db);
  return { coach, id: (await buildSubmission(db, { assignmentId: assignment.id, userId: participant.id })).id };
}

function onSubmission(body: StaffCall['body']): MakeCall {
  return async ({ db }) => {
    const { coach, id } = await workToReview(db);
    return { as: coach, params: { id }, body };
  };
}

function onAssignment(body: StaffCall['body']): MakeCall {
  return async ({ db }) => {
    const { participant, activity } = await weekOf(db);
    const { id } = await buildAssignment(db, { trainingActivityId: activity.id });
    const file = await buildStoredFile(db, { ownerId: participant.id });
    return { as: participant, params: { id }, body: { ...body, fileId: file.id } };
  };
}
