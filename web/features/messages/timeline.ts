import type { Message } from '#contract/messages.ts';
import { dayAt } from '#contract/weeks.ts';
import { shownZone } from '../../api/shown-zone.ts';
import type { Thread } from './thread-data.ts';

export type TimelineEntry =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string }
  | { kind: 'opening'; key: string; at: string }
  | { kind: 'message'; key: string; message: Message; isFirstOfRun: boolean };

/** Messages and openings in the order of time. A line stands above each day and above the first unread message. */
export function timelineOf({ messages, openings }: Thread, firstUnreadId: string | null): TimelineEntry[] {
  const events = [
    ...messages.map((message) => ({ at: message.sentAt, message })),
    ...openings.map(({ id, openedAt }) => ({ at: openedAt, id, message: null })),
  ].toSorted((one, other) => one.at.localeCompare(other.at));
  const entries: TimelineEntry[] = [];
  let day = '';
  let senderId: string | null = null;
  for (const event of events) {
    const eventDay = dayAt(new Date(event.at), shownZone());
    if (eventDay !== day) {
      entries.push({ kind: 'day', key: eventDay, at: event.at });
      senderId = null;
    }
    day = eventDay;
    if (!event.message) {
      entries.push({ kind: 'opening', key: event.id, at: event.at });
      senderId = null;
      continue;
    }
    const { message } = event;
    if (message.id === firstUnreadId) {
      entries.push({ kind: 'unread', key: 'unread' });
      senderId = null;
    }
    entries.push({ kind: 'message', key: message.id, message, isFirstOfRun: message.senderId !== senderId });
    senderId = message.senderId;
  }
  return entries;
}
