import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { CoachChoice } from '#contract/coach-assignment.ts';
import { type BookedSessionsChoice as BookedSessions, cohortMissing, enrolInCohort } from '#contract/enrolments.ts';
import type { User } from '#contract/user-management.ts';
import { useAction } from '../../api/use-action.ts';
import { showToast } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { BookedSessionsChoice, useCoachReplacement } from './BookedSessionsChoice.tsx';
import { CoachSelect } from './CoachSelect.tsx';
import { CohortSelect } from './CohortSelect.tsx';
import { coachChoiceMeans, nameOf, settledSessions } from './user-words.ts';

interface Choices {
  cohortId: string | null;
  coach: CoachChoice | null;
  booked: BookedSessions | null;
}

/** USER-26 to USER-36 */
export function EnrolDialog({ user, onClose }: { user: User; onClose: () => void }) {
  useReturnFocus();
  const form = useForm<Choices>({ cohortId: null, coach: null, booked: null });
  const { cohortId, coach, booked } = form.draft;
  const replacement = useCoachReplacement(user.id, cohortId, coach);
  const enrolment = useAction(enrolInCohort, {
    success: ({ firstName, lastName, cohortName, coachName, sessions }) => ({
      title: 'Cohort Assignment Successful',
      message: `${firstName} ${lastName} is in ${cohortName}${coachName ? ` with ${coachName}` : ''} now.${settledSessions(sessions)}`,
    }),
    failureTitle: 'Assignment Failed',
    onSuccess: onClose,
  });
  const enrol = () => {
    if (!cohortId) {
      form.showErrors({ cohortId: cohortMissing });
      showToast({ type: 'error', title: 'Cohort Required', message: cohortMissing });
      return;
    }
    // The effect of a new coach on booked sessions is not known yet. The dialog is asking for it.
    if (coach && !replacement.data) return;
    const isAsked = coach !== null && (replacement.data?.booked ?? 0) > 0;
    if (isAsked && booked === null) {
      form.showErrors({ booked: 'Please choose what happens to the booked sessions' });
      return;
    }
    enrolment.run({
      body: {
        userId: user.id,
        cohortId,
        coachId: coach?.id ?? null,
        ...(isAsked && booked ? { bookedSessions: booked } : {}),
      },
    });
  };
  return (
    <Modal opened onClose={onClose} title="Enroll in a cohort">
      <form noValidate onSubmit={form.submit(enrol)}>
        <Stack gap="md">
          <Text>
            <b>{nameOf(user)}</b>{' '}
            {user.cohorts.length > 0
              ? `is in ${user.cohorts.map(({ name }) => name).join(', ')} now.`
              : 'is in no cohort now.'}
          </Text>
          <CohortSelect
            id={form.idOf('cohortId')}
            value={cohortId}
            onChange={(id) => form.set({ cohortId: id, booked: null })}
            error={form.errors.cohortId}
          />
          <CoachSelect
            label="Coach"
            description={coachChoiceMeans(user.coach, coach)}
            clearable
            value={coach}
            onChange={(chosen) => form.set({ coach: chosen, booked: null })}
          />
          {cohortId && coach ? (
            <BookedSessionsChoice
              id={form.idOf('booked')}
              replacement={replacement}
              coach={coach}
              value={booked}
              onChange={(choice) => form.set({ booked: choice })}
              error={form.errors.booked ?? null}
            />
          ) : null}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={enrolment.isRunning || replacement.isLoading}>
              Enroll participant
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
