import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { App } from '#server/platform/app-parts.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { queueMail } from '#server/platform/mailer.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import {
  deviceCookie,
  isBrowser,
  readDeviceToken,
  sessionCookie,
  sessionSeconds,
  signedSessionToken,
} from '#server/sign-in/auth-cookie.ts';
import { describeDevice, describePlace, userAgentOf } from '#server/sign-in/device-words.ts';
import { hashToken } from '#server/sign-in/password-links.ts';
import { dropRenewal } from '#server/sign-in/session-identity.ts';
import { begunSignInMail, type MailReader, newDeviceMail } from '#server/sign-in/sign-in-mails.ts';
import type { Try } from '#server/sign-in/tries.ts';

type AppPart = Pick<App, 'db' | 'config' | 'sessionKeys'>;

/**
 * Begins a session for a person who proved their identity in any way, and sends its cookies. A client that is no
 * browser also gets the bearer token, which is returned. Throws 'not_authenticated' if the checked password is no
 * longer the person's.
 */
export async function startSession(
  app: AppPart,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
  tried: Try,
  checked: CheckedPassword = {},
): Promise<string | null> {
  const { publicUrl } = app.config;
  const token = randomBytes(32).toString('base64url');
  const device = { ...deviceOf(request, publicUrl), ...checked };
  await onDevice(app, userId, device, (deviceRow) => {
    const { ipAddress, userAgent } = device;
    return sql`
      insert into auth.session
        (user_id, token, expires_at, ip_address, user_agent, device_id, is_device_remembered, proved_by)
      select ${userId}, ${token}, now() + make_interval(secs => ${sessionSeconds}), ${ipAddress}, ${userAgent}, id,
        is_remembered, ${tried.way}
      from ${deviceRow}`;
  });
  tried.succeed();
  dropRenewal(request);
  reply.header('set-cookie', [sessionCookie(token, publicUrl, app.sessionKeys), deviceCookie(device.token, publicUrl)]);
  if (isBrowser(request)) return null;
  const bearer = signedSessionToken(token, app.sessionKeys);
  reply.header('set-auth-token', bearer);
  return bearer;
}

/** Notes anew which device a session is on, and sends the device's cookie. */
export async function noteDevice(
  app: AppPart,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  const device = deviceOf(request, app.config.publicUrl);
  await onDevice(
    app,
    userId,
    device,
    (deviceRow) => sql`
      update auth.session set device_id = noted.id, is_device_remembered = noted.is_remembered
      from ${deviceRow} noted where session.id = ${sessionId}`,
  );
  reply.header('set-cookie', deviceCookie(device.token, app.config.publicUrl));
}

interface CheckedPassword {
  /** The counter of failed tries that this sign-in ends. */
  countedAs?: string;
  /** The hash that the password was checked against. Every other way in has none. */
  checkedHash?: string;
}

interface Device extends CheckedPassword {
  token: string;
  userAgent: string | null;
  ipAddress: string;
  /** Programs keep no cookies, so one that comes again from the same place is not news. */
  isProgram: boolean;
}

function deviceOf(request: FastifyRequest, publicUrl: string): Device {
  return {
    token: readDeviceToken(request, publicUrl) ?? randomBytes(32).toString('base64url'),
    userAgent: userAgentOf(request),
    ipAddress: request.ip,
    isProgram: !isBrowser(request),
  };
}

/**
 * Tells of a sign-in that the second factor completed. Before, the person heard only that it had begun on a new device.
 */
export async function tellOfCompletedSignIn(
  { db, config }: Pick<AppPart, 'db' | 'config'>,
  request: FastifyRequest,
  sessionId: string,
): Promise<void> {
  const found = await sql<MailReader & { deviceId: string }>`
    select session.device_id, sign_in.id, sign_in.email, sign_in.first_name
    from auth.session
    join auth."user" sign_in on sign_in.id = session.user_id
    join deliveries begun on begun.event_key = 'begun-sign-in:' || session.device_id
    where session.id = ${sessionId}`.execute(db);
  const [reader] = found.rows;
  if (reader) await mailNewDevice(db, reader, deviceOf(request, config.publicUrl), config.publicUrl);
}

