import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Conversation, openConversation } from '#contract/messages.ts';
import { messageOf } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { LongText } from '../../ui/LongText.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';

interface OpenConversationDialogProps {
  conversation: Conversation | null;
  onClose: () => void;
  onOpened: (openingId: string) => void;
}

export function OpenConversationDialog({ conversation, onClose, onOpened }: OpenConversationDialogProps) {
  const [reason, setReason] = useState('');
  const { run, isRunning, error, reset } = useAction(openConversation, {
    onSuccess: ({ id }) => {
      setReason('');
      onOpened(id);
    },
  });
  const close = () => {
    reset();
    setReason('');
    onClose();
  };
  const { closing, question } = useUnsavedChanges(conversation !== null && reason.trim() !== '' && !isRunning);
  const open = () => {
    if (!conversation) return;
    const { coach, participant } = conversation;
    run({ body: { coachId: coach.id, participantId: participant.id, reason: reason.trim() || null } });
  };
  return (
    <>
      <Modal opened={conversation !== null} {...closing(close)} title="Open this conversation?">
        {conversation ? (
          <Stack
            gap="md"
            component="form"
            onSubmit={(event) => {
              event.preventDefault();
              open();
            }}
          >
            <Text>
              {conversation.coach.name} and {conversation.participant.name} will see that an administrator opened their
              conversation, and when.
            </Text>
            <LongText
              label="Reason (optional)"
              description="Kept in the log of openings."
              autosize
              minRows={2}
              maxLength={limitOf(openConversation.body, 'reason')}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
              error={error ? messageOf(error) : null}
              data-autofocus
            />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={isRunning}>
                Open conversation
              </Button>
            </Group>
          </Stack>
        ) : null}
      </Modal>
      {question}
    </>
  );
}
