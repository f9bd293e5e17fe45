import { Alert, Text } from '@mantine/core';
import type { z } from 'zod';
import type { SubmissionRound } from '#contract/submissions.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { statusNames } from './status-names.ts';

type Correction = z.output<typeof SubmissionRound>['correction'];

/** Says what a review was before its correction, and why. Shows nothing if nobody corrected it. */
export function CorrectionNote({ correction }: { correction: Correction | undefined }) {
  if (!correction) return null;
  const { formerStatus, reason, correctorName, correctedAt } = correction;
  return (
    <Alert color="gray" role="note" title="This review was corrected" w="100%">
      <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
        {reason}
      </Text>
      <Text size="sm" mt={4}>
        Before: {statusNames[formerStatus]}. Corrected by {correctorName}, <DateTime value={correctedAt} />.
      </Text>
    </Alert>
  );
}
