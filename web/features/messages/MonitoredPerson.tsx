import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Conversation, listConversations } from '#contract/messages.ts';
import { pagesFor } from '../../api/query-for.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { LongList } from '../../ui/LongList.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import classes from './Messages.module.css';
import { formatMessageTime } from './message-time.ts';
import { OpenConversationDialog } from './OpenConversationDialog.tsx';
import { OpenedConversation } from './OpenedConversation.tsx';
import { useNow } from './use-now.ts';

interface MonitoredPersonProps {
  personId: string;
  openingId: string | null;
  onOpen: (openingId: string | undefined) => void;
}

/** MSG-09: an admin chooses one of a person's conversations, and says why before it opens. */
export function MonitoredPerson({ personId, openingId, onOpen }: MonitoredPersonProps) {
  const now = useNow();
  const [chosen, setChosen] = useState<Conversation | null>(null);
  const list = useInfiniteQuery({
    ...pagesFor(listConversations, { params: { id: personId }, query: {} }),
    enabled: openingId === null,
  });
  const person = list.data?.pages[0]?.person;
  const otherIn = ({ coach, participant }: Conversation) => (coach.id === personId ? participant : coach);
  if (openingId) return <OpenedConversation key={openingId} openingId={openingId} onLeave={() => onOpen(undefined)} />;
  return (
    <section className={classes.pane} aria-label="Conversations">
      <ConversationHeader
        title={person ? `Conversations of ${person.name}` : 'Conversations'}
        lead={person?.role === 'coach' ? 'Coach' : person ? 'Participant' : null}
      />
      <div className={classes.list}>
        <LoadedRows
          list={list}
          failure="Failed to load messages"
          loading={{ label: 'Loading conversations', rows: 3 }}
          empty={<EmptyState title="No conversations">{person?.name} has no messages yet.</EmptyState>}
        >
          {(conversations) => (
            <LongList
              rows={conversations}
              keyOf={(conversation) => otherIn(conversation).id}
              rowHeight={68}
              className={classes.entries}
              partClassName={classes.entries}
              itemClassName={classes.conversationRow}
            >
              {(conversation) => (
                <>
                  <div style={{ minWidth: 0 }}>
                    <Text fw={550}>With {otherIn(conversation).name}</Text>
                    <Text size="sm" c="dimmed">
                      {conversation.messageCount === 1
                        ? '1 message'
                        : `${conversation.messageCount.toLocaleString('en-US')} messages`}
                      , the latest {formatMessageTime(conversation.latestAt, now)}
                    </Text>
                  </div>
                  <Button
                    variant="default"
                    size="sm"
                    onClick={() => setChosen(conversation)}
                    aria-label={`Open the conversation with ${otherIn(conversation).name}`}
                  >
                    Open
                  </Button>
                </>
              )}
            </LongList>
          )}
        </LoadedRows>
        <NextPageButton list={list} size="sm" />
      </div>
      <OpenConversationDialog conversation={chosen} onClose={() => setChosen(null)} onOpened={onOpen} />
    </section>
  );
}
