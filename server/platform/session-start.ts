import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { App } from '#server/platform/app-parts.ts';
import { deviceCookie, readDeviceToken, sessionCookie, sessionSeconds } from '#server/platform/auth-cookie.ts';
import { hashToken } from '#server/platform/password-links.ts';

type AppPart = Pick<App, 'db' | 'config' | 'auth'>;

/** Begins a session for somebody who proved who they are by a way of our own, and sends its cookies. */
export async function startSession(
  app: AppPart,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  await sql`
    insert into auth.session (user_id, token, expires_at, ip_address, user_agent)
    values (${userId}, ${token}, now() + make_interval(secs => ${sessionSeconds}), ${request.ip},
      ${request.headers['user-agent'] ?? null})`.execute(app.db);
  reply.header('set-cookie', sessionCookie(token, app.config.publicUrl, app.auth.options.secret));
  await noteDevice(app, request, reply, token);
}

/**
 * Notes which device a session began on, whichever way the person signed in. On a device that was remembered after a
 * second factor, the factor is not asked for again.
 */
export async function noteDevice(
  app: AppPart,
  request: FastifyRequest,
  reply: FastifyReply,
  sessionToken: string,
): Promise<void> {
  const known = readDeviceToken(request, app.config.publicUrl);
  const deviceToken = known ?? randomBytes(32).toString('base64url');
  await linkDevice(app.db, sessionToken, {
    tokenHash: hashToken(deviceToken),
    userAgent: request.headers['user-agent'] ?? null,
    ipAddress: request.ip,
  });
  reply.header('set-cookie', deviceCookie(deviceToken, app.config.publicUrl));
}

interface Device {
  tokenHash: string;
  userAgent: string | null;
  ipAddress: string;
}

async function linkDevice(db: Db, sessionToken: string, { tokenHash, userAgent, ipAddress }: Device): Promise<void> {
  await sql`
    with device as (
      insert into auth.device as kept (user_id, token_hash, user_agent, ip_address)
      select user_id, ${tokenHash}, ${userAgent}, ${ipAddress} from auth.session where token = ${sessionToken}
      on conflict (user_id, token_hash) do update set
        last_used_at = now(), user_agent = excluded.user_agent, ip_address = excluded.ip_address
      returning id, remembered_until > now() as is_remembered
    )
    update auth.session set device_id = device.id, is_device_remembered = coalesce(device.is_remembered, false)
    from device where token = ${sessionToken}`.execute(db);
}
