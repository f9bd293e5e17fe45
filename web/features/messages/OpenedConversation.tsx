import { Alert, Button } from '@mantine/core';
import { EyeOff } from 'lucide-react';
import { readOnlyAccess, readOpenedConversation } from '#contract/messages.ts';
import { formatDateTime } from '../../ui/dates.ts';
import { LoadedParts } from '../../ui/Loaded.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import classes from './Messages.module.css';
import { ThreadView } from './ThreadView.tsx';
import { useThread } from './use-thread.ts';
import { useThreadScroll } from './use-thread-scroll.ts';

interface OpenedConversationProps {
  openingId: string;
  onLeave: () => void;
}

/** A conversation as an admin reads it, for an hour from its opening (MSG-08). */
export function OpenedConversation({ openingId, onLeave }: OpenedConversationProps) {
  const { query, thread, older, newer } = useThread(readOpenedConversation, openingId);
  const scroll = useThreadScroll({
    firstId: thread?.messages[0]?.id ?? null,
    lastId: thread?.messages.at(-1)?.id ?? null,
    isLastOwn: false,
    writtenKey: null,
    onNearStart: () => {
      if (thread?.hasOlder && !older.isPending && !older.isError) older.mutate();
    },
    onNearEnd: () => {
      if (thread?.hasNewer && !query.isFetching) void newer();
    },
  });
  const latest = thread?.latest;
  const reason = latest?.reason ? ` Your reason: ${latest.reason}` : '';
  return (
    <section className={classes.pane} aria-label="Opened conversation">
      <ConversationHeader
        title={latest ? `${latest.coach.name} and ${latest.participant.name}` : ''}
        lead={latest ? `Opened by you on ${formatDateTime(latest.openedAt)}.${reason}` : null}
      >
        <Button variant="default" size="compact-md" onClick={onLeave} flex="0 0 auto">
          Close
        </Button>
      </ConversationHeader>
      <LoadedParts read={query} failure="Failed to load messages" loading={{ label: 'Loading messages', rows: 4 }}>
        {(thread) => (
          <ThreadView
            label={`Messages of ${thread.latest.coach.name} and ${thread.latest.participant.name}`}
            thread={thread}
            ownId={thread.latest.coach.id}
            hasMarks={false}
            firstUnreadId={null}
            older={older}
            scroll={scroll}
          />
        )}
      </LoadedParts>
      <Alert
        color="gray"
        icon={<EyeOff size={18} aria-hidden />}
        title={readOnlyAccess.title}
        className={classes.readOnly}
      >
        {readOnlyAccess.message}
      </Alert>
    </section>
  );
}
