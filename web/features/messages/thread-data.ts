import type { ResponseOf } from '#contract/endpoint.ts';
import type { Message, readConversation, readOpenedConversation } from '#contract/messages.ts';

type Page = ResponseOf<typeof readConversation> | ResponseOf<typeof readOpenedConversation>;
type Opening = Page['openings'][number];

/** The loaded part of a conversation, without gaps, in the order of sending. */
export interface Thread<P extends Page = Page> {
  messages: Message[];
  openings: Opening[];
  hasOlder: boolean;
  hasNewer: boolean;
  /** The server's newest answer. Facts about the whole conversation come from it. */
  latest: P;
}

export function threadOf<P extends Page>(page: P): Thread<P> {
  const { messages, openings, hasOlder, hasNewer } = page;
  return { messages, openings, hasOlder, hasNewer, latest: page };
}

export function withNewer<P extends Page>(thread: Thread<P>, page: P): Thread<P> {
  return {
    ...thread,
    messages: joined(thread.messages, page.messages),
    openings: joined(thread.openings, page.openings),
    hasNewer: page.hasNewer,
    latest: page,
  };
}

export function withOlder<P extends Page>(thread: Thread<P>, page: P): Thread<P> {
  return {
    ...thread,
    messages: joined(page.messages, thread.messages),
    openings: joined(page.openings, thread.openings),
    hasOlder: page.hasOlder,
  };
}

/**
 * However far a person scrolls, the page keeps and draws no more than this. It reads the rest again when they return.
 */
export const mostMessages = 300;

/** Call it after older messages came in. */
export function withoutNewest<P extends Page>(thread: Thread<P>): Thread<P> {
  if (thread.messages.length <= mostMessages) return thread;
  return { ...thread, messages: withMarks(thread).slice(0, mostMessages), hasNewer: true };
}

/** Call it after newer messages came in. */
export function withoutOldest<P extends Page>(thread: Thread<P>): Thread<P> {
  if (thread.messages.length <= mostMessages) return thread;
  return { ...thread, messages: withMarks(thread).slice(-mostMessages), hasOlder: true };
}

/** True if the other person has read this own message of the reader. The newest answer counts too. */
export function isReadBy({ messages, latest }: Thread, message: Message): boolean {
  if (message.isRead) return true;
  const readUpTo = messages.findIndex(({ id }) => id === latest.readUpToId);
  return messages.indexOf(message) <= readUpTo;
}

/** The message that shows how far the other person has read may go. So each read message is marked first. */
function withMarks(thread: Thread): Message[] {
  const { messages, latest } = thread;
  const readUpTo = messages.findIndex(({ id }) => id === latest.readUpToId);
  const senderId = messages[readUpTo]?.senderId;
  return messages.map((message, index) =>
    index <= readUpTo && message.senderId === senderId ? { ...message, isRead: true } : message,
  );
}

/** If two requests were under way at once, neighbors may come twice. */
function joined<Item extends { id: string }>(first: Item[], second: Item[]): Item[] {
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !known.has(id))];
}
