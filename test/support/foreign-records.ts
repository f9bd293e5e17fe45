import type { ErrorCode } from '#contract/errors.ts';
import { type Role, roles } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import { buildCoachingSession } from '../factories/coaching.ts';
import { buildCohort, enrol } from '../factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem, buildModule, buildTrack } from '../factories/curriculum.ts';
import { buildMessage } from '../factories/messages.ts';
import { buildNotice } from '../factories/notices.ts';
import { buildAdmin, buildCoach, buildParticipant } from '../factories/people.ts';
import { buildNote } from '../factories/person-notes.ts';
import { buildSavedComment } from '../factories/saved-comments.ts';
import { buildStoredFile } from '../factories/stored-files.ts';
import { buildUserFile } from '../factories/user-files.ts';

/** A cohort with records that nobody outside it may touch. */
export type ForeignWorld = Awaited<ReturnType<typeof buildForeignWorld>>;

interface ForeignCall {
  role: Role;
  input: { params?: Record<string, string>; body?: object };
  /** The code, if it is neither `forbidden` nor `not_found`. */
  code?: ErrorCode;
  /**
   * A part of the refusal's text. It tells this refusal from one for another missing part, such as bytes that are not
   * in the storage.
   */
  words?: string;
}

export async function buildForeignWorld(db: Db) {
  const cohort = await buildCohort(db);
  const coach = await buildCoach(db);
  const participant = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: participant.id, coachId: coach.id });
  const activity = await buildActivity(db, { cohortId: cohort.id, weekNumber: 1, sessionDate: '2025-09-09' });
  const item = await buildContentItem(db, { trainingActivityId: activity.id });
  const assignment = await buildAssignment(db, { contentItemId: item.id, dueDate: '2025-09-12' });
  const openActivity = await buildActivity(db, { weekNumber: 1 });
  const openAssignment = await buildAssignment(db, { trainingActivityId: openActivity.id });
  const submission = await db
    .insertInto('contentSubmissions')
    .values({ assignmentId: assignment.id, userId: participant.id, submissionText: 'Mine alone' })
    .returningAll()
    .executeTakeFirstOrThrow();
  await db
    .insertInto('submissionRounds')
    .values({
      submissionId: submission.id,
      roundNumber: 1,
      submissionText: 'Mine alone',
      submittedAt: submission.submittedAt,
    })
    .execute();
  const module = await buildModule(db, { curriculumVersion: cohort.curriculumVersion });
  const selection = await db
    .insertInto('trackSelections')
    .values({
      participantId: participant.id,
      cohortId: cohort.id,
      specializationTrackId: (await buildTrack(db)).id,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const upload = await buildStoredFile(db, { ownerId: participant.id, completedAt: null });
  const file = await buildStoredFile(db, { ownerId: participant.id });
  const messageFile = await buildStoredFile(db, { ownerId: participant.id, area: 'messages' });
  const ownFile = await buildUserFile(db, { userId: participant.id });
  const session = await db
    .insertInto('auth.session')
    .values({ userId: participant.id, token: participant.id, expiresAt: new Date(Date.now() + 3_600_000) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const identity = await db
    .insertInto('auth.account')
    .values({ userId: participant.id, providerId: 'wallet', accountId: participant.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  const passkey = await db
    .insertInto('auth.passkey')
    .values({ userId: participant.id, credentialId: participant.id, publicKey: Buffer.from('key'), name: 'Mine' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const coachingSession = await buildCoachingSession(db, {
    coachId: coach.id,
    participantId: participant.id,
    scheduledAt: '2025-09-10T14:00:00Z',
  });
  const leave = await db
    .insertInto('coachLeave')
    .values({ coachId: coach.id, startsOn: '2025-09-15', endsOn: '2025-09-16' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const message = await buildMessage(db, coach, participant);
  const opening = await db
    .insertInto('conversationOpenings')
    .values({ adminId: (await buildAdmin(db)).id, coachId: coach.id, participantId: participant.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  const notice = await buildNotice(db, { userId: participant.id });
  const noticeEvent = await db
    .insertInto('noticeEvents')
    .values({ userId: participant.id, kind: 'note', eventKey: notice.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  const correction = await db
    .insertInto('attendanceCorrections')
    .values({
      participantId: participant.id,
      activityId: activity.id,
      cohortId: cohort.id,
      weekNumber: 1,
      attended: true,
      reason: 'Mine alone',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const question = await db
    .insertInto('stipendQuestions')
    .values({ participantId: participant.id, cohortId: cohort.id, weekNumber: 1, question: 'Mine alone', facts: [] })
    .returning('id')
    .executeTakeFirstOrThrow();
  const note = await buildNote(db, { personId: participant.id, authorId: coach.id });
  const comment = await buildSavedComment(db, { ownerId: coach.id, isShared: false });
  const savedFilters = await db
    .insertInto('savedFilters')
    .values({ ownerId: participant.id, list: 'submissions', name: 'Mine alone', search: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    note,
    comment,
    savedFilters,
    correction,
    question,
    coachingSession,
    leave,
    cohort,
    coach,
    participant,
    activity,
    item,
    assignment,
    openAssignment,
    submission,
    module,
    selection,
    upload,
    file,
    messageFile,
    ownFile,
    session,
    identity,
    passkey,
    message,
    opening,
    notice,
    noticeEvent,
  };
}

/**
 * Calls by people who hold the role, on a record that is not theirs. records-of-all.ts has what belongs to everybody of
 * a role.
 */
export const foreignCalls: Record<string, (world: ForeignWorld) => ForeignCall[]> = {
  unlinkIdentity: ({ identity }) => everybodyOn(identity.id),
  markNoticeRead: ({ notice }) => everybodyOn(notice.id),
  readPushedNotice: ({ noticeEvent }) => everybodyOn(noticeEvent.id),
  renamePasskey: ({ passkey }) => everybodyOn(passkey.id, { name: 'Not mine' }),
  removePasskey: ({ passkey }) => everybodyOn(passkey.id),
  renameSavedFilters: ({ savedFilters }) => everybodyOn(savedFilters.id, { name: 'Not mine' }),
  removeSavedFilters: ({ savedFilters }) => everybodyOn(savedFilters.id),
  readActivity: ({ activity }) => [{ role: 'participant', input: { params: { id: activity.id } } }],
  setContentTick: ({ item }) => [{ role: 'participant', input: { params: { id: item.id }, body: { isTicked: true } } }],
  readActivityContent: ({ activity }) => [{ role: 'participant', input: { params: { id: activity.id } } }],
  readAssignment: ({ assignment }) => [{ role: 'participant', input: { params: { id: assignment.id } } }],
  submitAssignment: ({ assignment, openAssignment, file }) => [
    {
      role: 'participant',
      input: { params: { id: assignment.id }, body: { text: 'Not mine', fileId: null, basedOnRound: null } },
    },
    {
      role: 'participant',
      input: { params: { id: openAssignment.id }, body: { text: null, fileId: file.id, basedOnRound: null } },
      code: 'invalid_input',
    },
  ],
  saveAssignmentDraft: ({ assignment, openAssignment, file }) => [
    {
      role: 'participant',
      input: {
        params: { id: assignment.id },
        body: { text: 'Not mine', fileId: null, basedOnRound: null, basedOn: null },
      },
    },
    {
      role: 'participant',
      input: {
        params: { id: openAssignment.id },
        body: { text: null, fileId: file.id, basedOnRound: null, basedOn: null },
      },
      code: 'invalid_input',
    },
  ],
  readSubmission: ({ submission }) => [{ role: 'participant', input: { params: { id: submission.id } } }],
  downloadCalendarItem: ({ activity, assignment, coachingSession }) => [
    { role: 'participant', input: { params: { kind: 'activity', id: activity.id } } },
    { role: 'participant', input: { params: { kind: 'assignment', id: assignment.id } } },
    { role: 'participant', input: { params: { kind: 'session', id: coachingSession.id } } },
    { role: 'coach', input: { params: { kind: 'session', id: coachingSession.id } } },
    { role: 'admin', input: { params: { kind: 'session', id: coachingSession.id } } },
  ],
  lockTrack: ({ selection }) => [
    {
      role: 'participant',
      input: { params: { id: selection.id }, body: { trackId: selection.specializationTrackId } },
    },
  ],
  listCohortProgress: ({ cohort }) => [{ role: 'coach', input: { params: { id: cohort.id } } }],
  readCohortCompletion: ({ cohort }) => [{ role: 'coach', input: { params: { id: cohort.id } } }],
  readMemberProgress: ({ cohort, participant }) => [
    { role: 'coach', input: { params: { id: cohort.id, participantId: participant.id } } },
  ],
  setModuleCompletion: ({ cohort, participant, module }) => [
    {
      role: 'coach',
      input: {
        params: { id: cohort.id, participantId: participant.id, moduleId: module.id },
        body: { isCompleted: true, note: 'Not mine' },
      },
    },
  ],
  correctAttendance: ({ activity, participant }) => [
    {
      role: 'coach',
      input: {
        params: { id: activity.id, participantId: participant.id },
        body: { attended: true, reason: 'Not mine' },
      },
    },
  ],
  excuseAbsence: ({ activity, participant }) => [
    {
      role: 'coach',
      input: { params: { activityId: activity.id, participantId: participant.id }, body: { reason: 'Not mine' } },
    },
  ],
  takeExcuseBack: ({ activity, participant }) => [
    { role: 'coach', input: { params: { activityId: activity.id, participantId: participant.id } } },
  ],
  askForAttendanceCorrection: ({ activity }) => [
    { role: 'participant', input: { params: { id: activity.id }, body: { attended: true, reason: 'Not mine' } } },
  ],
  readOwnAttendanceCorrections: ({ activity }) => [{ role: 'participant', input: { params: { id: activity.id } } }],
  withdrawAttendanceCorrection: ({ correction }) => [{ role: 'participant', input: { params: { id: correction.id } } }],
  answerAttendanceCorrection: ({ correction }) => [
    { role: 'coach', input: { params: { id: correction.id }, body: { accepts: true, answer: 'Not mine' } } },
  ],
  readPerson: ({ participant }) => [{ role: 'coach', input: { params: { id: participant.id } } }],
  listPersonHistory: ({ participant }) => [{ role: 'coach', input: { params: { id: participant.id } } }],
  listPersonNotes: ({ participant }) => [{ role: 'coach', input: { params: { id: participant.id } } }],
  writePersonNote: ({ participant }) => [
    { role: 'coach', input: { params: { id: participant.id }, body: { kind: 'staff', text: 'Not mine' } } },
  ],
  openPersonNote: ({ note }) => [{ role: 'coach', input: { params: { id: note.id }, body: { reason: 'Not mine' } } }],
  removePersonNote: ({ note }) => [{ role: 'coach', input: { params: { id: note.id } } }],
  listStipendWeeksOf: ({ participant }) => [{ role: 'coach', input: { params: { id: participant.id } } }],
  askAboutStipend: ({ cohort }) => [
    { role: 'participant', input: { body: { cohortId: cohort.id, weekNumber: 1, question: 'Not mine' } } },
  ],
  withdrawStipendQuestion: ({ question }) => [{ role: 'participant', input: { params: { id: question.id } } }],
  answerStipendQuestion: ({ question }) => [
    { role: 'coach', input: { params: { id: question.id }, body: { closes: true, answer: '' } } },
  ],
  bookSession: ({ coach }) => [
    { role: 'participant', input: { body: { coachId: coach.id, startsAt: '2025-09-11T15:00:00Z', agenda: null } } },
  ],
  reopenSession: ({ coachingSession }) => [{ role: 'coach', input: { params: { id: coachingSession.id } } }],
  updateSavedComment: ({ comment }) => [
    {
      role: 'coach',
      input: { params: { id: comment.id }, body: { title: 'Mine', text: 'Not mine', isShared: true, version: 1 } },
    },
  ],
  deleteSavedComment: ({ comment }) => [{ role: 'coach', input: { params: { id: comment.id } } }],
  moveSession: ({ coachingSession }) => [
    {
      role: 'participant',
      input: { params: { id: coachingSession.id }, body: { startsAt: '2025-09-10T15:00:00Z' } },
    },
  ],
  withdrawSession: ({ coachingSession }) => [{ role: 'participant', input: { params: { id: coachingSession.id } } }],
  updateSession: ({ coachingSession }) => [
    { role: 'coach', input: { params: { id: coachingSession.id }, body: { notes: 'Not mine' } } },
  ],
  cancelSession: ({ coachingSession }) => [
    { role: 'coach', input: { params: { id: coachingSession.id }, body: { reason: null } } },
  ],
  removeLeave: ({ leave }) => [{ role: 'coach', input: { params: { id: leave.id } } }],
  rateWeek: ({ participant }) => [
    {
      role: 'coach',
      input: { params: { participantId: participant.id, weekNumber: '1' }, body: { rating: 4, comment: null } },
    },
  ],
  recordAttendance: ({ activity, participant, cohort }) => [
    {
      role: 'participant',
      input: {
        body: {
          fellow_id: participant.id,
          cohort_id: cohort.id,
          week_number: 1,
          content_type: 'live_session',
          content_id: activity.id,
          duration_minutes: 60,
        },
      },
    },
  ],
  continueUpload: ({ upload }) => everybodyOn(upload.id),
  cancelUpload: ({ upload }) => everybodyOn(upload.id),
  deleteUserFile: ({ ownFile }) => [{ role: 'participant', input: { params: { id: ownFile.id } } }],
  downloadFile: ({ file, messageFile }) =>
    [
      { role: 'participant' as const, input: { params: { id: file.id } } },
      { role: 'coach' as const, input: { params: { id: file.id } } },
      ...everybodyOn(messageFile.id),
    ].map((call) => ({ ...call, words: 'you may not see it' })),
  endSession: ({ session }) => everybodyOn(session.id),
  readConversation: ({ participant }) => [
    { role: 'coach', input: { params: { id: participant.id } } },
    { role: 'participant', input: { params: { id: participant.id } } },
  ],
  sendMessage: ({ participant, coach }) => {
    const body = { clientKey: '00000000-0000-4000-8000-000000000000', text: 'Not my coach', fileId: null };
    return [
      { role: 'coach', input: { params: { id: participant.id }, body } },
      { role: 'participant', input: { params: { id: coach.id }, body } },
    ];
  },
  markConversationRead: ({ participant, message }) => [
    { role: 'coach', input: { params: { id: participant.id }, body: { upToId: message.id } } },
    { role: 'participant', input: { params: { id: participant.id }, body: { upToId: message.id } } },
  ],
  readOpenedConversation: ({ opening }) => [{ role: 'admin', input: { params: { id: opening.id } } }],
};

function everybodyOn(id: string, body?: object): ForeignCall[] {
  return roles.map((role) => ({ role, input: { params: { id }, body } }));
}
