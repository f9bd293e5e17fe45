import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { readConversation } from '#contract/messages.ts';
import { useSignedInUser } from '../../api/session.ts';
import { LoadedParts } from '../../ui/Loaded.tsx';
import { Composer } from './Composer.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import classes from './Messages.module.css';
import { OutgoingEntry } from './OutgoingEntry.tsx';
import { ThreadView } from './ThreadView.tsx';
import { removeOutgoing, useUnsent } from './unsent.ts';
import { useReadMarks } from './use-read-marks.ts';
import { useThread } from './use-thread.ts';
import { useThreadScroll } from './use-thread-scroll.ts';

/** The person's own conversation with somebody. A change of partner mounts it anew. */
export function ConversationPane({ personId }: { personId: string }) {
  const user = useSignedInUser();
  const { query, thread, older, newer } = useThread(readConversation, personId);
  const own = useUnsent(user.id).outgoing.filter(({ recipientId }) => recipientId === personId);
  const shownKeys = new Set(thread?.messages.map(({ clientKey }) => clientKey));
  const outgoing = own.filter(({ clientKey }) => !shownKeys.has(clientKey));
  const arrived = own.filter(({ clientKey }) => shownKeys.has(clientKey)).map(({ clientKey }) => clientKey);
  const arrivedKeys = arrived.join(' ');
  useEffect(() => {
    if (arrivedKeys) removeOutgoing(user.id, arrivedKeys.split(' '));
  }, [user.id, arrivedKeys]);

  const isFresh = query.isFetchedAfterMount && thread !== null;
  const [firstUnreadId, setFirstUnreadId] = useState<string | null | undefined>(undefined);
  if (isFresh && firstUnreadId === undefined) setFirstUnreadId(thread.latest.firstUnreadId);

  const last = thread?.messages.at(-1);
  const scroll = useThreadScroll({
    firstId: isFresh ? (thread.messages[0]?.id ?? 'none') : null,
    lastId: last?.id ?? null,
    isLastOwn: last?.senderId === user.id,
    writtenKey: outgoing.at(-1)?.clientKey ?? null,
    onNearStart: () => {
      if (thread?.hasOlder && !older.isPending && !older.isError) older.mutate();
    },
    onNearEnd: () => {
      if (thread?.hasNewer && !query.isFetching) void newer();
    },
  });
  useReadMarks({
    personId,
    thread: isFresh ? thread : null,
    answeredAt: query.dataUpdatedAt,
    isEndShown: scroll.isEndShown,
  });

  const person = thread?.latest.person;
  return (
    <section className={classes.pane} aria-label={person ? `Conversation with ${person.name}` : 'Conversation'}>
      <ConversationHeader title={person?.name ?? ''} lead={person?.role === 'coach' ? 'Your coach' : null} />
      <LoadedParts read={query} failure="Failed to load messages" loading={{ label: 'Loading messages', rows: 4 }}>
        {(thread) => (
          <>
            <ThreadView
              label={`Messages with ${thread.latest.person.name}`}
              thread={thread}
              ownId={user.id}
              hasMarks
              firstUnreadId={firstUnreadId ?? null}
              older={older}
              scroll={scroll}
            >
              {thread.messages.length === 0 && outgoing.length === 0 ? (
                <p className={classes.opening}>No messages yet. Write the first one to {thread.latest.person.name}.</p>
              ) : null}
              {outgoing.map((message) => (
                <OutgoingEntry key={message.clientKey} userId={user.id} message={message} />
              ))}
            </ThreadView>
            {thread.latest.can.send ? (
              <Composer userId={user.id} person={thread.latest.person} />
            ) : (
              <Text className={classes.composer} c="dimmed" size="sm">
                You can read this conversation. You can only write to{' '}
                {user.role === 'coach' ? 'your own participants' : 'your own coach'}.
              </Text>
            )}
          </>
        )}
      </LoadedParts>
    </section>
  );
}
