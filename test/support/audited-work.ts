import { expect } from 'vitest';
import { answerAttendanceCorrection } from '#contract/attendance-corrections.ts';
import { exportAuditLog } from '#contract/audit.ts';
import { enrolInCohort } from '#contract/enrolments.ts';
import { handOverWeek } from '#contract/payments.ts';
import { removePersonNote } from '#contract/person-notes.ts';
import { exportStipends } from '#contract/stipend-exports.ts';
import { approveStipend } from '#contract/stipends.ts';
import { exportUsers, updateUser } from '#contract/user-management.ts';
import type { AuditAction } from '#server/platform/audit-actions.ts';
import { buildCoachingSession } from '../factories/coaching.ts';
import { assignCoach, buildCohort, buildCourse } from '../factories/cohorts.ts';
import { buildCoach, buildParticipant } from '../factories/people.ts';
import { buildNote } from '../factories/person-notes.ts';
import { attend, buildStipend } from '../factories/stipends.ts';
import { type AuditedAct, type AuditWorld, byCall } from './audited-calls.ts';
import { askedCorrection, finishedImport } from './calls-on-people.ts';
import { freeDay } from './calls-on-records.ts';
import { approvedStipend } from './money-calls.ts';
import { figuresOf } from './stipend-figures.ts';

const pending = { paymentStatus: 'pending', amountCents: 50_000 };
const approved = { paymentStatus: 'approved', amountCents: 50_000 };

