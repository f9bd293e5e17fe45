import { sql } from 'kysely';
import type { ProviderRefusal } from '#contract/sign-in-ways.ts';
import type { Db } from '#server/db/database.ts';
import { type ConfirmedMailbox, confirmMailbox } from '#server/features/accounts/registration/confirmed-mailboxes.ts';
import type { ProvidedIdentity } from '#server/features/accounts/ways-in/identity-providers.ts';
import { type AuditEntry, audit } from '#server/platform/audit.ts';
import { newId } from '#server/platform/ids.ts';
import { mailTemplate } from '#server/platform/mail-template.ts';
import { type Mail, queueMail } from '#server/platform/mailer.ts';
import { changed } from '#server/platform/telling.ts';
import type { MailReader } from '#server/sign-in/sign-in-mails.ts';
import { createSignIns } from '#server/sign-in/sign-ins.ts';

/** A way in that is linked to an account. `accountId` is unique among those of the same provider. */
export interface Identity {
  provider: string;
  label: string;
  accountId: string;
}

type Found = { userId: string } | { refusal: ProviderRefusal };

/**
 * Finds or makes the person of a provider's identity. A new person becomes a participant. An account with the same
 * address is linked if the provider has confirmed the address, which confirms it here too. It is not linked if its
 * person unlinked this very identity (AUTH-64). A claim never gives a role.
 */
export async function findOrMakePerson(db: Db, identity: ProvidedIdentity, publicUrl: string): Promise<Found> {
  await lockIdentity(db, identity);
  const { owner, sameAddress } = await findOwners(db, identity);
  if (owner) return { userId: owner.id };
  if (!identity.verifiedEmail) return { refusal: 'not_vouched' };
  if (!sameAddress) return makePerson(db, identity, identity.verifiedEmail);
  const { id, emailVerified, wasUnlinked } = sameAddress;
  if (wasUnlinked) return { refusal: 'unlinked' };
  await keepIdentity(
    db,
    id,
    identity,
    publicUrl,
    emailVerified ? null : await confirmMailbox(db, id, identity.provider),
  );
  return { userId: id };
}

/** Links an identity to the account of a signed-in person. Returns the reason for a refusal, or null. */
export async function linkIdentity(
  db: Db,
  userId: string,
  identity: Identity,
  publicUrl: string,
): Promise<'taken' | null> {
  await lockIdentity(db, identity);
  const ownerId = await findOwner(db, identity);
  if (ownerId && ownerId !== userId) return 'taken';
  if (!ownerId) await keepIdentity(db, userId, identity, publicUrl);
  return null;
}

export async function findOwner(
  db: Db,
  { provider, accountId }: Pick<Identity, 'provider' | 'accountId'>,
): Promise<string | null> {
  const found = await sql<{ userId: string }>`
    select user_id from auth.account where provider_id = ${provider} and account_id = ${accountId}`.execute(db);
  return found.rows[0]?.userId ?? null;
}

/** AUTH-64: tells the person about a way in that came or went. */
export async function mailAboutWay(db: Db, userId: string, news: string, publicUrl: string): Promise<void> {
  const found = await sql<MailReader>`
    select id, email, first_name from auth."user" where id = ${userId}`.execute(db);
  const reader = found.rows[0];
  if (reader) await queueMail(db, wayMail(reader, news, publicUrl));
}

function wayMail(reader: MailReader, news: string, publicUrl: string): Mail {
  return {
    kind: 'ways_in_changed',
    recipientId: reader.id,
    address: reader.email,
    subject: 'The ways to sign in to your account changed',
    ...mailTemplate({
      greeting: reader.firstName ? `Hello ${reader.firstName},` : 'Hello,',
      paragraphs: [
        news,
        'If this was not you, open the page below, remove what is not yours, and change your password at once.',
      ],
      action: { label: 'Sign-in and security', url: `${publicUrl}/account/security` },
    }),
  };
}

interface PossibleOwner {
  id: string;
  emailVerified: boolean;
  isLinked: boolean;
  /** This person, who has the address, unlinked it. */
  wasUnlinked: boolean;
}

/** Finds the owner of the identity, and the owner of the address that the provider vouches for. */
async function findOwners(db: Db, { provider, accountId, verifiedEmail }: ProvidedIdentity) {
  const linked = sql`(select user_id from auth.account where provider_id = ${provider} and account_id = ${accountId})`;
  const found = await sql<PossibleOwner>`
    select id, email_verified, id in ${linked} as is_linked,
      exists (select from auth.unlinked_identity unlinked where unlinked.user_id = sign_in.id
        and provider_id = ${provider} and account_id = ${accountId}) as was_unlinked
    from auth."user" sign_in where id = ${linked} or email = ${verifiedEmail} for no key update`.execute(db);
  return {
    owner: found.rows.find(({ isLinked }) => isLinked),
    sameAddress: found.rows.find(({ isLinked }) => !isLinked),
  };
}

async function makePerson(db: Db, identity: ProvidedIdentity, email: string): Promise<Found> {
  const { firstName, lastName } = identity;
  const id = newId();
  const person = {
    id,
    email,
    firstName,
    lastName,
    role: 'participant',
    trackType: null,
    isEmailConfirmed: true,
  } as const;
  const { refusedIds } = await createSignIns(db, [person]);
  if (refusedIds.length > 0) return { refusal: 'failed' };
  await insertIdentity(db, id, identity);
  await changed(db, ['ways-in', 'people'], [id]);
  await audit(db, id, {
    action: 'user.register',
    subjectType: 'user',
    subjectId: id,
    after: { by: identity.provider, role: 'participant' },
  });
  return { userId: id };
}

async function keepIdentity(
  db: Db,
  userId: string,
  identity: Identity,
  publicUrl: string,
  confirmed: ConfirmedMailbox | null = null,
): Promise<void> {
  const reader = await insertIdentity(db, userId, identity);
  const after = { provider: identity.provider, account: identity.accountId };
  const entry: AuditEntry = { action: 'identity.link', subjectType: 'user', subjectId: userId, after };
  await changed(db, 'ways-in', [userId]);
  await audit(db, userId, confirmed ? [confirmed.entry, entry] : entry);
  const news = `You can now sign in to your account with ${identity.label}.`;
  const removed = 'Your old password no longer works, because nobody had confirmed the email address.';
  const wholeNews = confirmed?.isPasswordRemoved ? `${news} ${removed}` : news;
  if (reader) await queueMail(db, wayMail(reader, wholeNews, publicUrl));
}

/** Returns the owner of the identity now. */
async function insertIdentity(db: Db, userId: string, { provider, accountId }: Identity) {
  const linked = await sql<MailReader>`
    with linked as (
      insert into auth.account (user_id, provider_id, account_id) values (${userId}, ${provider}, ${accountId})
      returning user_id
    ), linked_again as (
      delete from auth.unlinked_identity
      where user_id = ${userId} and provider_id = ${provider} and account_id = ${accountId}
    )
    select sign_in.id, sign_in.email, sign_in.first_name
    from auth."user" sign_in join linked on linked.user_id = sign_in.id`.execute(db);
  return linked.rows[0];
}

/** If two requests have the same identity, the second waits for the first. */
async function lockIdentity(db: Db, { provider, accountId }: Identity): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${provider}:${accountId}`}, 0))`.execute(db);
}
