import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CoachChoice, listCoaches, listParticipantsWithoutCoach } from '#contract/coach-assignment.ts';
import { cohortMissing, type EnrolmentTarget, enrolInCohort, listEnrolmentTargets } from '#contract/enrolments.ts';
import { readAdminDashboard } from '#contract/home.ts';
import { listUsers, type User } from '#contract/user-management.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { ErrorState } from '../../ui/states.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { CoachSelect } from './CoachSelect.tsx';
import { coachChoiceMeans, counted, nameOf } from './user-words.ts';

/** USER-26 to USER-36 */
export function EnrolDialog({ user, onClose }: { user: User; onClose: () => void }) {
  useReturnFocus();
  const [cohortId, setCohortId] = useState<string | null>(null);
  const [coach, setCoach] = useState<CoachChoice | null>(null);
  const [isMissing, setMissing] = useState(false);
  const targets = useQuery(queryFor(listEnrolmentTargets));
  const enrolment = useAction(enrolInCohort, {
    success: ({ firstName, lastName, cohortName, coachName }) => ({
      title: 'Cohort Assignment Successful',
      message: `${firstName} ${lastName} is in ${cohortName}${coachName ? ` with ${coachName}` : ''} now.`,
    }),
    failureTitle: 'Assignment Failed',
    refreshes: [listUsers, listEnrolmentTargets, listCoaches, listParticipantsWithoutCoach, readAdminDashboard],
    onSuccess: onClose,
  });
  const enrol = () => {
    if (cohortId) return enrolment.run({ body: { userId: user.id, cohortId, coachId: coach?.id ?? null } });
    setMissing(true);
    showToast({ type: 'error', title: 'Cohort Required', message: cohortMissing });
  };
  return (
    <Modal opened onClose={onClose} title="Enrol in a cohort">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          enrol();
        }}
      >
        <Stack gap="md">
          <Text style={{ overflowWrap: 'anywhere' }}>
            <b>{nameOf(user)}</b>{' '}
            {user.cohorts.length > 0
              ? `is in ${user.cohorts.map(({ name }) => name).join(', ')} now.`
              : 'is in no cohort now.'}
          </Text>
          {targets.isError ? (
            <ErrorState
              title="The cohorts could not be loaded"
              message={messageOf(targets.error)}
              onRetry={() => void targets.refetch()}
              isRetrying={targets.isFetching}
            />
          ) : null}
          <Select
            label="Cohort"
            placeholder={targets.isPending ? 'Loading cohorts' : 'Choose a cohort'}
            data={(targets.data?.cohorts ?? []).map(toOption)}
            value={cohortId}
            onChange={(id) => {
              setCohortId(id);
              setMissing(false);
            }}
            error={isMissing ? cohortMissing : null}
            nothingFoundMessage="No cohort is active or in planning"
            searchable
            openOnFocus={false}
            withAsterisk
            data-autofocus
          />
          <CoachSelect
            label="Coach"
            description={coachChoiceMeans(user.coach, coach)}
            clearable
            value={coach}
            onChange={setCoach}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={enrolment.isRunning}>
              Enrol participant
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function toOption({ id, name, status, capacity, currentEnrollment }: EnrolmentTarget) {
  const places = Math.max(0, capacity - currentEnrollment);
  const room = places === 0 ? 'full' : `${counted(places, 'place')} free`;
  return { value: id, label: `${name} (${status}, ${room})` };
}
