import { Button, Text } from '@mantine/core';
import { useIsOffline } from '../../api/connection.ts';
import { MessageEntry, SentMark } from './MessageEntry.tsx';
import { type Outgoing, removeOutgoing, saveDraft, tryAgain, useUnsent } from './unsent.ts';

interface OutgoingEntryProps {
  userId: string;
  message: Outgoing;
}

/** An own message that the conversation does not show yet. */
export function OutgoingEntry({ userId, message }: OutgoingEntryProps) {
  const isOffline = useIsOffline();
  const { clientKey, recipientId, text, file, failure } = message;
  const draft = useUnsent(userId).drafts[recipientId];
  const edit = () => {
    saveDraft(userId, recipientId, { text, file });
    removeOutgoing(userId, [clientKey]);
  };
  return (
    <MessageEntry senderName="You" isOwn isFirstOfRun={false} text={text} file={file}>
      {failure === null ? (
        <SentMark state={stateOf(message, isOffline)} />
      ) : (
        <>
          <SentMark state="failed" />
          <Text size="xs">{failure}</Text>
          <Button size="compact-sm" variant="default" onClick={() => tryAgain(userId, clientKey)}>
            Try again
          </Button>
          {draft ? null : (
            <Button size="compact-sm" variant="default" onClick={edit}>
              Edit
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={() => removeOutgoing(userId, [clientKey])}>
            Delete
          </Button>
        </>
      )}
    </MessageEntry>
  );
}

function stateOf({ isSent, tries }: Outgoing, isOffline: boolean) {
  if (isSent) return 'sent';
  if (isOffline) return 'waiting';
  return tries > 0 ? 'again' : 'sending';
}
