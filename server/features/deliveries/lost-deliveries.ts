import { sql } from 'kysely';
import type { App } from '#server/platform/app-parts.ts';
import { machineTime } from '#server/platform/clock.ts';
import { sendMailQueue } from '#server/platform/mailer.ts';
import { sendPushQueue } from '#server/platform/push-queue.ts';
import { sendSmsQueue } from '#server/platform/sms-queue.ts';
import { changed } from '#server/platform/telling.ts';
import { hasEnded } from './delivery-access.ts';
import { emptyBody, waitingStatuses } from './delivery-state.ts';

const graceInMs = 10 * 60 * 1000;
const queueNames = [sendMailQueue, sendPushQueue, sendSmsQueue].map(({ name }) => name);

/**
 * Gives up deliveries that wait although no job is left to send them, so that an admin sees them. A process that is
 * killed in its last try leaves no word, and neither does a try that takes too long. Without a mail server, mails wait
 * for nothing. Returns how many there were.
 */
export async function giveUpLostDeliveries({ db, config }: Pick<App, 'db' | 'config'>): Promise<number> {
  const lost = await sql`
    update deliveries set status = 'given_up', given_up_at = now(), tried_until = null,
      last_error = concat_ws(' ', last_error,
        case when awaiting_answer_since is not null then 'It may have arrived: the mail server had all of it.' end,
        'The last try was cut off, and no other one follows.')
    where status = any(${waitingStatuses}) and created_at < ${new Date(machineTime().getTime() - graceInMs)}
      and (channel <> 'mail' or ${config.smtpUrl !== null})
      and (tried_until is null or tried_until < now())
      and not exists (
        select from pgboss.job
        where name = any(${queueNames}) and state in ('created', 'retry', 'active')
          and data ->> 'deliveryId' = deliveries.id::text)
    returning id`.execute(db);
  if (lost.rows.length > 0) await changed(db, 'deliveries', []);
  return lost.rows.length;
}

/** A delivery that was given up keeps its body as long as an admin may send it again, and no longer. */
export async function emptyEndedDeliveries({ db }: Pick<App, 'db'>): Promise<void> {
  await db
    .updateTable('deliveries as delivery')
    .set(emptyBody)
    .where('status', '=', sql.lit('given_up'))
    .where('eventId', 'is', null)
    .where('textBody', '<>', '')
    .where(hasEnded)
    .execute();
}
