import { createTransport } from 'nodemailer';
import { noticeCategories } from '#contract/notices.ts';
import type { Db } from '#server/db/database.ts';
import type { App } from '#server/platform/app-parts.ts';
import { defineJob } from '#server/platform/jobs.ts';
import { parseSender } from '#server/platform/mail-sender.ts';
import { sendMailQueue } from '#server/platform/mailer.ts';
import { categoryColumns } from '#server/platform/notices.ts';
import { unsubscribeAddress } from '#server/platform/unsubscribe-links.ts';
import { findDeliveryState, recordDelivery, waitingStatuses } from './delivery-state.ts';

const smtpTimeoutInMs = 20_000;

/**
 * Nothing is sent that was read, done or switched off since it was queued. Sending is at least once: a crash between the mail server's yes and our own note of it sends the mail again, under
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
    const state = await findDeliveryState(app.db, deliveryId);
    if (state?.reason) return recordDelivery(app.db, deliveryId, 'dropped', state.reason);
    const delivery = await takeDelivery(app.db, deliveryId);
    if (!delivery) return;
    try {
      await sendBySmtp(app.config.smtpUrl, app.config.mailFrom, delivery, unsubscribeHeaders(app, delivery));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      await recordDelivery(app.db, deliveryId, attempt.isLast ? 'given_up' : 'failed', reason);
      throw error;
    }
    await recordDelivery(app.db, deliveryId, 'sent', null);
  },
});

function takeDelivery(db: Db, deliveryId: string) {
  return db
    .updateTable('deliveries')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('id', '=', deliveryId)
    .where('status', 'in', waitingStatuses)
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
