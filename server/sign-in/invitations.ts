import { sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { App } from '#server/platform/app-parts.ts';
import { newId } from '#server/platform/ids.ts';
import { queueMail, sealMail } from '#server/platform/mailer.ts';
import { changed } from '#server/platform/telling.ts';
import { invitationSeconds, issuePasswordLinks } from '#server/sign-in/password-links.ts';
import { invitationMail } from '#server/sign-in/sign-in-mails.ts';

export type InvitingApp = Pick<App, 'secrets'> & { config: Pick<Config, 'publicUrl'> };

export interface InvitedPerson {
  userId: string;
  email: string;
  firstName: string;
  /** The import that brought the person, if it is not the one of all. */
  importId?: string | null;
}

/**
 * Invites people to choose their first password. Five statements make the invitations, their links (7 days) and the
 * mails, for any number. Links of earlier invitations stop working.
 */
export async function invitePeople(
  db: Db,
  people: InvitedPerson[],
  importId: string | null,
  { secrets, config }: InvitingApp,
): Promise<void> {
  if (people.length === 0) return;
  const invited = people.map((person) => ({ importId, ...person, invitationId: newId() }));
  await sql`
    delete from auth.password_link
    where kind = 'invitation' and user_id = any(${people.map((person) => person.userId)}::uuid[])`.execute(db);
  await sql`
    insert into invitations (id, user_id, import_id, expires_at)
    select "invitationId", "userId", "importId", now() + make_interval(secs => ${invitationSeconds})
    from jsonb_to_recordset(${JSON.stringify(invited)}::jsonb)
      as given ("invitationId" uuid, "userId" uuid, "importId" uuid)`.execute(db);
  const isOfImport = invited.some((person) => person.importId !== null);
  await changed(db, isOfImport ? ['people', 'imports'] : 'people', []);
  const links = await issuePasswordLinks(db, config.publicUrl, invited);
  await queueMail(
    db,
    invited.map((person, index) =>
      sealMail(secrets, invitationMail({ ...person, id: person.userId }, links[index] ?? '')),
    ),
  );
}
