import { Alert, Button, Card, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readSubmission } from '#contract/reviews.ts';
import type { ReviewClaim } from '#contract/submissions.ts';
import { formatTime } from '../../ui/dates.ts';
import { SubmissionStatusBadge } from '../../ui/SubmissionStatusBadge.tsx';
import { CorrectionForm } from './CorrectionForm.tsx';
import { CorrectionNote } from './CorrectionNote.tsx';
import { ReviewFeedback } from './ReviewFeedback.tsx';
import { TakeBack } from './TakeBack.tsx';
import type { ReviewDraft } from './use-review-draft.ts';
import type { TakingBack } from './use-taking-back.ts';

interface ReviewOutcomeProps {
  submission: ResponseOf<typeof readSubmission>;
  otherReviewer: ReviewClaim | null;
  draft: ReviewDraft;
  takingBack: TakingBack;
  onNext: (() => void) | null;
}

/**
 * Stands in when there is nothing to decide. Shows the decision or who decides, and the words that this person had
 * begun.
 */
export function ReviewOutcome({ submission, otherReviewer, draft, takingBack, onNext }: ReviewOutcomeProps) {
  const [current] = submission.rounds;
  const [isCorrecting, setCorrecting] = useState(false);
  if (isCorrecting) return <CorrectionForm submission={submission} onClose={() => setCorrecting(false)} />;
  return (
    <Stack gap="md">
      {otherReviewer && submission.status === 'submitted' ? (
        <Alert color="yellow" title={`${otherReviewer.reviewerName} is reviewing this now`} role="status">
          You can review it from {formatTime(otherReviewer.expiresAt)}, or as soon as they close it.
        </Alert>
      ) : null}
      {draft.hasWords && submission.status !== 'submitted' ? (
        <Alert color="yellow" title="Reviewed while you were writing" role="alert">
          Your text was not sent. You can find it below the decision.
        </Alert>
      ) : null}
      {submission.status !== 'submitted' ? (
        <Stack gap="sm" align="flex-start">
          <SubmissionStatusBadge status={submission.status} />
          {current?.feedback ? (
            <ReviewFeedback {...current} feedback={current.feedback} maxPoints={submission.maxPoints} />
          ) : null}
          <CorrectionNote correction={current?.correction} />
          <Group gap="sm">
            <TakeBack submission={submission} takingBack={takingBack} />
            {submission.can.correct ? (
              <Button variant="default" size="sm" onClick={() => setCorrecting(true)}>
                Correct this review
              </Button>
            ) : null}
          </Group>
        </Stack>
      ) : null}
      {draft.hasWords ? <UnsentWords draft={draft} maxPoints={submission.maxPoints} /> : null}
      {onNext ? (
        <Button variant="default" w="fit-content" onClick={onNext}>
          Next to Review
        </Button>
      ) : null}
    </Stack>
  );
}

function UnsentWords({ draft, maxPoints }: { draft: ReviewDraft; maxPoints: number }) {
  const { feedback, pointsEarned } = draft.words;
  return (
    <Card component="section" padding="md" aria-label="What you wrote">
      <Stack gap="sm">
        <Text fw={600}>What you wrote</Text>
        {feedback ? <Text style={{ whiteSpace: 'pre-wrap' }}>{feedback}</Text> : null}
        {pointsEarned === null ? null : (
          <Text size="sm" c="dimmed">
            {pointsEarned} of {maxPoints} points
          </Text>
        )}
        <Group gap="sm">
          <CopyButton value={feedback}>
            {({ copied, copy }) => (
              <Button variant="default" size="sm" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button variant="subtle" size="sm" onClick={draft.discard}>
            Discard
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
