import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { cutPage } from '#server/platform/pages.ts';
import { openBody } from '#server/platform/sealed-bodies.ts';
import type { Secrets } from '#server/platform/secret-box.ts';

export interface MailboxPage {
  mails: { id: string; address: string; subject: string; status: string; createdAt: Date }[];
  /** Pass it as `before` for the next page. It is null at the end. */
  next: string | null;
}

export interface MailboxMail {
  address: string;
  subject: string;
  text: string;
  status: string;
  lastError: string | null;
  /** The mail brings this into the reader's calendar. */
  calendarText: string | null;
  createdAt: Date;
}

const pageSize = 50;

export async function listMails(db: Db, { to = '', before }: { to?: string; before?: string }): Promise<MailboxPage> {
  let query = db
    .selectFrom('deliveries')
    .select(['id', 'address', 'subject', 'status', 'createdAt'])
    .where('channel', '=', 'mail')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize + 1);
  if (to !== '') query = query.where(sql<boolean>`strpos(lower(address), lower(${to})) > 0`);
  if (before) {
    query = query.where(sql<boolean>`(created_at, id) < (select created_at, id from deliveries where id = ${before})`);
  }
  const { rows: mails, nextCursor: next } = cutPage(pageSize, await query.execute(), ({ id }) => id);
  return { mails, next };
}

export async function readMail(db: Db, secrets: Secrets, id: string): Promise<MailboxMail | undefined> {
  const mail = await db
    .selectFrom('deliveries')
    .select([
      'id',
      'address',
      'subject',
      'isSealed',
      'textBody',
      'htmlBody',
      'status',
      'lastError',
      'calendarText',
      'createdAt',
    ])
    .where('id', '=', id)
    .where('channel', '=', 'mail')
    .executeTakeFirst();
  return mail && { ...mail, text: openBody(secrets, mail).text };
}
