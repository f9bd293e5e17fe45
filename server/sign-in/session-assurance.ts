import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { App } from '#server/platform/app-parts.ts';
import { AppError } from '#server/platform/errors.ts';
import { deviceCookie, isBrowser, signedSessionToken } from '#server/sign-in/auth-cookie.ts';
import { hashToken } from '#server/sign-in/password-links.ts';
import { noteSessionToken } from '#server/sign-in/session-identity.ts';
import type { Try } from '#server/sign-in/tries.ts';

/**
 * Call it when a second factor completes a sign-in or is turned on. The session becomes aal2 and gets a new token, so a
 * person who knew or planted the old one has nothing. Send the returned token with sendSessionToken after the commit.
 */
export async function raiseSession(db: Db, sessionId: string, tried: Try): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const raised = await sql`
    update auth.session
    set assurance_level = 'aal2', proved_at = now(), proved_by = ${tried.way}, token = ${token}, updated_at = now()
    where id = ${sessionId}
    returning id`.execute(db);
  if (raised.rows.length === 0)
    throw new AppError('not_authenticated', 'Your session has ended. Please sign in again.');
  tried.succeed();
  return token;
}

export function sendSessionToken(
  app: Pick<App, 'sessionKeys'>,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  noteSessionToken(request, token);
  if (request.headers.authorization && !isBrowser(request)) {
    reply.header('set-auth-token', signedSessionToken(token, app.sessionKeys));
  }
}

/** The person proved their identity once more in this session. */
export async function noteProof(db: Db, sessionId: string, tried: Try): Promise<void> {
  await sql`
    update auth.session set proved_at = now(), proved_by = ${tried.way},
      assurance_level = case when ${tried.way === 'second_factor'} then 'aal2' else assurance_level end
    where id = ${sessionId}`.execute(db);
  tried.succeed();
}

/**
 * For some days the session's device is not asked for a second factor again. From now on a new cookie identifies the
 * device, so a person who knew or planted the old one has nothing.
 */
export async function rememberDevice(
  app: Pick<App, 'db' | 'config'>,
  reply: FastifyReply,
  sessionId: string,
  days: number,
): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  await sql`
    update auth.device set token_hash = ${hashToken(token)}, remembered_until = now() + make_interval(days => ${days})
    from auth.session where session.id = ${sessionId} and device.id = session.device_id`.execute(app.db);
  reply.header('set-cookie', deviceCookie(token, app.config.publicUrl));
}

/** From now on every device of the person asks for the second factor again. */
export async function forgetRememberedDevices(db: Db, userId: string): Promise<void> {
  await sql`
    update auth.device set remembered_until = null
    where user_id = ${userId} and remembered_until is not null`.execute(db);
}
