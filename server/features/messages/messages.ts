import { readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import type { Db } from '#server/db/database.ts';
import { claimUpload } from '#server/features/files/file-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { tellBrowsers } from '#server/platform/live.ts';
import { mayWriteTo } from './message-access.ts';

interface NewMessage {
  recipientId: string;
  text: string | null;
  /** An own, finished upload of the area 'messages'. */
  fileId?: string | null;
  subject?: string | null;
  messageType?: 'general' | 'feedback' | 'session_request' | 'performance_note';
}

const readOnly = 'Admins have read-only access to communications for monitoring purposes';
const longestNotice = 120;

/** Text, an attachment or both, from a coach to an own participant or back (MSG-08, MSG-17, MSG-25, MSG-26, MSG-35). */
export async function sendMessage(db: Db, actor: Actor, given: NewMessage): Promise<string> {
  if (actor.role === 'admin') throw new AppError('forbidden', readOnly);
  const text = given.text?.trim() ? given.text : '';
  if (!text && !given.fileId) throw new AppError('invalid_input', 'Please enter a message or attach a file');
  if (!(await mayWriteTo(db, actor, given.recipientId))) {
    const allowed = actor.role === 'coach' ? 'your own participants' : 'your own coach';
    throw new AppError('forbidden', `You can write to ${allowed} only.`);
  }
  const file = given.fileId ? await claimUpload(db, actor, given.fileId, 'messages') : null;
  const id = newId();
  await db
    .insertInto('coachMessages')
    .values({
      id,
      senderId: actor.id,
      recipientId: given.recipientId,
      recipientType: actor.role === 'coach' ? 'fellow' : 'coach',
      subject: given.subject ?? null,
      message: text,
      messageType: given.messageType ?? 'general',
      filePath: file?.path ?? null,
      sentAt: now(),
    })
    .execute();
  await tellBrowsers(db, [given.recipientId], {
    endpoints: [readParticipantDashboard, readCoachDashboard],
    notice: { type: 'info', title: 'New Message', message: noticeOf(actor, text) },
  });
  return id;
}

/** Opening a conversation marks what the other person sent to the actor as read, and nothing else (MSG-13 to MSG-15). */
export async function markConversationRead(db: Db, actor: Pick<Actor, 'id'>, otherId: string): Promise<number> {
  const read = await db
    .updateTable('coachMessages')
    .set({ isRead: true, readAt: now() })
    .where('recipientId', '=', actor.id)
    .where('senderId', '=', otherId)
    .where('isRead', '=', false)
    .returning('id')
    .execute();
  if (read.length > 0) {
    await tellBrowsers(db, [actor.id, otherId], { endpoints: [readParticipantDashboard, readCoachDashboard] });
  }
  return read.length;
}

function noticeOf(sender: Actor, text: string): string {
  const name = `${sender.firstName} ${sender.lastName}`;
  return text ? `${name}: ${text.slice(0, longestNotice)}` : `${name} sent you a file.`;
}
