import { Alert, Button, Stack, Text } from '@mantine/core';
import type { OwnSubmission } from './assignment-state.ts';
import { useTextDraft } from './text-draft.ts';

interface UnsentDraftProps {
  assignmentId: string;
  userId: string;
  submission: OwnSubmission;
}

/** Text typed here while the same assignment was handed in elsewhere is shown, not lost. */
export function UnsentDraft({ assignmentId, userId, submission }: UnsentDraftProps) {
  const { draft, discard } = useTextDraft({ kind: 'assignment', userId, subjectId: assignmentId });
  if (!draft || draft.round === submission.roundNumber || !draft.text.trim() || draft.text === submission.text) {
    return null;
  }
  return (
    <Alert color="gray" title="Text on this device that was not handed in" role="note">
      <Stack gap="sm" align="flex-start">
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {draft.text}
        </Text>
        <Button variant="default" size="sm" onClick={discard}>
          Discard this text
        </Button>
      </Stack>
    </Alert>
  );
}
