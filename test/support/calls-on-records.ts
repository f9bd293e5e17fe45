import { addDays, easternDay } from '#contract/weeks.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCoachingSession } from '../factories/coaching.ts';
import { assignCoach, buildCohort, buildCourse, enrol } from '../factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem, buildModule, buildTrack } from '../factories/curriculum.ts';
import { buildMessage } from '../factories/messages.ts';
import { buildNotice } from '../factories/notices.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from '../factories/people.ts';
import { buildStipend } from '../factories/stipends.ts';
import { buildStoredFile } from '../factories/stored-files.ts';
import { buildSubmission } from '../factories/submissions.ts';
import { buildUserFile } from '../factories/user-files.ts';
import type { TestApp } from './app.ts';
import { type StaffCall, staffCalls } from './staff-calls.ts';

type MakeCall = (server: TestApp, admin: BuiltPerson) => Promise<StaffCall>;

/** Calls that succeed and name records in every field that takes one, by the endpoint's name. */
export const callsOnRecords: Record<string, MakeCall> = {
  ...staffCalls,
  createModule: async ({ db }) => ({ body: { moduleType: 'specialization', trackId: (await buildTrack(db)).id } }),
  updateModule: async ({ db }) => {
    const { id } = await buildModule(db);
    return { params: { id }, body: { version: 1, moduleType: 'specialization', trackId: (await buildTrack(db)).id } };
  },
  createActivity: async ({ db }) => ({ body: { cohortId: (await buildCohort(db)).id, sessionTime: '14:30' } }),
  updateActivity: async ({ db }) => {
    const { id, calendarSequence: version } = await buildActivity(db);
    return { params: { id }, body: { version, cohortId: (await buildCohort(db)).id, sessionTime: '14:30' } };
  },
  updateTrainingActivity: async ({ db }) => {
    const { id, calendarSequence: version } = await buildActivity(db);
    return { params: { id }, body: { version, cohortId: (await buildCohort(db)).id, moduleName: null } };
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
  approveStipend: onStipend({}),
  denyStipend: onStipend({ reason: 'Left' }),
  changeStipendAmount: onStipend({ amountCents: 60_000, reason: 'Travel' }),
  processStipends: async ({ db }) => ({ body: { cohortId: (await weekOf(db)).cohort.id, weekNumber: 1 } }),
  rateWeek: async ({ db }) => {
    const { coach, participant } = await weekOf(db);
    return { as: coach, params: { participantId: participant.id, weekNumber: 1 }, body: { rating: 4, comment: null } };
  },
  claimReview: onSubmission({}),
  saveReviewDraft: onSubmission({ status: 'accepted', feedback: 'Clear.', roundNumber: 1, pointsEarned: null }),
  addLeave: async ({ db }) => ({ as: await buildCoach(db), body: { startsOn: '2026-03-02', endsOn: '2026-03-03' } }),
  selectTrack: async ({ db }) => {
    const { participant } = await weekOf(db);
    return { as: participant, body: { trackId: (await buildTrack(db)).id, notes: null } };
  },
  lockTrack: async ({ db }) => {
    const { participant, cohort } = await weekOf(db);
    const track = await buildTrack(db);
    const { id } = await db
      .insertInto('trackSelections')
      .values({ participantId: participant.id, cohortId: cohort.id, specializationTrackId: track.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { as: participant, params: { id }, body: { trackId: track.id } };
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
    return { as: participant, body: { ...names, week_number: 1, content_type: 'session', duration_minutes: 60 } };
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
  moveSession: async ({ db }) => {
    const { participant, coach } = await weekOf(db);
    const scheduledAt = `${addDays(easternDay(new Date()), 3)}T15:00:00Z`;
    const { id } = await buildCoachingSession(db, { coachId: coach.id, participantId: participant.id, scheduledAt });
    return { as: participant, params: { id }, body: { startsAt: scheduledAt.replace('15:00', '15:30') } };
  },
  withdrawSession: async ({ db }) => {
    const { participant, coach } = await weekOf(db);
    const scheduledAt = `${addDays(easternDay(new Date()), 3)}T15:00:00Z`;
    const { id } = await buildCoachingSession(db, { coachId: coach.id, participantId: participant.id, scheduledAt });
    return { as: participant, params: { id } };
  },
  deleteUserFile: async ({ db }) => {
    const { participant } = await weekOf(db);
    return { as: participant, params: { id: (await buildUserFile(db, { userId: participant.id })).id } };
  },
};

type Db = TestApp['db'];

/** A participant with a coach, in a cohort's first week. */
async function weekOf(db: Db) {
  // Whoever is to choose a track has completed all core modules of a curriculum without any.
  const cohort = await buildCohort(db, { startDate: easternDay(new Date()), curriculumVersion: newId() });
  const [participant, coach] = [await buildParticipant(db), await buildCoach(db)];
  await enrol(db, { cohortId: cohort.id, participantId: participant.id, coachId: coach.id });
  const sessionDate = easternDay(new Date());
  const activity = await buildActivity(db, { cohortId: cohort.id, sessionDate });
  return { cohort, participant, coach, activity };
}

function onStipend(body: StaffCall['body']): MakeCall {
  return async ({ db }) => {
    const { id, version } = await buildStipend(db);
    return { params: { id }, body: { ...body, version } };
  };
}

function onSubmission(body: StaffCall['body']): MakeCall {
  return async ({ db }) => {
    const [participant, coach] = [await buildParticipant(db), await buildCoach(db)];
    await assignCoach(db, { participantId: participant.id, coachId: coach.id });
    const assignment = await buildAssignment(db);
    const { id } = await buildSubmission(db, { assignmentId: assignment.id, userId: participant.id });
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
