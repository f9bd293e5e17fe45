import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { type AuditEntry, audit } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';
import { findPresence, refusalOfUndo } from './import-undo-queries.ts';

/**
 * Takes all people of an upload out again, in the caller's transaction. Sign-ins, memberships, links and mails go. What
 * others wrote about them stays under 'Deleted user'. Throws 'conflict' with names if one of them has been here.
 */
export async function takeImportBack(db: Db, actor: Actor, importId: string): Promise<{ accounts: number }> {
  const upload = await lockUpload(db, importId);
  await lockPeople(db, importId);
  const presence = await findPresence(db, importId);
  const refusal = refusalOfUndo({ ...upload, hasEnded: upload.status !== 'processing' }, presence);
  if (refusal !== null) throw new AppError('conflict', refusal);
  const { removed, uncoached, coachIds } = await removePeople(db, actor.id, importId);
  const { accounts, participants, coaches, admins, places } = presence;
  await audit(db, actor.id, [
    {
      action: 'import.undo',
      subjectType: 'bulk_import',
      subjectId: importId,
      after: { accounts, participants, coaches, admins, places },
    },
    ...removed.map(
      ({ id, role }): AuditEntry => ({
        action: 'user.delete',
        subjectType: 'user',
        subjectId: id,
        before: { role, importId },
        reason: 'The import was undone',
      }),
    ),
    ...uncoached.map(
      ({ participantId, coachId }): AuditEntry => ({
        action: 'coach.unassign',
        subjectType: 'user',
        subjectId: participantId,
        before: { coachId },
        after: { coachId: null },
        reason: 'The import was undone',
      }),
    ),
  ]);
  await changed(db, ['coaches', 'imports'], [...uncoached.map(({ participantId }) => participantId), ...coachIds]);
  return { accounts: removed.length };
}

async function lockUpload(db: Db, importId: string) {
  const upload = await db
    .selectFrom('bulkImports')
    .select(['status', 'undoneAt', 'successfulRecords'])
    .where('id', '=', importId)
    .forUpdate()
    .executeTakeFirst();
  if (!upload) throw notFound('This upload was not found.');
  return upload;
}

/**
 * Locks in the order of other acts. To enroll takes the cohort first, to set a password takes the link first, and to
 * decide what is sent takes the event first.
 */
async function lockPeople(db: Db, importId: string): Promise<void> {
  const people = sql`(select user_id from bulk_import_rows where import_id = ${importId} and user_id is not null)`;
  await sql`
    select from cohorts
    where id in (select cohort_id from cohort_participants where participant_id in ${people})
    order by id for update`.execute(db);
  await sql`select from auth.password_link where user_id in ${people} order by token_hash for update`.execute(db);
  await sql`select from notice_events where user_id in ${people} order by id for update`.execute(db);
  await sql`
    select from profiles join auth."user" sign_in on sign_in.id = profiles.id
    where profiles.id in ${people} order by profiles.id for update`.execute(db);
}

interface Removal {
  removed: { id: string; role: string }[];
  /** People who stay and have lost a coach, and that coach. */
  uncoached: { participantId: string; coachId: string }[];
  /** Coaches who stay and have lost a participant. */
  coachIds: string[];
}

async function removePeople(db: Db, actorId: string, importId: string): Promise<Removal> {
  const { rows } = await sql<Removal>`
    with gone as (
      select profiles.id, profiles.email::text as email, role
      from bulk_import_rows row join profiles on profiles.id = row.user_id
      where row.import_id = ${importId} and deleted_at is null
    ), membership as (
      delete from cohort_participants using gone where participant_id = gone.id
    ), course as (
      delete from user_courses using gone where user_id = gone.id returning coach_id
    ), coached as (
      update user_courses set coach_id = null from gone
      where coach_id = gone.id and user_id not in (select id from gone)
      returning user_id, gone.id as coach_id
    ), link as (
      delete from auth.password_link using gone where user_id = gone.id
    ), wish as (
      delete from auth.verification using gone where identifier = 'mail-sign-in:' || gone.id
    ), invitation as (
      delete from invitations using gone where user_id = gone.id
    ), mail as (
      delete from deliveries using gone where recipient_id = gone.id
    ), notice as (
      delete from notices using gone where user_id = gone.id
    ), event as (
      delete from notice_events using gone where user_id = gone.id
    ), sign_in as (
      delete from auth."user" using gone where "user".id = gone.id
    ), profile as (
      update profiles
      set email = ('deleted-' || gone.id || '@deleted.invalid')::citext, first_name = 'Deleted', last_name = 'user', phone = null,
        phone_confirmed_at = null, track_type = null, requested_role = null, deleted_at = now()
      from gone where profiles.id = gone.id
    ), row as (
      update bulk_import_rows
      set status = 'undone', user_id = null, record = jsonb_build_object('email', gone.email)
      from gone where import_id = ${importId} and user_id = gone.id
    ), upload as (
      update bulk_imports set undone_at = now(), undone_by = ${actorId} where id = ${importId}
    )
    select coalesce((select json_agg(json_build_object('id', id, 'role', role)) from gone), '[]') as removed,
      coalesce((select json_agg(distinct jsonb_build_object('participantId', user_id, 'coachId', coach_id)) from coached), '[]')
        as uncoached,
      array(select distinct coach_id from course where coach_id is not null
        and coach_id not in (select id from gone)) as coach_ids`.execute(db);
  const [removal] = rows;
  // Stryker disable next-line CallExpression,ConditionalExpression,StringLiteral: The statement always has one row.
  if (!removal) throw new Error('A select without a table answered no row.');
  return removal;
}
