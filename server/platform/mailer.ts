import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { newId } from './ids.ts';
import { defineQueue, enqueue } from './jobs.ts';
import { sealBody } from './sealed-bodies.ts';

export interface Mail {
  /** Of the delivery, where it is known before it is written. */
  id?: string;
  isSealed?: boolean;
  holdsSecret?: never;
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

/** With a link or a code that is for its reader alone: it is queued by `sealMail`, so that the database never has it. */
export type SecretMail = Omit<Mail, 'holdsSecret' | 'id' | 'isSealed'> & { holdsSecret: true };

export const sendMailQueue = defineQueue('send-mail', z.object({ deliveryId: z.uuid() }));

export function sealMail(secret: string, { holdsSecret: _, text, html, ...mail }: SecretMail): Mail {
  const id = newId();
  const body = sealBody(secret, id, { text, html: html ?? null });
  return { ...mail, id, isSealed: true, text: body.text, ...(body.html === null ? {} : { html: body.html }) };
}

/** Writes the mails down and enqueues their sending, in the caller's transaction, in three statements however many. */
export async function queueMail(db: Db, mails: Mail | Mail[]): Promise<void> {
  const given = Array.isArray(mails) ? mails : [mails];
  if (given.length === 0) return;
  const written = await db
    .insertInto('deliveries')
    .columns([
      ...([
        'id',
        'isSealed',
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
      sql`select coalesce(id, time_ordered_id()), coalesce("isSealed", false), 'mail', kind, "recipientId", address, subject, text, html, "eventKey", "eventId",
            calendar ->> 'method', calendar ->> 'text'
          from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given
            (id uuid, "isSealed" boolean, kind text, "recipientId" uuid, address text, subject text, text text, html text, "eventKey" text,
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
