import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type Conversation, openConversation } from '#contract/messages.ts';
import { messageOf } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { LongText } from '../../ui/LongText.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm } from '../../ui/use-form.ts';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';

interface OpenConversationDialogProps {
  conversation: Conversation | null;
  onClose: () => void;
  onOpened: (openingId: string) => void;
}

export function OpenConversationDialog({ conversation, onClose, onOpened }: OpenConversationDialogProps) {
  const form = useForm({ reason: '' });
  const { run, isRunning } = useAction(openConversation, {
    onSuccess: ({ id }) => {
      form.reset();
      onOpened(id);
    },
    onError: (error) => form.showErrors({ reason: messageOf(error) }),
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const { closing, question } = useUnsavedChanges(
    conversation !== null && form.draft.reason.trim() !== '' && !isRunning,
  );
  const open = ({ reason }: { reason: string }) => {
    if (!conversation) return;
    const { coach, participant } = conversation;
    run({ body: { coachId: coach.id, participantId: participant.id, reason: reason.trim() || null } });
  };
  return (
    <>
      <Modal opened={conversation !== null} {...closing(close)} title="Open this conversation?">
        {conversation ? (
          <Stack gap="md" component="form" onSubmit={form.submit(open)}>
            <Text>
              {conversation.coach.name} and {conversation.participant.name} will see that an administrator opened their
              conversation, and when.
            </Text>
            <LongText
              label="Reason (optional)"
              description="We keep it in the audit log."
              autosize
              minRows={2}
              maxLength={limitOf(openConversation.body, 'reason')}
              {...form.field('reason')}
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
