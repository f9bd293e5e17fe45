import { sql } from 'kysely';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { showNotice } from '#server/platform/live.ts';
import { type Notice, notify, notifyLater } from '#server/platform/notices.ts';
import { changed } from '#server/platform/telling.ts';

/** The person who wrote the words. */
export type Sender = Pick<Actor, 'id' | 'role' | 'firstName' | 'lastName'>;

export interface SentMessage {
  id: string;
  recipientId: string;
  text: string;
  /** Admins who have this conversation open. */
  watcherIds: string[];
}

export const messageKind = 'message';
const title = 'New Message';
const longestNotice = 120;
const burstInMs = 10 * 60 * 1000;

/** Tells only the recipient in words (MSG-28). Open screens of both follow, and those of admins who read along. */
export async function tellOfMessage(db: Db, sender: Sender, message: SentMessage): Promise<void> {
  const words = noticeOf(sender, message.text);
  await showNotice(db, [message.recipientId], { type: 'info', title, message: words });
  await changed(db, 'messages', [message.recipientId, sender.id, ...message.watcherIds]);
  await notifyOnceABurst(db, sender, message, words);
}

export async function tellOfReading(db: Db, reader: Pick<Actor, 'id'>, senderId: string): Promise<void> {
  await changed(db, 'messages', [reader.id, senderId]);
}

export async function tellOfOpening(db: Db, pair: string[]): Promise<void> {
  await changed(db, 'messages', pair);
}

/**
 * Sends one notice and one mail in ten minutes. A message within them belongs to the same burst while the burst's first
 * one is unread. A person who read the last one and left is told of the next when the ten minutes are over, if it or a
 * later one is unread then.
 */
async function notifyOnceABurst(db: Db, sender: Sender, message: SentMessage, words: string): Promise<void> {
  const link = `/cohorts?with=${sender.id}`;
  const burstBegan = new Date(now().getTime() - burstInMs);
  const { id: messageId, recipientId } = message;
  const [told] = await toldSince(db, { senderId: sender.id, recipientId, messageId, link, burstBegan });
  if (!told) throw new Error('A select without a condition answered no row.');
  if (told.hasTold) return;
  const notice: Notice = {
    userId: message.recipientId,
    kind: messageKind,
    title,
    message: words,
    link,
    preference: 'coachMessages',
    eventKey: `message:${message.id}`,
    subjectId: message.id,
  };
  if (!told.lastToldAt) return notify(db, [notice]);
  await notifyLater(db, notice, new Date(told.lastToldAt.getTime() + burstInMs));
}

interface Burst {
  senderId: string;
  recipientId: string;
  messageId: string;
  link: string;
  burstBegan: Date;
}
const toldSince = builtOnce((db, { senderId, recipientId, messageId, link, burstBegan }: Burst) =>
  db.selectNoFrom((eb) => [
    eb
      .exists(
        eb
          .selectFrom('coachMessages')
          .select('id')
          .where('recipientId', '=', recipientId)
          .where('senderId', '=', senderId)
          .where('isRead', '=', sql.lit(false))
          .where('id', '<>', messageId)
          .where(isToldSince(burstBegan)),
      )
      .as('hasTold'),
    eb
      .selectFrom('notices')
      .select((notice) => notice.fn.max('createdAt').as('at'))
      .where('userId', '=', recipientId)
      .where('kind', '=', messageKind)
      .where('link', '=', link)
      .where('createdAt', '>', burstBegan)
      .as('lastToldAt'),
  ]),
);

/** True if a row of `coach_messages` has a notice of its own, told since then or still to come. */
const isToldSince = (time: Date) => sql<boolean>`exists (
  select from notice_events told
  where told.kind = ${messageKind} and told.subject_id = coach_messages.id and told.due_at > ${time})`;

function noticeOf({ firstName, lastName }: Sender, text: string): string {
  const name = `${firstName} ${lastName}`;
  const letters = [...text];
  const shown = letters.length > longestNotice ? `${letters.slice(0, longestNotice).join('')}…` : text;
  return text ? `${name}: ${shown}` : `${name} sent you a file.`;
}
