import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { refuseGuessablePassword } from '#server/features/accounts/passwords/password-refusals.ts';
import { tellOfNewAdminsQueue } from '#server/features/users/new-admin-queue.ts';
import type { App } from '#server/platform/app-parts.ts';
import { audit } from '#server/platform/audit.ts';
import { countedAddress } from '#server/platform/client-address.ts';
import { AppError } from '#server/platform/errors.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { limitTries } from '#server/platform/rate-limit.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { hashToken } from '#server/sign-in/password-links.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { makeRoomFor } from '#server/sign-in/unconfirmed-registrations.ts';

export interface NewAdmin {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

const tries = { max: 20, windowSeconds: 600 };

/**
 * Makes a one-time token to print at start if the instance has no admin, or returns null. Tokens that other processes
 * or earlier starts printed stay good.
 */
export async function firstAdminToken(app: Pick<App, 'db'>): Promise<string | null> {
  if (await hasAdmin(app.db)) return null;
  const token = randomBytes(24).toString('base64url');
  await sql`
    with outdated as (delete from auth.first_admin_token where created_at < now() - interval '30 days')
    insert into auth.first_admin_token (token_hash) values (${hashToken(token)})`.execute(app.db);
  return token;
}

export async function makeFirstAdmin(app: App, request: FastifyRequest, token: string, admin: NewAdmin): Promise<void> {
  await limitTries(app.db, `first-admin:${countedAddress(request)}`, tries, app.config.rateLimitFactor);
  await inTransaction(app.db, async (db) => {
    const tokens = await sql<{ isGiven: boolean }>`
      delete from auth.first_admin_token returning token_hash = ${hashToken(token)} as is_given`.execute(db);
    if (!tokens.rows.some(({ isGiven }) => isGiven) || (await hasAdmin(db))) {
      throw new AppError('forbidden', 'This token is not valid, or there is an admin already.');
    }
    await createAdmin(db, null, admin);
  });
}

/**
 * Also used by `npm run admin:create`, where nobody is signed in. If an admin makes another one and chooses the
 * password, its owner has to change it. A link that they get sets one too. Throws 'duplicate' if the email has an
 * account, and 'invalid_input' if the password is guessable.
 */
export async function createAdmin(db: Db, actorId: string | null, admin: NewAdmin): Promise<string> {
  refuseGuessablePassword(admin.password, admin, 'password');
  await makeRoomFor(db, actorId, [admin.email]);
  const id = await createSignInWithPassword(db, { ...admin, role: 'admin', trackType: null, madeBy: actorId });
  if (actorId !== null) await enqueue(db, tellOfNewAdminsQueue, { personIds: [id], isInvited: false });
  await changed(db, 'people', []);
  await audit(db, actorId, {
    action: 'admin.create',
    subjectType: 'user',
    subjectId: id,
    after: { email: admin.email, firstName: admin.firstName, lastName: admin.lastName, role: 'admin' },
  });
  return id;
}

/**
 * A person with an unconfirmed address does not count. They cannot sign in, and may be a stranger who chose the role.
 */
async function hasAdmin(db: Db): Promise<boolean> {
  const found = await sql`
    select from profiles join auth."user" sign_in on sign_in.id = profiles.id
    where role = 'admin' and deleted_at is null and email_verified limit 1`.execute(db);
  return found.rows.length > 0;
}
