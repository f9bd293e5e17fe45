import { sql } from 'kysely';
import { invitableStates, overdueStates } from '#contract/import-results.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { type InvitedPerson, type InvitingApp, invitePeople } from '#server/sign-in/invitations.ts';
import { rowsOf } from './import-results-queries.ts';

/**
 * Sends new invitations to these rows. Without rows, it sends them to all that expired or were not delivered. Earlier
 * links stop working. Throws 'conflict' if none of them waits for an invitation.
 */
export async function resendInvitations(
  db: Db,
  actor: Actor,
  upload: { importId: string; rows: number[] | undefined },
  app: InvitingApp,
): Promise<{ sent: number }> {
  const { importId, rows } = upload;
  await lockUpload(db, importId);
  const people = await findInvitable(db, importId, rows);
  if (people.length === 0) {
    const detail = rows
      ? 'The person has already accepted the invitation, or was removed.'
      : 'No invitation of this import has expired or failed.';
    throw new AppError('conflict', detail);
  }
  await invitePeople(db, people, importId, app);
  await audit(
    db,
    actor.id,
    people.map(({ userId }) => ({ action: 'invitation.resend', subjectType: 'user', subjectId: userId })),
  );
  return { sent: people.length };
}

/**
 * If two people resend at once, the second finds the first one's new invitations. Meanwhile nobody undoes the upload.
 */
async function lockUpload(db: Db, importId: string): Promise<void> {
  const upload = await db
    .selectFrom('bulkImports')
    .select('id')
    .where('id', '=', importId)
    .forUpdate()
    .executeTakeFirst();
  if (!upload) throw notFound('This upload was not found.');
}

async function findInvitable(db: Db, importId: string, rows: number[] | undefined): Promise<InvitedPerson[]> {
  const states: string[] = rows ? [...invitableStates] : [...overdueStates];
  const found = await sql<InvitedPerson>`
    select sign_in.id as user_id, sign_in.email, row.first_name
    from (${rowsOf(importId)}) row join auth."user" sign_in on sign_in.id = row.user_id
    where state = any(${states}::text[]) and ${rows ? sql`row_number = any(${rows}::int[])` : sql`true`}
    order by sign_in.id for update of sign_in`.execute(db);
  return found.rows;
}
