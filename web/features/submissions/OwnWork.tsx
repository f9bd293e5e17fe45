import { Alert, Card, Grid, Stack, Text, Title } from '@mantine/core';
import type { Assignment, formFor, OwnSubmission } from './assignment-state.ts';
import { CorrectionNote } from './CorrectionNote.tsx';
import { ReviewFeedback } from './ReviewFeedback.tsx';
import { SubmissionForm } from './SubmissionForm.tsx';
import { SubmissionRounds } from './SubmissionRounds.tsx';
import { SubmittedWork } from './SubmittedWork.tsx';

interface OwnWorkProps {
  assignment: Assignment;
  form: ReturnType<typeof formFor>;
  userId: string;
}

/** Shows the form or the submitted work, with the feedback beside the text that it is about. */
export function OwnWork({ assignment, form, userId }: OwnWorkProps) {
  const { submission } = assignment;
  const isFormOpen = form === 'first' || form === 'again';
  const earlierRounds = submission?.rounds.filter(({ roundNumber }) => roundNumber < submission.roundNumber) ?? [];
  return (
    <>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: submission?.feedback ? 7 : 12 }} order={{ base: 2, md: 1 }}>
          {isFormOpen ? (
            <SubmissionForm key={submission?.roundNumber ?? 0} assignment={assignment} userId={userId} />
          ) : null}
          {!isFormOpen && submission ? (
            <SubmittedWork assignment={assignment} submission={submission} userId={userId} />
          ) : null}
          {form === 'none' && !submission ? (
            <Alert color="gray" title="Nothing can be handed in" role="note">
              {assignment.refusal}
            </Alert>
          ) : null}
        </Grid.Col>
        {submission?.feedback ? (
          <Grid.Col span={{ base: 12, md: 5 }} order={{ base: 1, md: 2 }}>
            <FeedbackCard submission={submission} feedback={submission.feedback} maxPoints={assignment.maxPoints} />
          </Grid.Col>
        ) : null}
      </Grid>
      {earlierRounds.length > 0 ? (
        <Stack component="section" gap="sm" aria-labelledby="earlier-rounds">
          <Title order={2} id="earlier-rounds">
            Earlier rounds
          </Title>
          <SubmissionRounds rounds={earlierRounds} maxPoints={assignment.maxPoints} />
        </Stack>
      ) : null}
    </>
  );
}

interface FeedbackCardProps {
  submission: OwnSubmission;
  feedback: string;
  maxPoints: number;
}

function FeedbackCard({ submission, feedback, maxPoints }: FeedbackCardProps) {
  const isOnEarlierRound = submission.status === 'submitted';
  return (
    <Card component="section" aria-labelledby="feedback">
      <Stack gap="sm">
        <Title order={2} id="feedback">
          Feedback
        </Title>
        {isOnEarlierRound ? (
          <Text size="sm" c="dimmed">
            Feedback on your last version. Your new version is waiting.
          </Text>
        ) : null}
        <ReviewFeedback {...submission} feedback={feedback} maxPoints={maxPoints} />
        <CorrectionNote correction={submission.rounds.find(({ feedback: said }) => said !== null)?.correction} />
      </Stack>
    </Card>
  );
}
