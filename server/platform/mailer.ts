import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { noticeCategories } from '#contract/notices.ts';
import type { Db } from '#server/db/database.ts';
import type { App } from './app-parts.ts';
import { defineJob, defineQueue, enqueue, type JobAttempt } from './jobs.ts';
import { parseSender } from './mail-sender.ts';
import { categoryColumns } from './notices.ts';
import { unsubscribeAddress } from './unsubscribe-links.ts';

export interface Mail {
  /** What the mail is about, as `invitation` or `password_reset`. */
  kind: string;
  recipientId: string | null;
  address: string;
  subject: string;
  text: string;
  html?: string;
  /** Identity of the event: of two mails with the same key only the first exists. */
  eventKey?: string;
  /** The recorded event that it tells of; its category is what the mail's unsubscribe address switches off. */
  eventId?: string;
  /** An event for the reader's calendar, as iCalendar text with this method. */
  calendar?: { method: 'REQUEST' | 'CANCEL'; text: string };
}

export const sendMailQueue = defineQueue('send-mail', z.object({ deliveryId: z.uuid() }));
const smtpTimeoutInMs = 20_000;

/** Writes the mails down and enqueues their sending, in the caller's transaction, in three statements however many. */
export async function queueMail(db: Db, mails: Mail | Mail[]): Promise<void> {
  const given = Array.isArray(mails) ? mails : [mails];
  if (given.length === 0) return;
  const written = await db
    .insertInto('deliveries')
    .columns([
      ...([
        'channel',
        'kind',
        'recipientId',
        'address',
        'subject',
        'textBody',
        'htmlBody',
        'eventKey',
        'eventId',
      ] as const),
      ...(['calendarMethod', 'calendarText'] as const),
    ])
    .expression(
      sql`select 'mail', kind, "recipientId", address, subject, text, html, "eventKey", "eventId",
            calendar ->> 'method', calendar ->> 'text'
          from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given
            (kind text, "recipientId" uuid, address text, subject text, text text, html text, "eventKey" text,
             "eventId" uuid, calendar jsonb)`,
    )
    .onConflict((conflict) => conflict.column('eventKey').doNothing())
    .returning('id')
    .execute();
  await enqueue(
    db,
    sendMailQueue,
    written.map(({ id }) => ({ deliveryId: id })),
  );
}

/**
 * Sending is at least once: a crash between the mail server's yes and our own note of it sends the mail again, under
 * the same Message-ID. Without a mail server the delivery stays queued, and is read on the mailbox page.
 */
export const sendMailJob = defineJob({
  ...sendMailQueue,
  retryLimit: 12,
  retryDelay: 5,
  retryDelayMax: 6 * 3600,
  expireInSeconds: 120,
  concurrency: 10,
  run: async (app, { deliveryId }, attempt) => {
    if (!app.config.smtpUrl) return;
    const delivery = await takeDelivery(app.db, deliveryId);
    if (!delivery) return;
    try {
      await sendBySmtp(app.config.smtpUrl, app.config.mailFrom, delivery, unsubscribeHeaders(app, delivery));
    } catch (error) {
      await markFailed(app, deliveryId, error, attempt);
      throw error;
    }
    await app.db
      .updateTable('deliveries')
      .set({ status: 'sent', sentAt: sql<Date>`now()`, lastError: null })
      .where('id', '=', deliveryId)
      .execute();
  },
});

function takeDelivery(db: Db, deliveryId: string) {
  return db
    .updateTable('deliveries')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('id', '=', deliveryId)
    .where('status', 'in', ['queued', 'failed'])
    .returning((eb) => [
      'id',
      'recipientId',
      'address',
      'subject',
      'textBody',
      'htmlBody',
      'calendarMethod',
      'calendarText',
      eb
        .selectFrom('noticeEvents')
        .select('category')
        .whereRef('noticeEvents.id', '=', 'deliveries.eventId')
        .as('category'),
    ])
    .executeTakeFirst();
}

interface Letter {
  id: string;
  recipientId: string | null;
  category: string | null;
  address: string;
  subject: string;
  textBody: string;
  htmlBody: string | null;
  calendarMethod: string | null;
  calendarText: string | null;
}

/** RFC 8058: of what can be switched off, the mail program offers to do so by one click. */
function unsubscribeHeaders(app: App, letter: Letter): Record<string, string> {
  const category = noticeCategories.find((known) => categoryColumns[known] === letter.category);
  if (!category || letter.recipientId === null) return {};
  const subscription = { userId: letter.recipientId, category };
  const address = unsubscribeAddress(app.config.publicUrl, app.auth.options.secret, subscription);
  return { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

async function sendBySmtp(
  smtpUrl: string,
  from: string,
  letter: Letter,
  headers: Record<string, string>,
): Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: smtpTimeoutInMs,
    greetingTimeout: smtpTimeoutInMs,
    socketTimeout: smtpTimeoutInMs,
  });
  try {
    await transport.sendMail({
      from,
      to: letter.address,
      subject: letter.subject,
      text: letter.textBody,
      ...(letter.htmlBody === null ? {} : { html: letter.htmlBody }),
      ...calendarPart(letter),
      messageId: `<${letter.id}@${domainOf(from)}>`,
      headers,
    });
  } finally {
    transport.close();
  }
}

/** A third reading beside the two bodies, and the same once more as a file for programs that look for one. */
function calendarPart({ calendarMethod: method, calendarText: content }: Letter) {
  if (method === null || content === null) return {};
  return { icalEvent: { method, content, filename: 'invite.ics' } };
}

function domainOf(from: string): string {
  return parseSender(from).address.split('@')[1] ?? 'switchyard.example';
}

async function markFailed(app: App, deliveryId: string, error: unknown, attempt: JobAttempt): Promise<void> {
  await app.db
    .updateTable('deliveries')
    .set({
      status: attempt.isLast ? 'given_up' : 'failed',
      givenUpAt: attempt.isLast ? sql<Date>`now()` : null,
      lastError: error instanceof Error ? error.message : String(error),
    })
    .where('id', '=', deliveryId)
    .execute();
}
