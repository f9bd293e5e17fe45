import { Button, Card, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { paths } from '../../app/paths.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import type { Assignment, OwnSubmission } from './assignment-state.ts';
import { SubmittedFile } from './SubmittedFile.tsx';
import { UnsentDraft } from './UnsentDraft.tsx';

interface SubmittedWorkProps {
  assignment: Pick<Assignment, 'id' | 'can' | 'draft'>;
  submission: OwnSubmission;
  userId: string;
}

/** ASSIGN-04: the work as it was handed in. */
export function SubmittedWork({ assignment, submission, userId }: SubmittedWorkProps) {
  return (
    <Card component="section" aria-labelledby="handed-in">
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id="handed-in">
            Your submission
          </Title>
          {assignment.can.resubmit ? (
            <Button
              renderRoot={(props) => (
                <Link {...props} to={paths.assignment(assignment.id)} search={{ resubmit: submission.id }} />
              )}
              leftSection={<RotateCcw size={16} aria-hidden />}
            >
              Resubmit
            </Button>
          ) : null}
        </Group>
        {assignment.can.resubmit && assignment.draft ? (
          <Text size="sm">You have started a new version. 'Resubmit' opens it where you left it.</Text>
        ) : null}
        <Text size="sm" c="dimmed">
          Submitted <DateTime value={submission.submittedAt} />
          {submission.roundNumber > 1 ? `, round ${submission.roundNumber}` : ''}
        </Text>
        {submission.text ? <SubmittedText text={submission.text} isFinal={!assignment.can.resubmit} /> : null}
        {submission.file ? (
          <SubmittedFile file={submission.file} />
        ) : (
          <Text size="sm" c="dimmed">
            No file was handed in.
          </Text>
        )}
        <UnsentDraft assignmentId={assignment.id} userId={userId} submission={submission} />
      </Stack>
    </Card>
  );
}

/** Shows the text as it was written. ASSIGN-13: final work stands in its field, and nobody can change it. */
function SubmittedText({ text, isFinal }: { text: string; isFinal: boolean }) {
  if (!isFinal) return <Text style={{ whiteSpace: 'pre-wrap' }}>{text}</Text>;
  return (
    <Textarea
      label="Your text"
      value={text}
      disabled
      autosize
      minRows={2}
      size="md"
      styles={{
        input: {
          opacity: 1,
          color: 'var(--mantine-color-text)',
          background: 'var(--mantine-color-default-hover)',
          borderColor: 'transparent',
          cursor: 'text',
        },
      }}
    />
  );
}
