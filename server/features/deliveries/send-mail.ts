import type { Selectable } from 'kysely';
import type { SendMailOptions } from 'nodemailer';
import { noticeCategories } from '#contract/notices.ts';
import type { DB } from '#server/db/schema.gen.ts';
import type { App } from '#server/platform/app-parts.ts';
import { defineJob } from '#server/platform/jobs.ts';
import { parseSender } from '#server/platform/mail-sender.ts';
import { sendMailQueue } from '#server/platform/mailer.ts';
import { categoryColumns } from '#server/platform/notices.ts';
import { openBody } from '#server/platform/sealed-bodies.ts';
import { unsubscribeAddress } from '#server/platform/unsubscribe-links.ts';
import { claimDelivery, dropDelivery, findDeliveryState, recordTry } from './delivery-state.ts';
import { giveUpUnanswered, noteAwaitingAnswer } from './unanswered-mails.ts';

/** Loads only where there is a mail server. */
const loadSmtp = () => import('./smtp.ts');

const longestTryInMs = 60_000;

/**
 * Sends nothing that was read, done or switched off since it was queued, and nothing twice. If the mail server had all
 * of a mail and its answer was lost, the mail may have arrived: the job gives it up and says so. Without a mail server,
 * the delivery stays queued, and people read it on the mailbox page.
 */
export const sendMailJob = defineJob({
  ...sendMailQueue,
  retryLimit: 12,
  retryDelay: 5,
  retryDelayMax: 6 * 3600,
  expireInSeconds: 120,
  concurrency: 10,
  run: async (app, { deliveryId }, attempt) => {
    const { smtpUrl, smtpNeedsTls } = app.config;
    if (!smtpUrl) return;
    const state = await findDeliveryState(app.db, deliveryId);
    if (!state) return;
    if (state.reason) return dropDelivery(app.db, deliveryId, state.reason);
    const letter = await claimDelivery(app.db, deliveryId, letterColumns);
    if (!letter) return;
    if (letter.awaitingAnswerSince) return giveUpUnanswered(app.db, letter, 'We were cut off.');
    const { isRefusal, sendBySmtp } = await loadSmtp();
    let isWithServer = false;
    const beforeEnd = async () => {
      await noteAwaitingAnswer(app.db, letter);
      isWithServer = true;
    };
    try {
      const headers = unsubscribeHeaders(app, letter.recipientId, state.category);
      const mail = { ...mailOf(app, letter), headers };
      await sendBySmtp({ smtpUrl, smtpNeedsTls }, mail, { longestInMs: longestTryInMs, beforeEnd });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (isWithServer && !isRefusal(error)) return giveUpUnanswered(app.db, letter, reason);
      await recordTry(app.db, letter, attempt.isLast ? 'given_up' : 'failed', reason);
      throw error;
    }
    await recordTry(app.db, letter, 'sent', null);
  },
});

const letterColumns = [
  'recipientId',
  'address',
  'subject',
  'isSealed',
  'textBody',
  'htmlBody',
  'calendarMethod',
  'calendarText',
  'awaitingAnswerSince',
] as const;

type Letter = Pick<Selectable<DB['deliveries']>, 'id' | (typeof letterColumns)[number]>;

/** RFC 8058: the mail program offers to switch the mail's category off by one click, if it can be switched off. */
function unsubscribeHeaders(app: App, userId: string | null, column: string | null): Record<string, string> {
  const category = noticeCategories.find((known) => categoryColumns[known] === column);
  if (!category || userId === null) return {};
  const address = unsubscribeAddress(app.config.publicUrl, app.secrets, { userId, category });
  return { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

function mailOf({ secrets, config: { mailFrom: from } }: App, letter: Letter): SendMailOptions {
  const { text, html } = openBody(secrets, letter);
  return {
    from,
    to: letter.address,
    subject: letter.subject,
    text,
    ...(html === null ? {} : { html }),
    ...calendarPart(letter),
    messageId: `<${letter.id}@${domainOf(from)}>`,
  };
}

/**
 * Returns the calendar part as a third reading beside the two bodies, and once more as a file for programs that look
 * for one.
 */
function calendarPart({ calendarMethod: method, calendarText: content }: Letter) {
  if (method === null || content === null) return {};
  return { icalEvent: { method, content, filename: 'invite.ics' } };
}

function domainOf(from: string): string {
  return parseSender(from).address.split('@')[1] ?? 'switchyard.example';
}
