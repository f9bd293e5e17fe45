import { Button, Group } from '@mantine/core';
import { UserCheck } from 'lucide-react';
import { useState } from 'react';
import { assignCoach, assignmentRefusals, type CoachChoice } from '#contract/coach-assignment.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { counted } from '../../ui/counted.ts';
import { showToast } from '../../ui/toast.tsx';
import { CoachSelect } from './CoachSelect.tsx';

/** CASN-05, CASN-06, CASN-11 to CASN-13 */
export function AssignCoachBar({ selected, onAssigned }: { selected: string[]; onAssigned: () => void }) {
  const [coach, setCoach] = useState<CoachChoice | null>(null);
  const assignment = useAction(assignCoach, {
    success: ({ assigned, coachName }) => ({
      title: 'Assignment Successful',
      message: `${counted(assigned, 'participant')} assigned to ${coachName}.`,
    }),
    onSuccess: () => {
      onAssigned();
      setCoach(null);
    },
    onError: (error) => {
      const isDuplicate = error instanceof ApiError && error.code === 'duplicate';
      showToast({
        type: isDuplicate ? 'warning' : 'error',
        title: isDuplicate ? 'Duplicate Assignment' : 'Assignment Failed',
        message: messageOf(error),
      });
    },
  });
  const assign = () => {
    if (selected.length === 0) {
      return showToast({ type: 'error', title: 'No Selection', message: assignmentRefusals.nobodyChosen });
    }
    if (!coach) return showToast({ type: 'error', title: 'No Coach', message: assignmentRefusals.noCoachChosen });
    return assignment.run({ body: { participantIds: selected, coachId: coach.id } });
  };
  return (
    <Group gap="sm" align="flex-end">
      <CoachSelect
        label="Coach"
        value={coach}
        onChange={setCoach}
        clearable
        flex={{ base: '1 0 100%', xs: '0 1 340px' }}
      />
      <Button leftSection={<UserCheck size={16} aria-hidden />} onClick={assign} loading={assignment.isRunning}>
        {selected.length > 0 ? `Assign ${counted(selected.length, 'participant')}` : 'Assign to coach'}
      </Button>
    </Group>
  );
}