/** Acts on people, their work, and their money. */
export const auditedWork = {
  // The record already says what the participant asks for. Otherwise the log tells of the record that the act makes.
  'attendance.correction_accepted': async ({ server, admin }) => {
    const { id, participant, activity } = await askedCorrection(server.db);
    await attend(server.db, participant.id, [activity]);
    const body = { accepts: true, answer: 'It is there' };
    await (await server.as(admin)).call(answerAttendanceCorrection, { params: { id }, body });
    return { actorId: admin.id, subjectId: id, reason: 'It is there' };
  },
  'attendance.correction_declined': byCall('answerAttendanceCorrection', () => ({ reason: 'Nobody saw you' }), {
    accepts: false,
    answer: 'Nobody saw you',
  }),
  'attendance.excuse': byCall('excuseAbsence', ({ params, sent }) => ({
    after: { activityId: params.activityId },
    reason: String(sent.reason),
  })),
  'attendance.take_excuse_back': byCall('takeExcuseBack', ({ params }) => ({
    after: { activityId: params.activityId },
    reason: 'Was at the doctor',
  })),
  'attendance.record': byCall('recordAttendance', async ({ sent, world }) => ({
    subjectId: await attendanceOf(world, String(sent.fellow_id)),
    after: { fellowId: sent.fellow_id, cohortId: sent.cohort_id, contentId: sent.content_id, weekNumber: 1 },
  })),
  'attendance.remove': async (world) => {
    const path = await byCall('correctAttendance', async ({ params }) => ({
      subjectId: await attendanceOf(world, params.participantId ?? ''),
      after: { path: `/api/activities/${params.id}/attendance/${params.participantId}` },
    }))(world);
    const client = await world.server.as(world.admin);
    const answer = await client.fetch((path.after as { path: string }).path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ attended: false, reason: 'Was not there' }),
    });
    expect(answer.status, await answer.text()).toBe(200);
    const before = { fellowId: expect.any(String), contentId: expect.any(String), weekNumber: 1 };
    return { actorId: path.actorId, subjectId: path.subjectId, before, reason: 'Was not there' };
  },
  'audit.export': exporting(exportAuditLog.path, { hasSearch: false }),
  'coach.assign': byCall('assignCoach', ({ sent }) => ({
    subjectId: String((sent.participantIds as string[])[0]),
    after: { coachId: sent.coachId },
  })),
  'coach.unassign': async ({ server, admin }) => {
    const [coach, participant] = [await buildCoach(server.db), await buildParticipant(server.db)];
    await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
    const body = { version: coach.version, role: 'participant' as const, trackType: null };
    await (await server.as(admin)).call(updateUser, { params: { id: coach.id }, body });
    const reason = 'The coach has another role';
    const change = { before: { coachId: coach.id }, after: { coachId: null }, reason };
    return { actorId: admin.id, subjectId: participant.id, ...change };
  },
  'cohort.enrol': byCall('enrolInCohort', ({ sent }) => ({
    subjectId: String(sent.userId),
    before: { membership: null },
    after: { membership: 'active', cohortId: sent.cohortId },
  })),
  'conversation.open': byCall('openConversation', ({ sent }) => ({
    subjectId: String(sent.participantId),
    after: { coachId: sent.coachId },
    reason: 'A complaint',
  })),
  'delivery.retry': byCall('retryDelivery', () => ({
    before: { status: 'given_up', reason: '550 No such mailbox' },
    after: { status: 'queued' },
  })),
  'import.end': imported('import.end'),
  'import.start': imported('import.start'),
  'import.undo': byCall('undoImport', () => ({ after: { accounts: 1, participants: 1, coaches: 0, admins: 0 } })),
  'invitation.resend': byCall('resendImportInvitations', async ({ params, world }) => ({
    subjectId: await personOf(world, params.id ?? ''),
  })),
  'membership.take_back': byCall('takeMemberBack', ({ params }) => ({
    before: { cohortId: params.id, membership: 'withdrawn' },
    after: { cohortId: params.id, membership: 'active' },
  })),
  'membership.withdraw': byCall('withdrawMember', ({ params, sent }) => ({
    before: { cohortId: params.id, membership: 'active' },
    after: { cohortId: params.id, membership: 'withdrawn' },
    reason: String(sent.reason),
  })),
  'module.complete': byCall('setModuleCompletion', ({ params }) => ({
    before: { moduleId: params.moduleId, isCompleted: false },
    after: { moduleId: params.moduleId, cohortId: params.id },
    reason: 'Certified before',
  })),
  'module.take_back': async (world) => {
    const done = await byCall('setModuleCompletion', ({ params }) => ({ after: { ...params } }))(world);
    const { id, participantId, moduleId } = done.after as Record<string, string>;
    const address = `/api/cohort-progress/${id}/members/${participantId}/modules/${moduleId}`;
    const answer = await (await world.server.as(world.admin)).fetch(address, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ isCompleted: false, note: 'By mistake' }),
    });
    expect(answer.status, await answer.text()).toBe(200);
    const before = { moduleId, isCompleted: true };
    return { ...done, before, after: { moduleId, cohortId: id }, reason: 'By mistake' };
  },
  'note.open': byCall('openPersonNote', async ({ params, sent, world }) => {
    const note = await noteIn(world, params.id ?? '');
    return { subjectId: note.personId, after: { authorId: note.authorId }, reason: String(sent.reason) };
  }),
  'note.remove': async ({ server, admin }) => {
    const person = await buildParticipant(server.db);
    const { id } = await buildNote(server.db, { personId: person.id, authorId: admin.id });
    await (await server.as(admin)).call(removePersonNote, { params: { id } });
    return { actorId: admin.id, subjectId: person.id, before: { kind: 'staff', authorId: admin.id } };
  },
  'note.write': byCall('writePersonNote', ({ sent }) => ({ after: { kind: sent.kind } })),
  'performance.rate': byCall('rateWeek', async ({ params, world }) => ({
    subjectId: await ratingOf(world, params.participantId ?? ''),
    before: { rating: null },
    after: { rating: 4, participantId: params.participantId, weekNumber: 1 },
  })),
  'role_request.approve': byCall('approveRoleRequest', () => ({
    before: { role: 'participant', requestedRole: 'coach' },
    after: { role: 'coach' },
  })),
  'role_request.decline': byCall('declineRoleRequest', () => ({
    before: { role: 'participant', requestedRole: 'coach' },
    after: { role: 'participant' },
  })),
  'session.cancel': byCall('cancelSession', () => ({
    before: { status: 'scheduled' },
    after: { status: 'cancelled' },
    reason: 'Ill',
  })),
  'session.change_coach': async ({ server, admin }) => {
    const { db } = server;
    const [former, participant] = [await buildCoach(db), await buildParticipant(db)];
    const [first, second] = [await buildCohort(db), await buildCohort(db)];
    await buildCourse(db);
    const client = await server.as(admin);
    const enrolled = { userId: participant.id, cohortId: first.id, coachId: former.id };
    await client.call(enrolInCohort, { body: enrolled });
    const { coach, day } = await freeDay(db);
    const booked = { coachId: former.id, participantId: participant.id, scheduledAt: `${day}T15:00:00Z` };
    const { id } = await buildCoachingSession(db, booked);
    const body = { userId: participant.id, cohortId: second.id, coachId: coach.id, bookedSessions: 'move' as const };
    await client.call(enrolInCohort, { body });
    return { actorId: admin.id, subjectId: id, before: { coachId: former.id }, after: { coachId: coach.id } };
  },
  'session.update': byCall('updateSession', () => ({
    before: { status: 'scheduled' },
    after: { status: 'no_show', written: expect.arrayContaining(['notes', 'noShowReason']) },
  })),
  'stipend.adjust_amount': async (world) => {
    const { id } = await handedOver(world);
    const { db } = world.server;
    const row = db.selectFrom('stipendEligibility').select('version').where('id', '=', id);
    const { version } = await row.executeTakeFirstOrThrow();
    const client = await world.server.as(world.admin);
    const answer = await client.fetch(`/api/stipends/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version, amountCents: 45_000, reason: 'Half a day' }),
    });
    expect(answer.status, await answer.text()).toBe(200);
    const change = { before: { amountCents: 50_000 }, after: { amountCents: 45_000 }, reason: 'Half a day' };
    return { actorId: world.admin.id, subjectId: id, ...change };
  },
  'stipend.answer_question': byCall('answerStipendQuestion', ({ sent }) => ({
    before: { question: 'Why?', weekNumber: 1 },
    after: { answer: sent.answer },
  })),
  'stipend.approve': byCall('approveStipend', () => ({ before: pending, after: approved })),
  'stipend.approve_amount': byCall('approveStipendAmount', () => ({
    before: { amountCents: 40_000 },
    after: { amountCents: 40_000 },
  })),
  'stipend.approve_first': async ({ server, admin }) => {
    const cohortId = (await buildCohort(server.db, { needsSecondApprover: true })).id;
    const { id, version } = await buildStipend(server.db, { cohortId });
    await (await server.as(admin)).call(approveStipend, { params: { id }, body: { version } });
    return { actorId: admin.id, subjectId: id, before: pending, after: pending };
  },
  'stipend.change_amount': byCall('changeStipendAmount', () => ({
    before: { amountCents: 50_000 },
    after: { amountCents: 60_000 },
    reason: 'Travel',
  })),
  'stipend.close_question': byCall('answerStipendQuestion', () => ({ before: { question: 'Why?', weekNumber: 1 } }), {
    closes: true,
    answer: '',
  }),
  'stipend.deny': byCall('denyStipend', () => ({
    before: pending,
    after: { ...pending, paymentStatus: 'denied' },
    reason: 'Left',
  })),
  'stipend.export': exporting(`${exportStipends.path}?scope=week&week=1&format=csv`, { scope: 'week', week: 1 }),
  'stipend.hand_over': async (world) => {
    const { id, handoverId } = await handedOver(world);
    const change = { before: approved, after: { ...approved, handoverId } };
    return { actorId: world.admin.id, subjectId: id, ...change };
  },
  'stipend.hand_over_again': async (world) => {
    const { id, cohortId } = await handedOver(world);
    const client = await world.server.as(world.admin);
    const { sentUnpaid: seen } = await figuresOf(client, { week: 1, cohort: cohortId });
    const again = await client.call(handOverWeek, { body: { weekNumber: 1, cohortId, again: true, seen } });
    const change = { before: approved, after: { ...approved, handoverId: again.handoverId } };
    return { actorId: world.admin.id, subjectId: id, ...change };
  },
  'stipend.pay': byCall('markStipendPaid', ({ sent }) => ({
    before: approved,
    after: { ...approved, paymentStatus: 'paid', paidCents: sent.amountCents },
  })),
  'stipend.recall_handover': async (world) => {
    world.receiver.answers.push({ status: 500 });
    return byCall('recallHandover', () => ({
      before: { status: expect.stringMatching(/^(queued|failed|sending)$/) },
      after: { status: 'recalled', recipients: 1 },
      reason: 'Nobody has it',
    }))(world);
  },
  'stipend.renew_payee': byCall('renewStipendPayee', async ({ params, world }) => {
    const rows = world.server.db
      .selectFrom('stipendEligibility')
      .selectAll()
      .where('id', '=', params.id ?? '');
    const { fellowId, payeeEmail } = await rows.executeTakeFirstOrThrow();
    return {
      subjectId: fellowId,
      before: { email: expect.not.stringMatching(String(payeeEmail)) },
      after: { email: payeeEmail, stipendId: params.id },
    };
  }),
  'stipend.take_payment_back': byCall('takePaymentBack', () => ({
    before: { paymentStatus: 'paid', amountCents: 50_000 },
    after: { amountCents: 0 },
    reason: 'Paid to somebody else',
  })),
  'review.take_back': byCall('takeReviewBack', () => ({
    before: { status: 'accepted', roundNumber: 1 },
    after: { status: 'submitted', roundNumber: 1, isOwnParticipant: true },
  })),
  'saved_comment.create': byCall('createSavedComment', ({ sent }) => ({ after: { isShared: sent.isShared } })),
  'saved_comment.delete': byCall('deleteSavedComment', () => ({ before: { isShared: true } })),
  'saved_comment.update': byCall('updateSavedComment', () => ({
    before: { isShared: true },
    after: { isShared: true },
  })),
  'session.reopen': byCall('reopenSession', () => ({
    before: { status: 'completed' },
    after: { status: 'scheduled' },
  })),
  'submission.correct_review': byCall('correctReview', ({ sent }) => ({
    before: { status: 'accepted', roundNumber: 1 },
    after: { status: 'needs_revision', roundNumber: 1 },
    reason: String(sent.reason),
  })),
  'submission.review': byCall('reviewSubmission', () => ({
    before: { status: 'submitted', roundNumber: 1 },
    after: { status: 'accepted', roundNumber: 1, isOwnParticipant: true },
  })),
  'track.lock': byCall('lockTrack', ({ sent }) => ({
    before: { trackId: sent.trackId, isLocked: false },
    after: { trackId: sent.trackId, isLocked: true },
  })),
  'track.select': byCall('selectTrack', ({ sent, answer }) => ({
    subjectId: answer.id,
    after: { trackId: sent.trackId },
  })),
  'user.change_role': async ({ server, admin }) => {
    const { id, version } = await buildParticipant(server.db);
    const body = { version, role: 'coach' as const, trackType: null };
    await (await server.as(admin)).call(updateUser, { params: { id }, body });
    return { actorId: admin.id, subjectId: id, before: { role: 'participant' }, after: { role: 'coach' } };
  },
  'user.create': async (world) => {
    const importId = await finishedImport(world.server, world.admin);
    const after = { role: 'participant', importId };
    return { actorId: world.admin.id, subjectId: await personOf(world, importId), after };
  },
  'user.delete': byCall('deleteUser', () => ({ before: { role: 'participant', trackType: 'fellowship' } })),
  'user.export': exporting(exportUsers.path, { hasSearch: false, role: 'all' }),
  'user.invite_again': byCall('resendInvitation', () => ({})),
  'user.update': byCall('updateUser', () => ({ before: { firstName: 'Robin' }, after: { firstName: 'Other' } })),
} satisfies Partial<Record<AuditAction, AuditedAct>>;

function exporting(address: string, after: object): AuditedAct {
  return async ({ server, admin }) => {
    const answer = await (await server.as(admin)).fetch(address);
    expect(answer.status, await answer.text()).toBe(200);
    return { actorId: admin.id, subjectId: admin.id, after };
  };
}

function imported(action: 'import.start' | 'import.end'): AuditedAct {
  return async ({ server, admin }) => {
    const subjectId = await finishedImport(server, admin);
    const ended = { status: 'completed', totalRecords: 1, successfulRecords: 1, failedRecords: 0 };
    const after = action === 'import.start' ? { records: 1, refused: 0 } : ended;
    return { actorId: admin.id, subjectId, after };
  };
}

/** A week of one stipend, which the payment system accepted. */
async function handedOver({ server, admin }: AuditWorld) {
  const { id, cohortId, weekNumber } = await approvedStipend(server.db);
  const sent = await (await server.as(admin)).call(handOverWeek, { body: { cohortId, weekNumber } });
  expect(sent.status).toBe('sent');
  return { id, cohortId, handoverId: sent.handoverId };
}

async function attendanceOf({ server }: AuditWorld, fellowId: string): Promise<string> {
  const record = server.db.selectFrom('attendanceRecords').select('id').where('fellowId', '=', fellowId);
  return (await record.executeTakeFirstOrThrow()).id;
}

async function ratingOf({ server }: AuditWorld, fellowId: string): Promise<string> {
  const rating = server.db.selectFrom('performanceFeedback').select('id').where('fellowId', '=', fellowId);
  return (await rating.executeTakeFirstOrThrow()).id;
}

async function personOf({ server }: AuditWorld, importId: string): Promise<string> {
  const row = server.db.selectFrom('bulkImportRows').select('userId').where('importId', '=', importId);
  return (await row.executeTakeFirstOrThrow()).userId ?? '';
}

function noteIn({ server }: AuditWorld, id: string) {
  return server.db
    .selectFrom('personNotes')
    .select(['personId', 'authorId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
