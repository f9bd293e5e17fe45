import { sql } from 'kysely';
import { cancelledByCoach } from '#contract/coach-sessions.ts';
import type { Db } from '#server/db/database.ts';
import { removeFilesOfPersonQueue } from '#server/features/files/stored-file-queue.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/errors.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { changed } from '#server/platform/telling.ts';
import { emailChangeOf, mailSignInOf, phoneCodeOf } from '#server/sign-in/password-links.ts';
import { removeSignIn } from '#server/sign-in/sign-ins.ts';
import { forgetInNews } from './forgotten-news.ts';
import { settleRole } from './role-changes.ts';
import { deletionRefusal, lockPerson, requireAnotherAdmin } from './user-access.ts';

/**
 * USER-17 to USER-20. Payments, reviews given and messages received by others stay, under the name 'Deleted user'. What
 * is the person's alone goes: sign-in and sessions now, the bytes of files by a job that commits with it.
 */
export async function deleteUser(db: Db, actor: Actor, id: string): Promise<void> {
  const refusal = deletionRefusal(actor, id);
  if (refusal) throw new AppError('conflict', refusal);
  const person = await lockPerson(db, id);
  requireAnotherAdmin(person);
  const roleChange = { from: person.role, to: null };
  await settleRole(db, actor, id, roleChange, [
    // The entry has no name, because the name is to be forgotten.
    {
      action: 'user.delete',
      subjectType: 'user',
      subjectId: id,
      before: { role: person.role, trackType: person.trackType },
    },
  ]);
  await erase(db, person);
  await removeSignIn(db, id);
  await changed(db, 'ways-in', [id]);
  await enqueue(db, removeFilesOfPersonQueue, { personId: id });
}

/** A trigger of the database forgets them in the log of who did what, and forgets the weeks that nobody will decide. */
async function erase(db: Db, person: Awaited<ReturnType<typeof lockPerson>>): Promise<void> {
  const { id, email } = person;
  const ownRows = [
    sql`delete from notices where user_id = ${id}`,
    sql`delete from deliveries where recipient_id = ${id}`,
    sql`delete from notice_events where user_id = ${id}`,
    sql`delete from push_subscriptions where user_id = ${id}`,
    sql`delete from notification_preferences where user_id = ${id}`,
    // Others may have kept a search for the person.
    sql`delete from saved_filters where owner_id = ${id} or search ->> 'person' = ${id} or search ->> 'participant' = ${id}
      or lower(search ->> 'search') in (lower(${email}), lower(${`${person.firstName} ${person.lastName}`}))`,
    sql`delete from calendar_feeds where user_id = ${id}`,
    sql`delete from assignment_drafts where user_id = ${id}`,
    sql`delete from review_drafts where reviewer_id = ${id}`,
    sql`delete from review_claims where reviewer_id = ${id}`,
    sql`delete from coach_availability where coach_id = ${id}`,
    sql`delete from uploads_by_day where owner_id = ${id}`,
    sql`delete from coach_leave where coach_id = ${id}`,
    sql`update last_sign_ins set signed_in_at = '-infinity' where user_id = ${id}`,
    // These rows hold a requested change of address, a mailed sign-in, or a texted code with its number.
    sql`delete from auth.verification
      where starts_with(identifier, ${emailChangeOf(id)}) or identifier in (${mailSignInOf(id)}, ${phoneCodeOf(id)})`,
    // Either side may have written about their sessions. Nobody's work or pay rests on that.
    sql`update coaching_sessions set agenda = null, notes = null, no_show_reason = null,
      cancel_reason = case when starts_with(cancel_reason, ${`${cancelledByCoach}:`}) then ${cancelledByCoach} else cancel_reason end
      where ${id} in (participant_id, coach_id)`,
    sql`update bulk_import_rows set record = '{}' where user_id = ${id}`,
    ...forgetInNews(person),
  ];
  await sql`
    with ${sql.join(ownRows.map((statement, index) => sql`${sql.raw(`part_${index}`)} as (${statement})`))}
    update profiles set first_name = 'Deleted', last_name = 'user', email = ${`deleted-${id}@deleted.invalid`},
      phone = null, phone_confirmed_at = null, track_type = null, requested_role = null, scheduling_enabled = false, scheduling_link = null,
      calendly_link = null, microsoft_booking_link = null, external_booking_instructions = null, deleted_at = now()
    where id = ${id}
    returning forget_in_uploads(${email})`.execute(db);
}
