import { sql } from 'kysely';
import { copyProgramme } from '#contract/programme-copies.ts';
import { importNextChunk } from '#server/features/imports/import-chunks.ts';
import { keepUpload } from '#server/features/imports/imports.ts';
import { newId } from '#server/platform/ids.ts';
import { invitePeople } from '#server/sign-in/invitations.ts';
import { buildCohort, buildCourse, enrol } from '../factories/cohorts.ts';
import { buildActivity, buildContentItem, buildTrack } from '../factories/curriculum.ts';
import { buildGivenUpDelivery } from '../factories/deliveries.ts';
import { bulkRecordFor } from '../factories/imports.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from '../factories/people.ts';
import { buildNote } from '../factories/person-notes.ts';
import type { TestApp } from './app.ts';
import type { MakeCall } from './made-call.ts';
import { confirmSecondFactor } from './sign-in-ways.ts';

/** Acts of admins on accounts, uploads and emails, and on a whole programme. */
export const callsOnPeople: Record<string, MakeCall> = {
  approveRoleRequest: onRoleRequest,
  declineRoleRequest: onRoleRequest,
  resendInvitation: async ({ app, db }) => {
    const person = await buildParticipant(db);
    await invitePeople(db, [{ userId: person.id, email: person.email, firstName: 'Robin' }], null, app);
    return { params: { id: person.id } };
  },
  resendUserInvitations: async ({ app, db }) => {
    const seenAt = new Date(Date.now() - 1000).toISOString();
    const person = await buildParticipant(db);
    await invitePeople(db, [{ userId: person.id, email: person.email, firstName: 'Robin' }], null, app);
    await db
      .updateTable('invitations')
      .set({ sentAt: new Date(0) })
      .where('userId', '=', person.id)
      .execute();
    return { body: { userIds: [person.id], seenAt } };
  },
  createAdminUser: async () => ({ body: { email: `new-${newId()}@people.example`, password: 'Turbine-Hall-9' } }),
  removeSecondFactor: async ({ db }) => {
    const { id, email } = await buildParticipant(db);
    await confirmSecondFactor(db, id);
    return { body: { email } };
  },
  // Leaves no admin in the rule. Otherwise the people of other calls could not go on without a second factor.
  changeSignInPolicy: async ({ db }) => {
    await sql`update auth.sign_in_policy set second_factor_roles = array['coach']`.execute(db);
    return { body: { secondFactorRoles: [], seen: ['coach'] } };
  },
  processBulkInvitations: async ({ db }) => {
    await buildCourse(db);
    return { body: { records: [bulkRecordFor(await buildCohort(db))], filename: 'people.csv' } };
  },
  undoImport: async (server, admin) => ({ params: { id: await finishedImport(server, admin) } }),
  resendImportInvitations: async (server, admin) => ({
    params: { id: await finishedImport(server, admin) },
    body: { rows: [1] },
  }),
  retryDelivery: async ({ db }) => ({ params: { id: (await buildGivenUpDelivery(db)).id } }),
  retryDeliveries: async ({ db }) => {
    const { address } = await buildGivenUpDelivery(db, { address: `given-up-${newId()}@people.example` });
    return { body: { channel: 'mail', kind: 'review', search: address } };
  },
  copyProgramme: async ({ db }) => ({ body: await programmeToCopy(db) }),
  undoProgrammeCopy: async (server, admin) => {
    const body = { ...(await programmeToCopy(server.db)), name: `Copy ${newId()}` };
    await (await server.as(admin)).call(copyProgramme, { body });
    return { params: { id: body.id } };
  },
  lockTrack: async ({ db }) => {
    const [cohort, participant] = [await buildCohort(db, { curriculumVersion: newId() }), await buildParticipant(db)];
    await enrol(db, { cohortId: cohort.id, participantId: participant.id });
    const track = await buildTrack(db);
    const { id } = await db
      .insertInto('trackSelections')
      .values({ participantId: participant.id, cohortId: cohort.id, specializationTrackId: track.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { as: participant, params: { id }, body: { trackId: track.id } };
  },
  writePersonNote: async ({ db }) => ({ params: { id: (await buildParticipant(db)).id } }),
  openPersonNote: noteOfParticipant,
  removePersonNote: noteOfParticipant,
  answerAttendanceCorrection: async ({ db }) => ({
    params: { id: (await askedCorrection(db)).id },
    body: { accepts: true, answer: '' },
  }),
};

async function noteOfParticipant({ db }: TestApp, admin: BuiltPerson) {
  const person = await buildParticipant(db);
  return { params: { id: (await buildNote(db, { personId: person.id, authorId: admin.id, kind: 'restricted' })).id } };
}

async function programmeToCopy(db: TestApp['db']) {
  const { id: sourceCohortId } = await buildCohort(db);
  await buildContentItem(db, { trainingActivityId: (await buildActivity(db, { cohortId: sourceCohortId })).id });
  return { id: newId(), sourceCohortId, startDate: '2027-03-01', capacity: 20 };
}

/** A participant who says that they attended an activity of their cohort. */
export async function askedCorrection(db: TestApp['db']) {
  const [cohort, participant, coach] = [await buildCohort(db), await buildParticipant(db), await buildCoach(db)];
  await enrol(db, { cohortId: cohort.id, participantId: participant.id, coachId: coach.id });
  const activity = await buildActivity(db, { cohortId: cohort.id, sessionDate: '2025-09-09' });
  const asked = { participantId: participant.id, activityId: activity.id, cohortId: cohort.id, weekNumber: 1 };
  const { id } = await db
    .insertInto('attendanceCorrections')
    .values({ ...asked, attended: true, reason: 'I was there' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, participant, coach, activity, cohort };
}

async function onRoleRequest({ db }: TestApp) {
  const { id } = await buildParticipant(db);
  for (const table of ['profiles', 'auth.user'] as const) {
    await db.updateTable(table).set({ requestedRole: 'coach' }).where('id', '=', id).execute();
  }
  return { params: { id }, body: { requestedRole: 'coach' } };
}

/** An upload of one participant whose account was made. */
export async function finishedImport({ app, db }: TestApp, admin: BuiltPerson): Promise<string> {
  await buildCourse(db);
  const record = { first_name: '', last_name: '', email: '', program: '', cohort: '', role: '' };
  const records = [{ ...record, ...bulkRecordFor(await buildCohort(db)) }];
  const importId = await keepUpload(
    db,
    { ...admin, role: 'admin', trackType: null, sessionId: newId() },
    { records, filename: 'people.csv' },
  );
  while (await db.transaction().execute((transaction) => importNextChunk(transaction, importId, app)));
  return importId;
}
