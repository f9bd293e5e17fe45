import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import {
  type ActivityCohort,
  assignActivities,
  previewActivityAssignment,
  type TrainingActivity,
} from '#contract/training-activities.ts';
import { queryFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../ui/counted.ts';
import { ReadFailure } from '../../../ui/Loaded.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import { cohortOptions } from '../activity-draft.ts';
import { type ActivityChoice, selectionOf } from './activity-choice.ts';
import { ChosenActivities } from './ChosenActivities.tsx';

interface BulkAssignDialogProps {
  choice: ActivityChoice;
  /** The number of chosen activities. */
  count: number;
  cohorts: ActivityCohort[];
  onToggle: (activity: TrainingActivity) => void;
  onAssigned: () => void;
  onClose: () => void;
}

/** TRAIN-20 to TRAIN-25. It is rendered while it is open, so it begins anew each time. */
export function BulkAssignDialog({ choice, count, cohorts, onToggle, onAssigned, onClose }: BulkAssignDialogProps) {
  useReturnFocus();
  const [cohortId, setCohortId] = useState<string | null>(null);
  const isComplete = count > 0 && cohortId !== null;
  const selection = selectionOf(choice);
  const preview = useQuery({
    ...queryFor(previewActivityAssignment, { body: { selection, cohortId: cohortId ?? '' } }),
    enabled: isComplete,
    staleTime: 0,
  });
  const assignment = useAction(assignActivities, {
    success: ({ activities, cohortName }) => ({
      title: 'Activities Assigned',
      message: `${counted(activities, 'activity', 'activities')} assigned to ${cohortName}.`,
    }),
    failureTitle: 'Assignment Failed',
    onSuccess: onAssigned,
  });
  // Somebody else may have deleted some of them. So the preview's number counts.
  const present = (isComplete && preview.data?.activities) || count;
  const assign = () => {
    if (isComplete) assignment.run({ body: { selection, cohortId, expected: present } });
    else {
      showToast({ type: 'error', title: 'Selection Required', message: 'Please select activities and a cohort' });
    }
  };
  return (
    <Modal opened onClose={onClose} title="Assign activities to a cohort" size="lg">
      <Stack gap="md">
        <Select
          label="Cohort"
          required
          placeholder="Choose a cohort"
          data={cohortOptions(cohorts)}
          value={cohortId}
          onChange={setCohortId}
          searchable
          nothingFoundMessage="No active or planned cohort by that name"
          data-autofocus
        />
        <Text size="sm" fw={600} role="status">
          {counted(count, 'activity', 'activities')} selected
        </Text>
        <ChosenActivities choice={choice} onToggle={onToggle} />
        <ReadFailure read={preview} failure="Can't preview changes" />
        {isComplete && preview.data ? <WhatChanges preview={preview.data} count={count} /> : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={assign} loading={assignment.isRunning}>
            Assign {counted(present, 'activity', 'activities')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface WhatChangesProps {
  preview: ResponseOf<typeof previewActivityAssignment>;
  count: number;
}

function WhatChanges({ preview, count }: WhatChangesProps) {
  const gone = count - preview.activities;
  const { replaced, unchanged, attendances, submissions } = preview;
  const parts = [
    gone > 0 ? `${counted(gone, 'activity is', 'activities are')} gone and will be left out.` : null,
    replaced > 0 ? `${counted(replaced, 'activity', 'activities')} from another cohort will leave it.` : null,
    unchanged > 0 ? `${counted(unchanged, 'activity is', 'activities are')} in this cohort already.` : null,
    attendances + submissions > 0
      ? `${counted(attendances, 'attendance record')} and ${counted(submissions, 'submission')} stay with them.`
      : 'They have no attendance or submissions yet.',
  ];
  return (
    <Alert color="indigo" icon={<Info size={18} aria-hidden />} radius="lg" role="status">
      {parts.filter(Boolean).join(' ')}
    </Alert>
  );
}
