import { z } from 'zod';
import { endpoint, Id, IdParams, Instant, pageOf, SearchText } from './endpoint.ts';
import { Role } from './roles.ts';

/** MSG-08 */
export const readOnlyAccess = {
  title: 'Read-Only Access',
  message: 'Admins have read-only access to communications for monitoring purposes',
};
/** MSG-17 */
export const messageRequired = {
  title: 'Message Required',
  message: 'Please enter a message or attach a file',
};

/** Nobody can see these: white space, marks that steer writing, and the blanks that count as letters. */
const invisible = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** MSG-17 */
export function hasWords(text: string): boolean {
  return !invisible.test(text);
}

const longestMessage = 20_000;
/**
 * An admin reads a conversation on one opening for this long (milliseconds). Then they open it anew, and the log has it
 * anew.
 */
export const openingLastsMs = 60 * 60 * 1000;

const MessageFile = z.object({ id: Id, name: z.string(), size: z.number().int() });

export const Message = z.object({
  id: Id,
  /** The sender's own key of it. It is null for everybody else. */
  clientKey: Id.nullable(),
  senderId: Id,
  senderName: z.string(),
  recipientId: Id,
  recipientName: z.string(),
  /** Plain text (MSG-38). It is empty if only a file was sent. */
  text: z.string(),
  file: MessageFile.nullable(),
  sentAt: Instant,
  isRead: z.boolean(),
  readAt: Instant.nullable(),
});
export type Message = z.infer<typeof Message>;

/** It tells the two people in the conversation that an admin read it. */
const Opening = z.object({ id: Id, openedAt: Instant });

/**
 * A part of a conversation in the order of sending. The ids of its first and last message lead to the parts before and
 * after.
 */
const ThreadPage = z.object({
  messages: z.array(Message),
  hasOlder: z.boolean(),
  hasNewer: z.boolean(),
  /** Openings by admins in the time of this part. */
  openings: z.array(Opening),
  /** The newest message of the reader's own that the other person has read. */
  readUpToId: Id.nullable(),
});

const PageQuery = z.object({
  /** The part before this message. */
  before: Id.optional(),
  /** The part after this message. */
  after: Id.optional(),
});

export const Contact = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  role: Role,
  latest: z
    .object({
      sentAt: Instant,
      /** How it begins. It is null for admins, who read words only in a conversation that they opened. */
      preview: z.object({ isOwn: z.boolean(), text: z.string(), hasFile: z.boolean() }).nullable(),
    })
    .nullable(),
  unreadCount: z.number().int(),
});
export type Contact = z.infer<typeof Contact>;

export const listContacts = endpoint({
  name: 'listContacts',
  method: 'GET',
  path: '/api/messages/contacts',
  access: 'messages.use',
  mayReadReplica: true,
  summary: 'Whom a person exchanges messages with, latest message first; for admins all participants and coaches.',
  shows: ['messages', 'people', 'coaches', 'enrolments'],
  query: z.object({
    /** Searches name and email. */
    search: SearchText.optional(),
    cursor: z.string().max(4000).optional(),
  }),
  response: pageOf(Contact),
});

export const readConversation = endpoint({
  name: 'readConversation',
  method: 'GET',
  path: '/api/conversations/:id',
  access: 'messages.send',
  summary:
    'The own conversation with a person: the part around the first unread message, or before or after a message.',
  shows: ['messages', 'people', 'coaches', 'enrolments'],
  params: IdParams,
  query: PageQuery,
  response: ThreadPage.extend({
    person: z.object({ id: Id, name: z.string(), role: Role }),
    firstUnreadId: Id.nullable(),
    can: z.object({ send: z.boolean() }),
  }),
});

/** MSG-08 has words for admins. */
export const sendMessage = endpoint({
  name: 'sendMessage',
  method: 'POST',
  path: '/api/conversations/:id/messages',
  access: 'messages.send',
  refusal: readOnlyAccess.message,
  summary: 'Sends text, a file or both to the own coach or an own participant; the same key again sends nothing twice.',
  params: IdParams,
  body: z.object({
    clientKey: Id,
    text: z.string().max(longestMessage),
    fileId: Id.nullable(),
  }),
  response: Message,
});

export const markConversationRead = endpoint({
  name: 'markConversationRead',
  method: 'POST',
  path: '/api/conversations/:id/read-marks',
  access: 'messages.send',
  summary: 'Marks what a person received from another one as read, up to the message that they saw.',
  params: IdParams,
  body: z.object({ upToId: Id }),
  response: z.object({ readCount: z.number().int() }),
});

export const Conversation = z.object({
  coach: z.object({ id: Id, name: z.string() }),
  participant: z.object({ id: Id, name: z.string() }),
  messageCount: z.number().int(),
  latestAt: Instant,
});
export type Conversation = z.infer<typeof Conversation>;

export const listConversations = endpoint({
  name: 'listConversations',
  method: 'GET',
  path: '/api/users/:id/conversations',
  access: 'messages.monitor',
  summary: "A person's conversations, latest first, without their words.",
  shows: ['messages', 'people'],
  params: IdParams,
  query: z.object({ cursor: z.string().max(200).optional() }),
  response: pageOf(Conversation).extend({ person: z.object({ id: Id, name: z.string(), role: Role }) }),
});

export const openConversation = endpoint({
  name: 'openConversation',
  method: 'POST',
  path: '/api/conversation-openings',
  access: 'messages.monitor',
  summary: 'Opens a conversation for an admin to read; it is logged, and shown to the two people in it.',
  body: z.object({ coachId: Id, participantId: Id, reason: z.string().trim().max(1000).nullable() }),
  response: z.object({ id: Id }),
});

export const readOpenedConversation = endpoint({
  name: 'readOpenedConversation',
  method: 'GET',
  path: '/api/conversation-openings/:id',
  access: 'messages.monitor',
  summary: 'A conversation that this admin opened within the last hour: the newest part, or before or after a message.',
  shows: ['messages', 'people'],
  params: IdParams,
  query: PageQuery,
  response: ThreadPage.extend({
    coach: z.object({ id: Id, name: z.string() }),
    participant: z.object({ id: Id, name: z.string() }),
    openedAt: Instant,
    reason: z.string().nullable(),
  }),
});
