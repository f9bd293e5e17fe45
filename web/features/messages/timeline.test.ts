import { expect, test } from 'vitest';
import type { Message } from '#contract/messages.ts';
import { isReadBy, type Thread, threadOf, withNewer, withOlder } from './thread-data.ts';
import { timelineOf } from './timeline.ts';

const [me, other] = ['me', 'other'];

function message(id: string, sentAt: string, senderId = other): Message {
  return {
    id,
    clientKey: null,
    senderId,
    senderName: senderId,
    recipientId: senderId === me ? other : me,
    recipientName: '',
    text: id,
    file: null,
    sentAt,
    isRead: false,
    readAt: null,
  };
}

function page(messages: Message[], more: Partial<Thread['latest']> = {}): Thread['latest'] {
  return {
    messages,
    openings: [],
    hasOlder: true,
    hasNewer: false,
    readUpToId: null,
    person: { id: other, name: 'Other', role: 'coach' as const },
    firstUnreadId: null,
    can: { send: true },
    ...more,
  };
}

test('messages, days, openings and the first unread message stand in the order of their time', () => {
  const thread = threadOf(
    page(
      [
        message('a', '2025-11-04T15:00:00.000Z'),
        message('b', '2025-11-04T15:01:00.000Z'),
        message('c', '2025-11-05T04:59:00.000Z', me),
        message('d', '2025-11-05T05:00:00.000Z'),
      ],
      { openings: [{ id: 'o', openedAt: '2025-11-04T15:00:30.000Z' }] },
    ),
  );
  expect(timelineOf(thread, 'd').map((entry) => `${entry.kind} ${entry.key}`)).toEqual([
    'day 2025-11-04',
    'message a',
    'opening o',
    'message b',
    'message c',
    'day 2025-11-05',
    'unread unread',
    'message d',
  ]);
  const names = timelineOf(thread, null).flatMap((entry) =>
    entry.kind === 'message' && entry.isFirstOfRun ? [entry.key] : [],
  );
  expect(names).toEqual(['a', 'b', 'c', 'd']);
});

test('parts are joined without gap or repetition, and each side keeps what it knows of more', () => {
  const at = (minute: number) => `2025-11-04T15:0${minute}:00.000Z`;
  const opened = threadOf(page([message('c', at(3)), message('d', at(4))], { hasNewer: true }));
  const newer = withNewer(opened, page([message('d', at(4)), message('e', at(5))], { hasOlder: true }));
  const both = withOlder(newer, page([message('a', at(1)), message('c', at(3))], { hasOlder: false, hasNewer: true }));
  expect(both.messages.map(({ id }) => id)).toEqual(['a', 'c', 'd', 'e']);
  expect([both.hasOlder, both.hasNewer]).toEqual([false, false]);
});

test('MSG-16 the mark of an own message changes when the newest answer says how far the other one has read', () => {
  const own = ['a', 'b', 'c'].map((id, minute) => message(id, `2025-11-04T15:0${minute}:00.000Z`, me));
  const sent = threadOf(page(own));
  expect(own.map((entry) => isReadBy(sent, entry))).toEqual([false, false, false]);
  const read = withNewer(sent, page([], { readUpToId: 'b' }));
  expect(own.map((entry) => isReadBy(read, entry))).toEqual([true, true, false]);
});
