import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { queueMail } from '#server/platform/mailer.ts';
import { type InvitingApp, invitePeople } from '#server/sign-in/invitations.ts';
import { newAdminMail, roleDecisionMail } from '#server/sign-in/sign-in-mails.ts';

interface NewAdmin {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  giverName: string;
  /** The identity of the grant. */
  grant: string;
}

/**
 * Every other admin hears who made whom an admin. The giver hears it too, because somebody else may have used their
 * session.
 */
export async function tellOfNewAdmins(db: Db, personIds: string[], publicUrl: string): Promise<void> {
  const made = await findNewAdmins(db, personIds);
  const readers = await db
    .selectFrom('profiles')
    .select(['id', 'email', 'firstName'])
    .where('role', '=', 'admin')
    .where('deletedAt', 'is', null)
    .execute();
  await queueMail(
    db,
    made.flatMap((admin) =>
      readers
        .filter(({ id }) => id !== admin.id)
        .map((reader) => ({
          ...newAdminMail(reader, { ...admin, name: `${admin.firstName} ${admin.lastName}` }, publicUrl),
          eventKey: `new-admin:${admin.grant}:${reader.id}`,
        })),
    ),
  );
}

/** Sends the link with which a new admin sets their own password. */
export async function inviteNewAdmins(db: Db, personIds: string[], app: InvitingApp): Promise<void> {
  const made = await findNewAdmins(db, personIds);
  const invited = made.map(({ id, email, firstName }) => ({ userId: id, email, firstName }));
  await invitePeople(db, invited, null, app);
}

/** Tells people who asked to be an admin that they are one. */
export async function answerNewAdmins(
  db: Db,
  personIds: string[],
  { title, message }: { title: string; message: string },
  publicUrl: string,
): Promise<void> {
  const made = await findNewAdmins(db, personIds);
  await queueMail(
    db,
    made.map((admin) => roleDecisionMail(admin, title, message, publicUrl)),
  );
}

/** Finds the people who are still admins. */
async function findNewAdmins(db: Db, personIds: string[]): Promise<NewAdmin[]> {
  const found = await sql<NewAdmin>`
    select person.id, person.email::text as email, person.first_name, person.last_name,
      giver.full_name as giver_name, person.id || ':' || last_one.granted_at as grant
    from profiles person
    cross join lateral (
      select granted_by, granted_at from admin_grants where person_id = person.id order by granted_at desc limit 1
    ) last_one
    join profiles giver on giver.id = last_one.granted_by
    where person.id = any(${personIds}::uuid[]) and person.role = 'admin' and person.deleted_at is null
    order by person.id`.execute(db);
  return found.rows;
}
