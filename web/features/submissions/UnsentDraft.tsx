import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { readDeviceCopy, removeDeviceCopy } from '../../api/device-copy.ts';
import type { OwnSubmission } from './assignment-state.ts';
import { DeviceDraft, draftKey } from './draft-copies.ts';

interface UnsentDraftProps {
  assignmentId: string;
  userId: string;
  submission: OwnSubmission;
}

/** The same assignment was handed in elsewhere while text was typed here. The text is shown, not lost. */
export function UnsentDraft({ assignmentId, userId, submission }: UnsentDraftProps) {
  const key = draftKey({ kind: 'assignment', userId, subjectId: assignmentId });
  const [draft, setDraft] = useState(() => readDeviceCopy(key, DeviceDraft));
  const discard = () => {
    setDraft(null);
    removeDeviceCopy(key);
  };
  if (!draft || draft.round === submission.roundNumber || !draft.text.trim() || draft.text === submission.text) {
    return null;
  }
  return (
    <Alert color="gray" title="Text on this device that you have not handed in" role="note">
      <Stack gap="sm" align="flex-start">
        <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
          {draft.text}
        </Text>
        <Button variant="default" size="sm" onClick={discard}>
          Discard this text
        </Button>
      </Stack>
    </Alert>
  );
}
