import { Box, Button, Group, Loader } from '@mantine/core';
import { ArrowDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Message } from '#contract/messages.ts';
import { messageOf } from '../../api/api-error.ts';
import { formatDateTime } from '../../ui/dates.ts';
import { ErrorState } from '../../ui/states.tsx';
import { MessageRow } from './MessageRow.tsx';
import classes from './Messages.module.css';
import { formatMessageDay } from './message-time.ts';
import { isReadBy, type Thread } from './thread-data.ts';
import { timelineOf } from './timeline.ts';
import { useNow } from './use-now.ts';
import type { useThreadScroll } from './use-thread-scroll.ts';

interface ThreadViewProps {
  label: string;
  thread: Thread;
  /** The person whose messages stand on the right. For an admin, that is the coach. */
  ownId: string;
  /** Own messages say whether they were read. */
  hasMarks: boolean;
  firstUnreadId: string | null;
  older: { mutate: () => void; isPending: boolean; isError: boolean; error: unknown };
  scroll: ReturnType<typeof useThreadScroll>;
  /** Follows the server's messages. */
  children?: ReactNode;
}

export function ThreadView({
  label,
  thread,
  ownId,
  hasMarks,
  firstUnreadId,
  older,
  scroll,
  children,
}: ThreadViewProps) {
  const now = useNow();
  const markOf = (message: Message) => (isReadBy(thread, message) ? 'read' : 'sent');
  return (
    <div className={classes.thread}>
      <Box
        ref={scroll.list}
        className={classes.list}
        onScroll={scroll.onScroll}
        role="log"
        aria-label={label}
        tabIndex={0}
      >
        {thread.hasOlder && older.isError ? (
          <ErrorState title="Failed to load messages" message={messageOf(older.error)} onRetry={() => older.mutate()} />
        ) : null}
        {thread.hasOlder && !older.isError ? (
          <Group justify="center" py="xs">
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => older.mutate()}
              leftSection={older.isPending ? <Loader size={14} aria-hidden /> : null}
            >
              {older.isPending ? 'Loading older messages' : 'Show older messages'}
            </Button>
          </Group>
        ) : null}
        {timelineOf(thread, firstUnreadId).map((entry) => {
          if (entry.kind === 'day') {
            return (
              <div key={entry.key} className={classes.line}>
                <span>{formatMessageDay(entry.at, now)}</span>
              </div>
            );
          }
          if (entry.kind === 'unread') {
            return (
              <div key={entry.key} className={classes.line} data-unread ref={scroll.unreadLine}>
                <span>New messages</span>
              </div>
            );
          }
          if (entry.kind === 'opening') {
            return (
              <p key={entry.key} className={classes.opening}>
                An administrator opened this conversation on {formatDateTime(entry.at)}
              </p>
            );
          }
          const { message, isFirstOfRun } = entry;
          const isOwn = message.senderId === ownId;
          return (
            <MessageRow
              key={entry.key}
              message={message}
              senderName={hasMarks && isOwn ? 'You' : message.senderName}
              isOwn={isOwn}
              isFirstOfRun={isFirstOfRun}
              mark={isOwn || !hasMarks ? markOf(message) : null}
              now={now}
            />
          );
        })}
        {children}
      </Box>
      {scroll.hasNew ? (
        <Button
          className={classes.toEnd}
          size="compact-sm"
          radius="xl"
          leftSection={<ArrowDown size={14} aria-hidden />}
          onClick={scroll.toEnd}
        >
          New messages
        </Button>
      ) : null}
    </div>
  );
}
