import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { type CodeOrRecoveryCode, rememberedDays } from '#contract/second-factor.ts';
import type { Db } from '#server/db/database.ts';
import {
  acceptCode,
  issueRecoveryCodes,
  limitCodeTries,
  newSecret,
  requireStep,
} from '#server/features/accounts/second-factor/second-factor-codes.ts';
import {
  newRecoveryCodesMail,
  secondFactorOffMail,
  secondFactorOnMail,
  secondFactorRemovedMail,
} from '#server/features/accounts/second-factor/second-factor-mails.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { queueMail } from '#server/platform/mailer.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { secondFactorRolesOf } from '#server/sign-in/second-factor-rule.ts';
import {
  forgetRememberedDevices,
  raiseSession,
  rememberDevice,
  sendSessionToken,
} from '#server/sign-in/session-assurance.ts';
import { endSessions } from '#server/sign-in/session-end.ts';
import { noteDevice, tellOfCompletedSignIn } from '#server/sign-in/session-start.ts';
import type { MailReader } from '#server/sign-in/sign-in-mails.ts';
import { normalEmail } from '#server/sign-in/sign-ins.ts';
import { judgeTry, type Try } from '#server/sign-in/tries.ts';

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** AUTH-65: makes a secret that counts for nothing until it is confirmed. A later one takes its place. */
export async function beginSetUp(app: App, db: Db, actor: Actor) {
  const { encryptedSecret, secret, uri } = newSecret(app.secrets, actor);
  const enrolled = await sql`
    insert into auth.second_factor as kept (user_id, encrypted_secret) values (${actor.id}, ${encryptedSecret})
    on conflict (user_id) do update set encrypted_secret = excluded.encrypted_secret, created_at = now()
    where kept.confirmed_at is null
    returning user_id`.execute(db);
  if (enrolled.rows.length === 0) throw new AppError('conflict', 'Your second factor is on already.');
  await changed(db, 'ways-in', [actor.id]);
  return { secret, uri };
}

/** The first right code turns the factor on. This session is proved and gets another token. All others end. */
export async function confirmSetUp(app: App, actor: Actor, code: string, { request, reply }: Exchange) {
  const { token, recoveryCodes } = await judgeCode(app, actor, request, 'proof', ({ tries, tried }) =>
    inTransaction(app.db, async (db) => {
      await turnOn(app, db, actor, code, tries);
      const raised = await raiseSession(db, actor.sessionId, tried);
      await endSessions(db, actor.id, actor.sessionId);
      await changed(db, 'ways-in', [actor.id]);
      await audit(db, actor.id, { action: 'second_factor.turn_on', subjectType: 'user', subjectId: actor.id });
      await queueMail(db, secondFactorOnMail(actor, app.config.publicUrl));
      return { token: raised, recoveryCodes: await issueRecoveryCodes(db, app.secrets, actor.id) };
    }),
  );
  sendSessionToken(app, request, reply, token);
  return { recoveryCodes };
}

/** AUTH-66: completes a sign-in. */
export async function completeSignIn(
  app: App,
  actor: Actor,
  { given, isDeviceRemembered }: { given: CodeOrRecoveryCode; isDeviceRemembered: boolean },
  { request, reply }: Exchange,
): Promise<void> {
  const token = await judgeCode(app, actor, request, 'sign_in', ({ tries, tried }) =>
    inTransaction(app.db, async (db) => {
      const { entries, mails } = await acceptCode(app, db, actor, given, tries);
      await changed(db, 'ways-in', [actor.id]);
      await audit(db, actor.id, entries);
      await queueMail(db, mails);
      await tellOfCompletedSignIn({ db, config: app.config }, request, actor.sessionId);
      return raiseSession(db, actor.sessionId, tried);
    }),
  );
  sendSessionToken(app, request, reply, token);
  if (!isDeviceRemembered) return;
  await noteDevice(app, request, reply, { userId: actor.id, sessionId: actor.sessionId });
  await rememberDevice(app, reply, actor.sessionId, rememberedDays);
}