/**
 * Writes the device and what hangs on it, in one statement. A device remembered after a second factor is not asked for
 * it again. A mail tells the person of a new device, but not of the first one.
 */
async function onDevice({ db: base, config }: AppPart, userId: string, device: Device, hanging: Hanging) {
  const [noted] = await writeDevice(base, userId, device, hanging, { alsoWhenNews: false });
  if (noted) return;
  await inTransaction(base, async (db) => {
    const [written] = await writeDevice(db, userId, device, hanging, { alsoWhenNews: true });
    if (!written) throw new AppError('not_authenticated', 'Invalid email or password.');
    if (written.isNews) await mailNewDevice(db, written, device, config.publicUrl);
  });
}

type Hanging = (deviceRow: RawBuilder<unknown>) => RawBuilder<unknown>;

interface WrittenDevice extends MailReader {
  deviceId: string;
  isNews: boolean;
  /** A session on the device is not signed in yet, because it needs the second factor. */
  awaitsSecondFactor: boolean;
}

/** Writes nothing if the checked password has changed. A change that comes later ends this session too. */
async function writeDevice(
  db: Db,
  userId: string,
  { token, userAgent, ipAddress, isProgram, countedAs, checkedHash }: Device,
  hanging: Hanging,
  { alsoWhenNews }: { alsoWhenNews: boolean },
): Promise<WrittenDevice[]> {
  const tokenHash = hashToken(token);
  const [checked, isSame] =
    checkedHash === undefined
      ? [sql``, sql`true`]
      : [
          sql`checked as materialized (
      select from auth.account
      where user_id = ${userId} and provider_id = 'credential' and password = ${checkedHash} for share
    ), `,
          sql`exists (select from checked)`,
        ];
  const written = await sql<WrittenDevice>`
    with ${checked}earlier as (
      select count(*) > 0 and not bool_or(token_hash = ${tokenHash}
        or (${isProgram} and user_agent is not distinct from ${userAgent} and ip_address = ${ipAddress})) as is_news
      from auth.device where user_id = ${userId}
    ), device as (
      insert into auth.device as kept (user_id, token_hash, user_agent, ip_address)
      select ${userId}, ${tokenHash}, ${userAgent}, ${ipAddress} from earlier
      where (${alsoWhenNews} or not is_news) and ${isSame}
      on conflict (user_id, token_hash) do update set
        last_used_at = now(), user_agent = excluded.user_agent, ip_address = excluded.ip_address
      returning id, coalesce(remembered_until > now(), false) as is_remembered
    ), forgotten as (
      delete from auth.rate_limit where key = ${countedAs ?? null} and exists (select from device)
    ), hanging as (${hanging(sql`device`)})
    select device.id as device_id, earlier.is_news, sign_in.id, sign_in.email, sign_in.first_name,
      not device.is_remembered and exists (
        select from auth.second_factor where user_id = ${userId} and confirmed_at is not null
      ) as awaits_second_factor
    from earlier, device, auth."user" sign_in where sign_in.id = ${userId}`.execute(db);
  return written.rows;
}

async function mailNewDevice(
  db: Db,
  {
    deviceId,
    id,
    email,
    firstName,
    awaitsSecondFactor = false,
  }: MailReader & { deviceId: string; awaitsSecondFactor?: boolean },
  { userAgent, ipAddress }: Pick<Device, 'userAgent' | 'ipAddress'>,
  publicUrl: string,
): Promise<void> {
  const news = { device: describeDevice(userAgent).name, place: describePlace(ipAddress), at: now() };
  const reader = { id, email, firstName };
  await queueMail(
    db,
    awaitsSecondFactor
      ? { ...begunSignInMail(reader, news, publicUrl), eventKey: `begun-sign-in:${deviceId}` }
      : { ...newDeviceMail(reader, news, publicUrl), eventKey: `new-device:${deviceId}` },
  );
}
