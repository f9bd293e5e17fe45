import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { defineQueue, enqueue } from './jobs.ts';

export const sendSmsQueue = defineQueue('send-sms', z.object({ deliveryId: z.uuid() }));

/** The kind of the code that proves a phone number. */
export const phoneCodeKind = 'phone_code';

export interface Sms {
  /** The id of the delivery that the text is sealed for. */
  sealedFor?: string;
  /** Null if no event stands behind the message, for example behind a code. */
  eventId: string | null;
  eventKey: string | null;
  kind: string;
  recipientId: string;
  /** The number in E.164 form. */
  phone: string;
  subject: string;
  text: string;
}

/** Writes one delivery for each message, and its job, in the caller's transaction. */
export async function queueSms(db: Db, messages: Sms[]): Promise<void> {
  if (messages.length === 0) return;
  const written = await sql<{ id: string }>`
    insert into deliveries (id, is_sealed, channel, kind, recipient_id, address, subject, text_body, event_key, event_id)
    select coalesce("sealedFor", time_ordered_id()), "sealedFor" is not null, 'sms', kind, "recipientId", phone, subject, text, "eventKey" || ':sms', "eventId"
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as given
      ("sealedFor" uuid, "eventId" uuid, "eventKey" text, kind text, "recipientId" uuid, phone text, subject text, text text)
    on conflict (event_key) do nothing
    returning id`.execute(db);
  await enqueue(
    db,
    sendSmsQueue,
    written.rows.map(({ id }) => ({ deliveryId: id })),
  );
}
