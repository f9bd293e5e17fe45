import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { newId } from './ids.ts';
import { defineQueue, enqueue } from './jobs.ts';
import { sealBody } from './sealed-bodies.ts';
import type { Secrets } from './secret-box.ts';

export interface Mail {
  /** The delivery's id, if it is known before the delivery is written. */
  id?: string;
  isSealed?: boolean;
  holdsSecret?: never;
  /** The kind of the mail, such as `invitation` or `password_reset`. */
  kind: string;
  recipientId: string | null;
  address: string;
  subject: string;
  text: string;
  html?: string;
  /** The identity of the event. Of two mails with the same key only the first exists. */
  eventKey?: string;
  /** The recorded event that the mail tells of. The mail's unsubscribe address switches off this event's category. */
  eventId?: string;
  /** An event for the reader's calendar, as iCalendar text with this method. */
  calendar?: { method: 'REQUEST' | 'CANCEL'; text: string };
}

/**
 * A mail with a link or a code that only its reader may see. `sealMail` seals it, so the database never has it in the
 * clear.
 */
export type SecretMail = Omit<Mail, 'holdsSecret' | 'id' | 'isSealed'> & { holdsSecret: true };

export const sendMailQueue = defineQueue('send-mail', z.object({ deliveryId: z.uuid() }));

export function sealMail(secrets: Secrets, { holdsSecret: _, text, html, ...mail }: SecretMail): Mail {
  const id = newId();
  const body = sealBody(secrets, id, { text, html: html ?? null });
  return { ...mail, id, isSealed: true, text: body.text, ...(body.html === null ? {} : { html: body.html }) };
}

/**
 * Writes the mails and enqueues their sending, in the caller's transaction. It takes three statements for any number.
 */
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
