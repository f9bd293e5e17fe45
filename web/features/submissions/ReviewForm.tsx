import { Button, Radio, Stack, Text, Textarea, Title } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { readAdminDashboard, readCoachDashboard } from '#contract/home.ts';
import { readSubmission, reviewStatuses, reviewSubmission } from '#contract/reviews.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { refresh } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { showToast } from '../../ui/toast.tsx';
import { statusNames } from './status-names.ts';
import { useTextDraft } from './text-draft.ts';

interface ReviewFormProps {
  submission: { id: string; roundNumber: number; maxPoints: number };
  userId: string;
  onDone: () => void;
}

const meanings: Record<(typeof reviewStatuses)[number], string> = {
  needs_revision: 'The participant improves it and hands it in again.',
  accepted: 'It is complete.',
  rejected: 'It does not count; the participant may hand in something else.',
};

/** SUBM-09 to SUBM-13 */
export function ReviewForm({ submission, userId, onDone }: ReviewFormProps) {
  const { id, roundNumber } = submission;
  const { draft, save, discard } = useTextDraft({ kind: 'review', userId, subjectId: id });
  const [status, setStatus] = useState<(typeof reviewStatuses)[number]>('needs_revision');
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const feedback = draft?.text ?? '';

  const { run, isRunning } = useAction(reviewSubmission, {
    success: 'Review Saved',
    refreshes: [listSubmissions, readSubmission, readCoachDashboard, readAdminDashboard],
    onSuccess: () => {
      discard();
      onDone();
    },
    onError: (error) => {
      showToast({ type: 'error', title: 'Review Failed', message: messageOf(error) });
      if (error instanceof ApiError && error.code === 'stale') void refresh([listSubmissions, readSubmission]);
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (feedback.trim()) {
      run({ params: { id }, body: { status, feedback, roundNumber } });
      return;
    }
    setProblem('Please provide feedback');
    showToast({ type: 'error', title: 'Missing Feedback', message: 'Please provide feedback' });
    field.current?.focus();
  };

  return (
    <form onSubmit={submit} aria-labelledby="review-form" noValidate>
      <Stack gap="md">
        <Title order={3} id="review-form">
          Your review
        </Title>
        <Text size="sm" c="dimmed">
          The assignment is worth up to {submission.maxPoints} points.
        </Text>
        <Radio.Group
          label="Evaluation status"
          value={status}
          onChange={(chosen) => setStatus(reviewStatuses.find((known) => known === chosen) ?? status)}
        >
          <Stack gap="xs" mt="xs">
            {reviewStatuses.map((value) => (
              <Radio key={value} value={value} label={statusNames[value]} description={meanings[value]} />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea
          ref={field}
          label="Feedback"
          description="The participant reads exactly what you write here."
          autosize
          minRows={6}
          maxRows={16}
          maxLength={20_000}
          value={feedback}
          onChange={({ currentTarget }) => {
            save({ text: currentTarget.value, round: roundNumber });
            setProblem(null);
          }}
          error={problem}
          data-autofocus
        />
        {draft && draft.round !== roundNumber ? (
          <Text size="sm" role="status">
            You began this text before the participant handed in round {roundNumber}.
          </Text>
        ) : null}
        <Button type="submit" loading={isRunning} style={{ alignSelf: 'flex-end' }}>
          Submit Review
        </Button>
      </Stack>
    </form>
  );
}
