import { randomBytes } from 'node:crypto';
import type { CalendarFeed } from '#contract/calendar-feeds.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { type AuditEntry, audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { openText, sealText } from '#server/platform/secret-box.ts';
import { changed } from '#server/platform/telling.ts';
import { acceptedFeedHashes, hashFeedToken } from './calendar-feed-access.ts';
import { feedPurposeOf } from './sealed-feed-queries.ts';

type AppPart = Pick<App, 'secrets' | 'config'>;

interface StoredFeed {
  tokenHash: string;
  encryptedToken: string;
  createdAt: Date;
  lastReadAt: Date | null;
}

const tokenBytes = 32;

/** Finds the person's own feed. Null if there is none, or if it was made in another role. */
export async function findOwnFeed(db: Db, actor: Actor, app: AppPart): Promise<CalendarFeed | null> {
  const stored = await ownFeed(db, actor).executeTakeFirst();
  return stored ? readFeed(stored, actor, app) : null;
}

/** If two requests arrive together, both get the same address. */
export async function makeFeed(db: Db, actor: Actor, app: AppPart): Promise<CalendarFeed> {
  const token = newToken();
  const made = await db
    .insertInto('calendarFeeds')
    .values({ userId: actor.id, ...sealed(token, actor, app) })
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (made) {
    await changed(db, 'calendars', [actor.id]);
    await audit(db, actor.id, entryOf(actor, 'make'));
    return shown(made, token, app);
  }
  const stored = await ownFeed(db, actor).forUpdate().executeTakeFirst();
  const kept = stored ? readFeed(stored, actor, app) : null;
  return kept ?? renewFeed(db, actor, app);
}

/** The former address stops with the transaction. */
export async function renewFeed(db: Db, actor: Actor, app: AppPart): Promise<CalendarFeed> {
  const token = newToken();
  const fresh = { ...sealed(token, actor, app), createdAt: now(), lastReadAt: null };
  const renewed = await db
    .insertInto('calendarFeeds')
    .values({ userId: actor.id, ...fresh })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(fresh))
    .returningAll()
    .executeTakeFirstOrThrow();
  await changed(db, 'calendars', [actor.id]);
  await audit(db, actor.id, entryOf(actor, 'renew'));
  return shown(renewed, token, app);
}

export async function stopFeed(db: Db, actor: Actor): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('calendarFeeds').where('userId', '=', actor.id).executeTakeFirst();
  if (numDeletedRows === 0n) return;
  await changed(db, 'calendars', [actor.id]);
  await audit(db, actor.id, entryOf(actor, 'stop'));
}

function ownFeed(db: Db, actor: Actor) {
  return db.selectFrom('calendarFeeds').selectAll().where('userId', '=', actor.id);
}

function readFeed(stored: StoredFeed, actor: Actor, app: AppPart): CalendarFeed | null {
  const { secrets } = app;
  const token = openText(secrets, feedPurposeOf(actor.id), stored.encryptedToken);
  return acceptedFeedHashes(secrets, actor.role, token).includes(stored.tokenHash) ? shown(stored, token, app) : null;
}

function shown({ createdAt, lastReadAt }: StoredFeed, token: string, { config }: AppPart): CalendarFeed {
  return {
    address: `${config.publicUrl}/calendar/${token}.ics`,
    createdAt: createdAt.toISOString(),
    lastReadAt: lastReadAt?.toISOString() ?? null,
  };
}

function sealed(token: string, actor: Actor, { secrets }: AppPart) {
  return {
    tokenHash: hashFeedToken(secrets, actor.role, token),
    encryptedToken: sealText(secrets, feedPurposeOf(actor.id), token),
  };
}

function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

function entryOf({ id }: Actor, verb: 'make' | 'renew' | 'stop'): AuditEntry {
  return { action: `calendar_feed.${verb}`, subjectType: 'user', subjectId: id };
}
