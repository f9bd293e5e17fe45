import { setImmediate } from 'node:timers';
import DataLoader from 'dataloader';
import type { FastifyRequest } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type { Role } from '#contract/roles.ts';
import { hiddenTexts } from '#server/db/hidden-values.ts';
import { presentPosition } from '#server/db/log-position.ts';
import { type Actor, type Assurance, type Identity, nobody, type Sessions } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { readSessionToken, renewalSeconds, sessionCookie, sessionSeconds } from '#server/sign-in/auth-cookie.ts';
import { createMissingProfiles } from '#server/sign-in/missing-profiles.ts';
import { mustHaveSecondFactor, secondFactorDueAt } from '#server/sign-in/second-factor-rule.ts';

type SessionPart = Pick<App, 'db' | 'config'>;
type AppPart = SessionPart & Pick<App, 'sessionKeys'>;

/** The rows of sessions by their token. Nothing is kept, so each request learns what is so when it asks. */
type SessionRows = DataLoader<string, SessionRow | undefined>;

interface SessionRow extends Omit<Actor, 'role'>, Omit<Assurance, 'level'> {
  token: string;
  /** Null if the sign-in has no profile. */
  role: Role | null;
  expiresAt: Date;
  isDeleted: boolean;
  isRenewalDue: boolean;
  isUseToBeNoted: boolean;
  awaitsSecondFactor: boolean;
  assuranceLevel: Assurance['level'];
  logPosition: string | null;
}

/** `updated_at` of a session says when it was last used, only as precisely as this. */
const useInterval = sql`interval '5 minutes'`;

/** A session that ends for good cannot be prolonged, because a trigger lets no session last longer. */
const isRenewalDue = sql<boolean>`(
  session.expires_at < least(now() + make_interval(secs => ${sessionSeconds - renewalSeconds}), session.ends_for_good_at))`;

const renewedSessions = new WeakMap<FastifyRequest, string>();

export function sessionsOf(app: AppPart): Sessions {
  const part = { ...app, rows: sessionRowsOf(app) };
  return {
    identify: (request, { mayProlong = false } = {}) => readIdentity(part, request, mayProlong),
    isOpen: (sessionId) => isSessionOpen(app, sessionId),
  };
}

/**
 * Requests that the server received together are looked up in one statement (docs/decisions/0099). It takes no other
 * one, unless a use has to be noted or the profile is missing.
 */
async function readIdentity(
  app: AppPart & { rows: SessionRows },
  request: FastifyRequest,
  mayProlong: boolean,
): Promise<Identity> {
  const proven = readSessionToken(request, app.config.publicUrl, app.sessionKeys);
  if (!proven) return nobody;
  const { token, isCurrent } = proven;
  const row = await readSessionRow(app, token);
  if (!row?.role || row.isDeleted) return nobody;
  const { id, role, trackType, email, firstName, lastName, sessionId } = row;
  const person = { id, role, trackType, email, firstName, lastName, sessionId };
  if (row.awaitsSecondFactor) return { ...nobody, pending: person };
  const isProlonged = mayProlong && row.isRenewalDue;
  if (isProlonged || (mayProlong && !isCurrent)) renewedSessions.set(request, token);
  if (isProlonged || row.isUseToBeNoted) await noteUse(app, request, token, mayProlong);
  const { assuranceLevel: level, provedAt, mustSetUpSecondFactor, secondFactorDueAt, mustChangePassword } = row;
  return {
    actor: person,
    pending: null,
    assurance: { level, provedAt, mustSetUpSecondFactor, secondFactorDueAt, mustChangePassword },
    logPosition: row.logPosition,
  };
}

/** The request's session has another token from now on. Its cookie is to be sent. */
export function noteSessionToken(request: FastifyRequest, token: string): void {
  renewedSessions.set(request, token);
}

/** The cookie of the session that came with the request is not sent again. Another one takes its place, or none. */
export function dropRenewal(request: FastifyRequest): void {
  renewedSessions.delete(request);
}

/** Sends the cookie of every session that its request prolonged or renamed, or that a former key signed. */
export function sendRenewedSessions(app: App): void {
  app.http.addHook('onSend', async (request, reply) => {
    const token = renewedSessions.get(request);
    if (token && request.headers.cookie) {
      reply.header('set-cookie', sessionCookie(token, app.config.publicUrl, app.sessionKeys));
    }
  });
}

async function isSessionOpen(app: SessionPart, sessionId: string): Promise<boolean> {
  const [row] = await selectSessionRows(app, sql`session.id = ${sessionId}`);
  return Boolean(row?.role) && !row?.isDeleted && !row?.awaitsSecondFactor;
}

async function readSessionRow(
  { db, rows }: Pick<AppPart, 'db'> & { rows: SessionRows },
  token: string,
): Promise<SessionRow | undefined> {
  const row = await rows.load(token);
  if (!row || row.role) return row;
  await createMissingProfiles(db, [row.id]);
  return rows.load(token);
}

function sessionRowsOf(app: SessionPart): SessionRows {
  const readAll = async (tokens: readonly string[]) => {
    const rows = await selectSessionRows(app, sql`session.token = any(${hiddenTexts(tokens)})`);
    const byToken = new Map(rows.map((row) => [row.token, row]));
    return tokens.map((token) => byToken.get(token));
  };
  // Node reads all connections that have something to read, and then comes to this.
  return new DataLoader(readAll, { cache: false, batchScheduleFn: (send) => void setImmediate(send) });
}

async function selectSessionRows(app: SessionPart, isWanted: RawBuilder<unknown>): Promise<SessionRow[]> {
  const found = await sql<SessionRow>`
    select session.token, sign_in.id, profile.role, profile.track_type, sign_in.email, profile.first_name, profile.last_name,
      session.id as session_id, session.expires_at, profile.deleted_at is not null as is_deleted,
      ${isRenewalDue} as is_renewal_due,
      session.updated_at < now() - ${useInterval} as is_use_to_be_noted,
      session.assurance_level, session.proved_at,
      factor.user_id is not null and session.assurance_level = 'aal1' and not session.is_device_remembered
        as awaits_second_factor,
      factor.user_id is null and ${mustHaveSecondFactor(app.config)} as must_set_up_second_factor,
      case when factor.user_id is null then ${secondFactorDueAt(app.config)} end as second_factor_due_at,
      exists (select from auth.account where user_id = sign_in.id and must_be_changed) as must_change_password,
      ${app.config.databaseReplicaUrl === null ? sql.lit(null) : presentPosition} as log_position
    from auth.session
    join auth."user" sign_in on sign_in.id = session.user_id
    cross join auth.sign_in_policy policy
    left join profiles profile on profile.id = sign_in.id
    left join auth.second_factor factor on factor.user_id = sign_in.id and factor.confirmed_at is not null
    where ${isWanted} and session.expires_at > now()`.execute(app.db);
  return found.rows;
}

/** If requests arrive together, only one of them writes. */
async function noteUse(app: AppPart, request: FastifyRequest, token: string, mayProlong: boolean): Promise<void> {
  const isDue = sql`${mayProlong} and ${isRenewalDue}`;
  await sql`
    update auth.session set updated_at = now(), ip_address = ${request.ip},
      expires_at = case when ${isDue} then now() + make_interval(secs => ${sessionSeconds}) else expires_at end
    where token = ${token} and (updated_at < now() - ${useInterval} or (${isDue}))`.execute(app.db);
}
