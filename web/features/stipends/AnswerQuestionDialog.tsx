import { Button, Group, Stack, Text } from '@mantine/core';
import { z } from 'zod';
import { answerStipendQuestion, type StipendQuestion } from '#contract/stipend-questions.ts';
import { useAction } from '../../api/use-action.ts';
import { LongText } from '../../ui/LongText.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm, written } from '../../ui/use-form.ts';

const schema = z.object({ answer: written('Please write an answer.') });

interface AnswerQuestionDialogProps {
  pending: StipendQuestion | null;
  onClose: () => void;
}

export function AnswerQuestionDialog({ pending, onClose }: AnswerQuestionDialogProps) {
  return (
    <TypingModal
      opened={pending !== null}
      onClose={onClose}
      title={pending ? `Answer about week ${pending.weekNumber}` : ''}
      // Without a question, nothing is left to show while the dialog closes.
      transitionProps={{ exitDuration: 0 }}
    >
      {pending ? <AnswerForm key={pending.id} question={pending} onClose={onClose} /> : null}
    </TypingModal>
  );
}

function AnswerForm({ question, onClose }: { question: StipendQuestion; onClose: () => void }) {
  const form = useForm({ answer: '' });
  const given = { failureTitle: 'Answer Failed', onSuccess: onClose };
  const send = useAction(answerStipendQuestion, { ...given, success: 'Question Answered' });
  const close = useAction(answerStipendQuestion, { ...given, success: 'Question Closed' });
  return (
    <form
      noValidate
      onSubmit={form.submit(schema, ({ answer }) =>
        send.run({ params: { id: question.id }, body: { closes: false, answer } }),
      )}
    >
      <Stack gap="md">
        <Text style={{ whiteSpace: 'pre-wrap' }}>
          {question.participantName} asks: {question.question}
        </Text>
        <LongText
          label="Answer"
          description={`${question.participantName} reads it.`}
          autosize
          minRows={3}
          maxLength={limitOf(answerStipendQuestion.body, 'answer')}
          {...form.field('answer')}
          errorProps={{ role: 'alert' }}
          data-autofocus
        />
        <Group justify="space-between" gap="sm">
          <Button
            variant="default"
            loading={close.isRunning}
            disabled={form.draft.answer.trim() !== ''}
            onClick={() => close.run({ params: { id: question.id }, body: { closes: true, answer: '' } })}
          >
            Close: settled elsewhere
          </Button>
          <Group gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={send.isRunning}>
              Send answer
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
