import { expect, test } from 'vitest';
import type { Message } from '#contract/messages.ts';
import { isReadBy, type Thread, threadOf, withNewer, withOlder, withoutNewest, withoutOldest } from './thread-data.ts';
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

test('of ten thousand messages that are scrolled through three hundred are kept, without a gap, up and down again', () => {
  const all = Array.from({ length: 10_000 }, (_, index) => {
    const sentAt = new Date(Date.UTC(2025, 10, 4) + index * 60_000).toISOString();
    return message(String(index), sentAt, index % 2 === 0 ? me : other);
  });
  const part = (start: number, more: object = {}) => page(all.slice(Math.max(0, start), start + 50), more);
  const first = (thread: Thread) => Number(thread.messages[0]?.id);
  const last = (thread: Thread) => Number(thread.messages.at(-1)?.id);
  let thread = threadOf(part(9950, { readUpToId: '9998' }));
  while (first(thread) > 0) {
    const start = first(thread) - 50;
    thread = withoutNewest(withOlder(thread, part(start, { hasOlder: start > 0, hasNewer: true })));
    expect(thread.messages.length).toBeLessThanOrEqual(300);
  }
  expect([thread.hasOlder, thread.hasNewer, last(thread)]).toEqual([false, true, 299]);
  // Messages read before the newest ones went stay read. The other person's messages are not touched.
  const upper = withoutNewest(withOlder(threadOf(page(all.slice(250, 550), { readUpToId: '548' })), part(200)));
  expect(upper.messages.every((one) => (one.senderId === me) === isReadBy(upper, one))).toBe(true);
  while (last(thread) < 9999) {
    const start = last(thread) + 1;
    thread = withoutOldest(withNewer(thread, part(start, { hasNewer: start + 50 < 10_000 })));
    expect(thread.messages.length).toBeLessThanOrEqual(300);
  }
  expect([thread.hasOlder, thread.hasNewer]).toEqual([true, false]);
  expect(thread.messages.map(({ id }) => id)).toEqual(all.slice(-300).map(({ id }) => id));
});

test('MSG-16 the mark of an own message changes when the newest answer says how far the other one has read', () => {
  const own = ['a', 'b', 'c'].map((id, minute) => message(id, `2025-11-04T15:0${minute}:00.000Z`, me));
  const sent = threadOf(page(own));
  expect(own.map((entry) => isReadBy(sent, entry))).toEqual([false, false, false]);
  const read = withNewer(sent, page([], { readUpToId: 'b' }));
  expect(own.map((entry) => isReadBy(read, entry))).toEqual([true, true, false]);
});
