import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listCoaches } from '#contract/coach-assignment.ts';
import { type ActivityCohort, assignActivity, type TrainingActivity } from '#contract/training-activities.ts';
import { queryFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { showToast } from '../../../ui/toast.tsx';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import { cohortOptions } from '../activity-draft.ts';
import { whomItReaches } from '../setup-words.ts';

interface AssignActivityDialogProps {
  activity: TrainingActivity;
  cohorts: ActivityCohort[];
  onClose: () => void;
}

/** TRAIN-18, TRAIN-19. It is rendered while it is open, so it begins anew each time. */
export function AssignActivityDialog({ activity, cohorts, onClose }: AssignActivityDialogProps) {
  useReturnFocus();
  const [cohortId, setCohortId] = useState<string | null>(null);
  const [coach, setCoach] = useState<{ value: string; label: string } | null>(null);
  const [search, setSearch] = useState('');
  const [searched] = useDebouncedValue(search, 300);
  const { data } = useQuery({
    ...queryFor(listCoaches, { query: { search: searched === coach?.label ? '' : searched } }),
    placeholderData: keepPreviousData,
  });
  const found = (data?.rows ?? []).map(({ id, firstName, lastName }) => ({
    value: id,
    label: `${firstName} ${lastName}`,
  }));
  const coaches = coach && !found.some(({ value }) => value === coach.value) ? [coach, ...found] : found;
  const assignment = useAction(assignActivity, {
    success: ({ title, cohortName }) => ({
      title: 'Cohort Assignment Successful',
      message: `${title} is assigned to ${cohortName}.`,
    }),
    failureTitle: 'Assignment Failed',
    onSuccess: onClose,
  });
  const assign = () => {
    if (cohortId) assignment.run({ params: { id: activity.id }, body: { cohortId, coachId: coach?.value ?? null } });
    else showToast({ type: 'error', title: 'Cohort Required', message: 'Please select a cohort' });
  };
  return (
    <Modal opened onClose={onClose} title="Assign to cohort">
      <Stack gap="md">
        <div>
          <Text fw={600}>{activity.title}</Text>
          <Text size="sm" c="dimmed">
            Week {activity.weekNumber} · {activity.cohortName ? `now in ${activity.cohortName}` : 'unassigned'}
          </Text>
          {activity.cohortId ? null : (
            <Text size="sm" c="dimmed">
              {whomItReaches(activity.reachedCount)}. Once assigned, only that cohort gets it.
            </Text>
          )}
        </div>
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
        <Select
          label="Coach (optional)"
          description="We tell them that the activity was assigned."
          placeholder="Nobody"
          data={coaches}
          value={coach?.value ?? null}
          onChange={(_value, option) => setCoach(option ? { value: option.value, label: option.label } : null)}
          searchable
          clearable
          // The server has searched already.
          filter={({ options }) => options}
          searchValue={search}
          onSearchChange={setSearch}
          nothingFoundMessage="No coach by that name"
        />
        <Text size="sm" c="dimmed">
          Its attendance and submissions stay as they are.
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={assign} loading={assignment.isRunning}>
            Assign activity
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
