import { Button, Card, Grid, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { readSubmission } from '#contract/reviews.ts';
import { submissionStatusLabels } from '#contract/submissions.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { WrittenText } from '../../ui/WrittenText.tsx';
import { FilePreview } from './FilePreview.tsx';
import { ReviewFeedback } from './ReviewFeedback.tsx';
import { ReviewForm } from './ReviewForm.tsx';
import { SubmissionRounds } from './SubmissionRounds.tsx';
import { statusTones } from './status-names.ts';

interface ReviewDialogProps {
  submissionId: string | null;
  /** The list behind the dialog, in its order. */
  neighbours: string[];
  userId: string;
  onOpen: (submissionId: string) => void;
  onClose: () => void;
}

/** SUBM-08: the work and the review side by side; next and previous without going back to the list. */
export function ReviewDialog({ submissionId, neighbours, userId, onOpen, onClose }: ReviewDialogProps) {
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  return (
    <Modal.Root
      opened={submissionId !== null}
      onClose={onClose}
      size="75rem"
      fullScreen={isPhone}
      centered={false}
      radius="lg"
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body p={{ base: 'md', sm: 'lg' }}>
          {/* Not Modal.Header: it is a second banner of the page beside the phone's. */}
          <Group justify="space-between" wrap="nowrap" mb="md">
            <Modal.Title fz="lg" fw={650}>
              Review submission
            </Modal.Title>
            <Modal.CloseButton aria-label="Close" />
          </Group>
          {submissionId ? (
            <Stack gap="lg">
              <Neighbours submissionId={submissionId} neighbours={neighbours} onOpen={onOpen} />
              <OpenSubmission submissionId={submissionId} userId={userId} onDone={onClose} key={submissionId} />
            </Stack>
          ) : null}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Neighbours({
  submissionId,
  neighbours,
  onOpen,
}: Pick<ReviewDialogProps, 'neighbours' | 'onOpen'> & { submissionId: string }) {
  const place = neighbours.indexOf(submissionId);
  if (place < 0 || neighbours.length < 2) return null;
  const previous = neighbours[place - 1];
  const next = neighbours[place + 1];
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <Button
        variant="default"
        size="sm"
        leftSection={<ChevronLeft size={16} aria-hidden />}
        disabled={!previous}
        onClick={() => previous && onOpen(previous)}
      >
        Previous
      </Button>
      <Text size="sm" c="dimmed">
        {place + 1} of {neighbours.length}
      </Text>
      <Button
        variant="default"
        size="sm"
        rightSection={<ChevronRight size={16} aria-hidden />}
        disabled={!next}
        onClick={() => next && onOpen(next)}
      >
        Next
      </Button>
    </Group>
  );
}

interface OpenSubmissionProps {
  submissionId: string;
  userId: string;
  onDone: () => void;
}

function OpenSubmission({ submissionId, userId, onDone }: OpenSubmissionProps) {
  const {
    data: submission,
    error,
    refetch,
    isFetching,
  } = useQuery(queryFor(readSubmission, { params: { id: submissionId } }));
  if (submission) {
    return (
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <HandedIn submission={submission} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <ReviewOf submission={submission} userId={userId} onDone={onDone} />
        </Grid.Col>
      </Grid>
    );
  }
  if (!error) return <LoadingState label="Loading the submission" rows={5} />;
  return (
    <ErrorState
      title="Failed to load the submission"
      message={messageOf(error)}
      onRetry={() => void refetch()}
      isRetrying={isFetching}
    />
  );
}

type Submission = ResponseOf<typeof readSubmission>;

function HandedIn({ submission }: { submission: Submission }) {
  const [current, ...earlier] = submission.rounds;
  return (
    <Stack gap="md">
      <div style={{ overflowWrap: 'anywhere' }}>
        <Title order={3}>{submission.assignmentTitle}</Title>
        <Text c="dimmed" size="sm">
          {submission.participantName} · Week {submission.weekNumber}, {submission.activityTitle} · Submitted{' '}
          <DateTime value={submission.submittedAt} />
          {submission.roundNumber > 1 ? ` · Round ${submission.roundNumber}` : ''}
        </Text>
      </div>
      <Card component="section" padding="md" aria-label="What was handed in">
        <Stack gap="md">
          {current?.text ? (
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{current.text}</Text>
          ) : (
            <Text c="dimmed">No text was handed in.</Text>
          )}
          {current?.file ? <FilePreview file={current.file} /> : null}
        </Stack>
      </Card>
      <details>
        <summary style={{ cursor: 'pointer' }}>Instructions of the assignment</summary>
        <WrittenText>{submission.instructions}</WrittenText>
      </details>
      {earlier.length > 0 ? <SubmissionRounds rounds={earlier} /> : null}
    </Stack>
  );
}

function ReviewOf({ submission, userId, onDone }: { submission: Submission; userId: string; onDone: () => void }) {
  if (submission.can.review) return <ReviewForm submission={submission} userId={userId} onDone={onDone} />;
  const [current] = submission.rounds;
  return (
    <Stack gap="sm" align="flex-start">
      <StatusBadge tone={statusTones[submission.status]}>{submissionStatusLabels[submission.status]}</StatusBadge>
      {current?.feedback ? <ReviewFeedback {...current} feedback={current.feedback} /> : null}
    </Stack>
  );
}
