import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { defineQueue, enqueue } from './jobs.ts';

export const sendPushQueue = defineQueue('send-push', z.object({ deliveryId: z.uuid() }));

export interface Push {
  eventId: string;
  eventKey: string;
  kind: string;
  recipientId: string;
  title: string;
  message: string;
}

/** Writes one delivery for each browser of each recipient, and its job, in the caller's transaction. */
export async function queuePushes(db: Db, pushes: Push[]): Promise<void> {
  if (pushes.length === 0) return;
  const written = await sql<{ id: string }>`
    insert into deliveries (channel, kind, recipient_id, address, subject, text_body, event_key, event_id)
    select 'push', kind, "recipientId", endpoint, title, message, "eventKey" || ':push:' || subscription.id, "eventId"
    from jsonb_to_recordset(${JSON.stringify(pushes)}::jsonb) as given
      ("eventId" uuid, "eventKey" text, kind text, "recipientId" uuid, title text, message text)
    join push_subscriptions subscription on subscription.user_id = "recipientId"
    on conflict (event_key) do nothing
    returning id`.execute(db);
  await enqueue(
    db,
    sendPushQueue,
    written.rows.map(({ id }) => ({ deliveryId: id })),
  );
}
