import { Blockquote, Stack, Text } from '@mantine/core';
import { DateTime } from '../../ui/DateTime.tsx';

interface ReviewFeedbackProps {
  feedback: string;
  pointsEarned: number | null;
  maxPoints: number;
  reviewerName: string | null;
  reviewedAt: string | null;
}

/** ASSIGN-34: the reviewer's words as they typed them, with the points if they gave some. */
export function ReviewFeedback({ feedback, pointsEarned, maxPoints, reviewerName, reviewedAt }: ReviewFeedbackProps) {
  return (
    <Stack gap={4}>
      {pointsEarned === null ? null : (
        <Text fw={600}>
          {pointsEarned} of {maxPoints} points
        </Text>
      )}
      <Blockquote p="md" m={0} radius="md">
        <Text style={{ whiteSpace: 'pre-wrap' }}>{feedback}</Text>
      </Blockquote>
      <Text size="sm" c="dimmed">
        {reviewerName ?? 'A former reviewer'}
        {reviewedAt ? (
          <>
            {', '}
            <DateTime value={reviewedAt} />
          </>
        ) : null}
      </Text>
    </Stack>
  );
}
