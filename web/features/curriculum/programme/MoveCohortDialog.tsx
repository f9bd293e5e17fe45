import { Alert, Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Cohort } from '#contract/cohorts.ts';
import { moveCohort } from '#contract/programme-copies.ts';
import { currentWeek, dayAt } from '#contract/weeks.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../ui/counted.ts';
import { useForm } from '../../../ui/use-form.ts';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import { useUnsavedChanges } from '../../../ui/use-unsaved-changes.tsx';
import { MovedDates } from './MovedDates.tsx';

/** Says what another start moves before it happens: weeks, deadlines, every date. */
export function MoveCohortDialog({ cohort, onClose }: { cohort: Cohort; onClose: () => void }) {
  useReturnFocus();
  const form = useForm({ startDate: cohort.startDate, movesDates: true });
  const { startDate, movesDates } = form.draft;
  // The version was read with the dates shown here.
  const [version] = useState(cohort.version);
  const move = useAction(moveCohort, {
    success: ({ name }) => ({ title: 'Start Moved', message: name }),
    failureTitle: 'The start could not be moved',
    onSuccess: onClose,
  });
  const { afterAsking, closing, question } = useUnsavedChanges(form.isDirty && !move.isRunning);
  const isDay = isProgrammeDay(startDate);
  const isOther = isDay && startDate !== cohort.startDate;
  const send = () => {
    if (isOther) move.run({ params: { id: cohort.id }, body: { startDate, movesDates, version } });
  };
  const today = dayAt(new Date(), cohort.calendar.zone);
  return (
    <>
      <Modal opened {...closing(onClose)} title={`Move the start of ${cohort.name}`} size="xl">
        <form onSubmit={form.submit(send)} noValidate>
          <Stack gap="md">
            {cohort.version === version ? null : (
              <Alert color="yellow" title="Somebody else has just changed this cohort" role="alert">
                Close this dialog and open it again to see the current dates.
              </Alert>
            )}
            <TextInput
              type="date"
              label="New start"
              required
              w={{ base: '100%', xs: 220 }}
              {...form.field('startDate')}
              error={isDay ? undefined : 'Choose a day between 2000 and 2099.'}
              data-autofocus
            />
            <Radio.Group
              label="Dates of the program"
              value={movesDates ? 'move' : 'stay'}
              onChange={(value) => form.set({ movesDates: value === 'move' })}
            >
              <Stack gap={6} mt={6}>
                <Radio value="move" label="Move along, with the end of the cohort" />
                <Radio value="stay" label="Stay: only the weeks are counted from the new start" />
              </Stack>
            </Radio.Group>
            {isOther ? (
              <>
                <Text>
                  {cohort.status === 'active'
                    ? `Today is in week ${currentWeek(cohort.startDate, today, cohort.calendar)}, and would be in week ${currentWeek(startDate, today, cohort.calendar)}. `
                    : ''}
                  {counted(cohort.currentEnrollment, 'member')} {cohort.currentEnrollment === 1 ? 'sees' : 'see'} the
                  change at once. What was handed in, attended and decided stays in its week.
                </Text>
                {movesDates ? <MovedDates cohort={cohort} startDate={startDate} /> : null}
              </>
            ) : (
              <Text c="dimmed">Choose another day to see what moves.</Text>
            )}
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={() => afterAsking(onClose)}>
                Cancel
              </Button>
              <Button type="submit" loading={move.isRunning} disabled={!isOther || cohort.version !== version}>
                Move start
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      {question}
    </>
  );
}

export function isProgrammeDay(day: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && day >= '2000-01-01' && day <= '2099-12-31';
}
