import { Button, Group, NumberInput, Radio, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { z } from 'zod';
import type { ResponseOf } from '#contract/endpoint.ts';
import { correctReview, ReviewStatus, type readSubmission, reviewStatuses } from '#contract/reviews.ts';
import { useAction } from '../../api/use-action.ts';
import { LongText } from '../../ui/LongText.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm, written } from '../../ui/use-form.ts';
import { statusNames } from './status-names.ts';

interface CorrectionFormProps {
  submission: ResponseOf<typeof readSubmission>;
  onClose: () => void;
}

/** Begins with the former decision. The participant too reads the reason beside the new outcome. */
export function CorrectionForm({ submission, onClose }: CorrectionFormProps) {
  const { id, roundNumber, maxPoints, rounds } = submission;
  const [current] = rounds;
  // The outcome when the form was opened, so that a decision that came meanwhile is not overwritten.
  const [formerStatus] = useState(submission.status);
  const form = useForm({
    status: ReviewStatus.safeParse(submission.status).data ?? 'accepted',
    reason: '',
    feedback: current?.feedback ?? '',
    pointsEarned: current?.pointsEarned ?? null,
  });
  const correct = useAction(correctReview, {
    success: 'Review Corrected',
    failureTitle: 'Correction Failed',
    onSuccess: onClose,
  });
  const { status, pointsEarned } = form.draft;
  const tooMany = `This assignment is worth up to ${maxPoints} points.`;
  const schema = z.object({
    status: ReviewStatus,
    reason: written('Please say why'),
    feedback: written('Please provide feedback'),
    pointsEarned: z.number().max(maxPoints, tooMany).nullable(),
  });
  return (
    <form
      onSubmit={form.submit(schema, (facts) =>
        correct.run({ params: { id }, body: { ...facts, roundNumber, formerStatus } }),
      )}
      aria-labelledby="correction-form"
      noValidate
    >
      <Stack gap="md">
        <Title order={3} id="correction-form">
          Correct this review
        </Title>
        <Text size="sm" c="dimmed">
          The earlier review is kept. {submission.participantName} is told what counts now, and why.
        </Text>
        <Radio.Group
          label="Evaluation status"
          value={status}
          onChange={(chosen) => form.set({ status: reviewStatuses.find((known) => known === chosen) ?? status })}
        >
          <Group gap="sm" mt="xs" style={{ rowGap: 0 }}>
            {reviewStatuses.map((value) => (
              <Radio key={value} value={value} label={statusNames[value]} />
            ))}
          </Group>
        </Radio.Group>
        <LongText
          label="Reason"
          description="Why the review changes."
          autosize
          minRows={2}
          maxRows={6}
          maxLength={limitOf(correctReview.body, 'reason')}
          required
          {...form.field('reason')}
          data-autofocus
        />
        <LongText
          label="Feedback"
          description="The participant reads exactly what you write here."
          autosize
          minRows={4}
          maxRows={14}
          maxLength={limitOf(correctReview.body, 'feedback')}
          required
          {...form.field('feedback')}
        />
        <NumberInput
          label={`Points earned (of ${maxPoints})`}
          description="Optional; shown to the participant."
          hideControls
          min={0}
          max={maxPoints}
          decimalScale={2}
          clampBehavior="none"
          allowNegative={false}
          id={form.idOf('pointsEarned')}
          error={pointsEarned !== null && pointsEarned > maxPoints ? tooMany : undefined}
          value={pointsEarned ?? ''}
          onChange={(points) => form.set({ pointsEarned: typeof points === 'number' ? points : null })}
          maw={240}
        />
        <Group gap="sm" justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep the review
          </Button>
          <Button type="submit" loading={correct.isRunning}>
            Correct the review
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