export async function replaceRecoveryCodes(app: App, db: Db, actor: Actor) {
  const on = await sql`
    select from auth.second_factor where user_id = ${actor.id} and confirmed_at is not null for update`.execute(db);
  if (on.rows.length === 0) throw new AppError('conflict', 'You have no second factor.');
  await changed(db, 'ways-in', [actor.id]);
  await audit(db, actor.id, { action: 'recovery_codes.renew', subjectType: 'user', subjectId: actor.id });
  await queueMail(db, newRecoveryCodesMail(actor, app.config.publicUrl));
  return { recoveryCodes: await issueRecoveryCodes(db, app.secrets, actor.id) };
}

/** AUTH-67. Also ends sessions that still wait for the factor, because they would be open without it. */
export async function turnOff(
  app: App,
  actor: Actor,
  given: CodeOrRecoveryCode,
  request: FastifyRequest,
): Promise<void> {
  await judgeCode(app, actor, request, 'proof', ({ tries, tried }) =>
    inTransaction(app.db, async (db) => {
      await refuseWhereRequired(app, db, actor);
      const { entries, mails } = await acceptCode(app, db, actor, given, tries);
      tried.succeed();
      await sql`
        with forgotten as (update auth.device set remembered_until = null where user_id = ${actor.id})
        delete from auth.second_factor where user_id = ${actor.id}`.execute(db);
      await endSessions(db, actor.id, actor.sessionId);
      await changed(db, 'ways-in', [actor.id]);
      await audit(db, actor.id, [
        ...entries,
        { action: 'second_factor.turn_off', subjectType: 'user', subjectId: actor.id },
      ]);
      await queueMail(db, [...mails, secondFactorOffMail(actor, app.config.publicUrl)]);
    }),
  );
}

/**
 * An admin removes the factor of a person who lost it with the recovery codes. A person's own needs a code (turnOff).
 */
export async function removeFactorOf(app: App, db: Db, actor: Actor, address: string): Promise<{ email: string }> {
  const found = await sql<MailReader>`
    delete from auth.second_factor factor using auth."user" person
    where person.email = ${normalEmail(address)} and person.id = factor.user_id and person.id <> ${actor.id}
      and factor.confirmed_at is not null
    returning person.id, person.email, person.first_name`.execute(db);
  const person = found.rows[0];
  if (!person) throw notFound('Nobody else with this email has a second factor.');
  await forgetRememberedDevices(db, person.id);
  await endSessions(db, person.id);
  await changed(db, 'ways-in', [person.id]);
  await audit(db, actor.id, { action: 'second_factor.remove', subjectType: 'user', subjectId: person.id });
  await queueMail(db, secondFactorRemovedMail(person, app.config.publicUrl));
  return { email: person.email };
}

/** Counts the try before `judge` looks at the code. */
function judgeCode<Result>(
  app: App,
  actor: Actor,
  request: FastifyRequest,
  of: 'sign_in' | 'proof',
  judge: (counted: { tries: string; tried: Try }) => Promise<Result>,
): Promise<Result> {
  return judgeTry(app, request, { of, way: 'second_factor' }, async (tried) => {
    tried.isOf({ userId: actor.id });
    return judge({ tries: await limitCodeTries(app, request, actor.id), tried });
  });
}

async function turnOn(app: App, db: Db, actor: Actor, code: string, tries: string): Promise<void> {
  const found = await sql<{ encryptedSecret: string }>`
    select encrypted_secret from auth.second_factor
    where user_id = ${actor.id} and confirmed_at is null for update`.execute(db);
  const factor = found.rows[0];
  if (!factor) throw new AppError('conflict', 'There is no set-up to confirm. Please start again.');
  const step = requireStep(app.secrets, actor, factor.encryptedSecret, code);
  await sql`
    with forgotten as (update auth.device set remembered_until = null where user_id = ${actor.id}),
      forgiven as (delete from auth.rate_limit where key = ${tries})
    update auth.second_factor set confirmed_at = now(), last_step = ${step} where user_id = ${actor.id}`.execute(db);
}

/** The policy stays as it is until this transaction ends. */
async function refuseWhereRequired({ config }: Pick<App, 'config'>, db: Db, actor: Actor): Promise<void> {
  const found = await sql<{ isRequired: boolean }>`
    select ${actor.role}::text = any(${secondFactorRolesOf(config)}) as is_required
    from auth.sign_in_policy policy for share`.execute(db);
  if (found.rows[0]?.isRequired) {
    throw new AppError('conflict', 'Your role must have a second factor, so it stays on.');
  }
}
