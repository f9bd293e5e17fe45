import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { normalPhoneNumber } from '#contract/phone-numbers.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { forgetTries, limitAllTries, limitTries } from '#server/platform/rate-limit.ts';
import { sealBody } from '#server/platform/sealed-bodies.ts';
import { acceptedHashes, hashCode } from '#server/platform/secret-box.ts';
import { phoneCodeKind, queueSms } from '#server/platform/sms-queue.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { phoneCodeOf } from '#server/sign-in/password-links.ts';
import { phoneCodeSeconds } from './delivery-state.ts';

/** A text message costs money, and its receiver may not want one. */
const textsByPerson = { max: 5, windowSeconds: 3600 };
const textsByNumber = { max: 5, windowSeconds: 3600 };
const triesByPerson = { max: 5, windowSeconds: 600 };

/**
 * Texts a code to the number. The number is nobody's until the code comes back. The last request counts. Throws
 * 'not_configured' if no provider is set up.
 */
export async function requestPhoneCode(app: App, actor: Actor, given: string): Promise<{ phone: string }> {
  if (!app.config.sms) throw new AppError('not_configured', 'SMS is not set up here.');
  const phone = normalPhoneNumber(given);
  if (!phone) throw new AppError('invalid_input', 'Please enter a phone number with its area code');
  const limits = { [`phone-code:${actor.id}`]: textsByPerson, [`phone-code-to:${phone}`]: textsByNumber };
  await limitAllTries(app.db, limits, app.config.rateLimitFactor);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await inTransaction(app.db, async (db) => {
    await forgetCode(db, actor);
    await sql`
      insert into auth.verification (identifier, value, expires_at)
      values (${phoneCodeOf(actor.id)}, ${`${phone} ${hashCode(app.secrets, phoneCodeOf(actor.id), code)}`},
        now() + make_interval(secs => ${phoneCodeSeconds}))`.execute(db);
    const id = newId();
    const words = `${code} is your Switchyard code. It works for 10 minutes. Share it with nobody.`;
    const { text } = sealBody(app.secrets, id, { text: words, html: null });
    const subject = 'Code for a phone number';
    const sms = {
      sealedFor: id,
      eventId: null,
      eventKey: null,
      kind: phoneCodeKind,
      recipientId: actor.id,
      phone,
      subject,
      text,
    };
    await queueSms(db, [sms]);
  });
  return { phone };
}

export async function confirmPhone(app: App, actor: Actor, code: string): Promise<{ phone: string }> {
  const tries = `phone-code-tries:${actor.id}`;
  await limitTries(app.db, tries, triesByPerson, app.config.rateLimitFactor);
  const confirmed = await inTransaction(app.db, async (db) => {
    const hashes = acceptedHashes(app.secrets, phoneCodeOf(actor.id), code.replace(/\s/g, ''));
    const taken = await sql<{ phone: string }>`
      delete from auth.verification where identifier = ${phoneCodeOf(actor.id)} and expires_at > now()
        and split_part(value, ' ', 2) = any(${hashes}::text[])
      returning split_part(value, ' ', 1) as phone`.execute(db);
    const [row] = taken.rows;
    if (!row) throw new AppError('not_found', 'The code is not correct or no longer works.');
    await storePhone(db, actor, row.phone);
    return row;
  });
  await forgetTries(app.db, tries);
  return confirmed;
}

export async function removePhone(db: Db, actor: Pick<Actor, 'id'>): Promise<void> {
  await forgetCode(db, actor);
  await storePhone(db, actor, null);
}

async function storePhone(db: Db, { id }: Pick<Actor, 'id'>, phone: string | null): Promise<void> {
  const phoneConfirmedAt = phone === null ? null : sql<Date>`now()`;
  await db.updateTable('profiles').set({ phone, phoneConfirmedAt }).where('id', '=', id).execute();
  await changed(db, 'preferences', [id]);
}

async function forgetCode(db: Db, actor: Pick<Actor, 'id'>): Promise<void> {
  await sql`delete from auth.verification where identifier = ${phoneCodeOf(actor.id)}`.execute(db);
}
