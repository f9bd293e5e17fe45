import { type RawBuilder, sql } from 'kysely';
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
  told: Told;
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
  const { told } = message;
  if (told.hasTold) return;
  const notice: Notice = {
    userId: message.recipientId,
    kind: messageKind,
    title,
    message: words,
    link: linkTo(sender.id),
    preference: 'coachMessages',
    eventKey: `message:${message.id}`,
    subjectId: message.id,
  };
  if (!told.lastToldAt) return notify(db, [notice]);
  await notifyLater(db, notice, new Date(told.lastToldAt.getTime() + burstInMs));
}

/** What came before in the burst that a message from the sender would belong to. */
export interface Told {
  hasTold: boolean;
  lastToldAt: Date | null;
}

interface Burst {
  senderId: string;
  recipientId: string;
  link: string;
  burstBegan: Date;
}

/** The values of `toldColumns` for a message that is sent now. */
export function burstOf(senderId: string, recipientId: string): Burst {
  return { senderId, recipientId, link: linkTo(senderId), burstBegan: new Date(now().getTime() - burstInMs) };
}

/** `Told`, as columns of a statement that comes before the message is stored. */
export function toldColumns({ senderId, recipientId, link, burstBegan }: Burst): RawBuilder<unknown> {
  return sql`
    exists (select from coach_messages earlier
      join notice_events told on told.kind = ${sql.lit(messageKind)} and told.subject_id = earlier.id
      where earlier.recipient_id = ${recipientId} and earlier.sender_id = ${senderId} and not earlier.is_read
        and told.due_at > ${burstBegan}) as has_told,
    (select max(created_at) from notices
      where user_id = ${recipientId} and kind = ${messageKind} and link = ${link} and created_at > ${burstBegan})
      as last_told_at`;
}

const linkTo = (senderId: string) => `/cohorts?with=${senderId}`;

function noticeOf({ firstName, lastName }: Sender, text: string): string {
  const name = `${firstName} ${lastName}`;
  const letters = [...text];
  const shown = letters.length > longestNotice ? `${letters.slice(0, longestNotice).join('')}…` : text;
  return text ? `${name}: ${shown}` : `${name} sent you a file.`;
}
