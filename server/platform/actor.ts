import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Role, TrackType } from '#contract/roles.ts';
import type { App } from '#server/platform/app-parts.ts';
import { readSessionToken, renewalSeconds, sessionSeconds } from '#server/platform/auth-cookie.ts';
import { createMissingProfiles } from '#server/platform/missing-profiles.ts';

/** The signed-in person, as stored at the moment of the request (SEC-03). */
export interface Actor {
  id: string;
  role: Role;
  trackType: TrackType | null;
  email: string;
  firstName: string;
  lastName: string;
  sessionId: string;
}

type AppPart = Pick<App, 'db' | 'config' | 'auth'>;

interface SessionRow extends Omit<Actor, 'role'> {
  /** Null when the sign-in has no profile. */
  role: Role | null;
  expiresAt: Date;
  isDeleted: boolean;
  isRenewalDue: boolean;
}

const renewedSessions = new WeakMap<FastifyRequest, string>();

/** Who sends the request, by session cookie or bearer token; null when nobody does. One statement. */
export async function readActor(app: AppPart, request: FastifyRequest): Promise<Actor | null> {
  const token = readSessionToken(request, app.config.publicUrl, app.auth.options.secret);
  if (!token) return null;
  const row = await readSessionRow(app, token);
  if (!row || row.isDeleted) return null;
  if (row.isRenewalDue) await renew(app, request, token);
  const { role, expiresAt: _expiresAt, isDeleted: _isDeleted, isRenewalDue: _isRenewalDue, ...person } = row;
  return role ? { ...person, role } : null;
}

/** The token of the session that this request prolonged, whose cookie is to be sent again. */
export function renewedSessionToken(request: FastifyRequest): string | undefined {
  return renewedSessions.get(request);
}

async function readSessionRow(app: AppPart, token: string): Promise<SessionRow | undefined> {
  const row = await selectSessionRow(app, token);
  if (!row || row.role) return row;
  await createMissingProfiles(app.db, [row.id]);
  return selectSessionRow(app, token);
}

async function selectSessionRow(app: AppPart, token: string): Promise<SessionRow | undefined> {
  const found = await sql<SessionRow>`
    select sign_in.id, profile.role, profile.track_type, sign_in.email, profile.first_name, profile.last_name,
      session.id as session_id, session.expires_at, profile.deleted_at is not null as is_deleted,
      session.expires_at < now() + make_interval(secs => ${sessionSeconds - renewalSeconds}) as is_renewal_due
    from auth.session
    join auth."user" sign_in on sign_in.id = session.user_id
    left join profiles profile on profile.id = sign_in.id
    where session.token = ${token} and session.expires_at > now()`.execute(app.db);
  return found.rows[0];
}

async function renew(app: AppPart, request: FastifyRequest, token: string): Promise<void> {
  await sql`
    update auth.session set expires_at = now() + make_interval(secs => ${sessionSeconds}), updated_at = now()
    where token = ${token}`.execute(app.db);
  renewedSessions.set(request, token);
}
