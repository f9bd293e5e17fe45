import { memo } from 'react';
import type { Message } from '#contract/messages.ts';
import { formatDateTime, formatLocalTime } from '../../ui/dates.ts';
import { MessageEntry, SentMark } from './MessageEntry.tsx';
import { formatMessageTime } from './message-time.ts';

interface MessageRowProps {
  message: Message;
  senderName: string;
  isOwn: boolean;
  isFirstOfRun: boolean;
  /** Null if no mark is shown. */
  mark: 'sent' | 'read' | null;
  now: Date;
}

/** Draws again only if its own props change, because hundreds of messages may stand above a new one. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, senderName, isOwn, isFirstOfRun, mark, now } = props;
  const { id, text, file, sentAt } = message;
  return (
    <MessageEntry id={id} senderName={senderName} isOwn={isOwn} isFirstOfRun={isFirstOfRun} text={text} file={file}>
      <time dateTime={sentAt} title={formatLocalTime(sentAt) ?? formatDateTime(sentAt)}>
        {formatMessageTime(sentAt, now)}
      </time>
      {mark ? <SentMark state={mark} /> : null}
    </MessageEntry>
  );
});
