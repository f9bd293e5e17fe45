import { Button, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Cohort } from '#contract/cohorts.ts';
import { CopyFacts, copyProgramme } from '#contract/programme-copies.ts';
import { newKey } from '../../../api/new-key.ts';
import { useAction } from '../../../api/use-action.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import { useForm } from '../../../ui/use-form.ts';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import { useUnsavedChanges } from '../../../ui/use-unsaved-changes.tsx';
import { DayField, NumberField, TextField } from '../SetupFields.tsx';
import { isProgrammeDay } from './MoveCohortDialog.tsx';
import { MovedDates } from './MovedDates.tsx';

interface CopyProgrammeDialogProps {
  cohort: Cohort;
  onClose: () => void;
  onCopied: (cohortId: string) => void;
}

interface Draft {
  name: string;
  startDate: string;
  capacity: number | '';
}

/** Copies a cohort's whole programme to a new start. Shows every date first. */
export function CopyProgrammeDialog({ cohort, onClose, onCopied }: CopyProgrammeDialogProps) {
  useReturnFocus();
  // Every try sends it. If an earlier try made the copy unseen, the server returns that copy and makes no other.
  const [id] = useState(newKey);
  const form = useForm<Draft>({ name: '', startDate: '', capacity: cohort.capacity });
  const copy = useAction(copyProgramme, {
    success: ({ name }) => ({ title: 'Program Copied', message: `${name} is in planning.` }),
    failureTitle: 'The program could not be copied',
    onSuccess: ({ cohortId }) => {
      onClose();
      onCopied(cohortId);
    },
    onError: form.showRefusal,
  });
  const { afterAsking, closing, question } = useUnsavedChanges(form.isDirty && !copy.isRunning);
  const { startDate } = form.draft;
  return (
    <>
      <Modal opened {...closing(onClose)} title={`Copy the program of ${cohort.name}`} size="xl">
        <form
          noValidate
          onSubmit={form.submit(CopyFacts, (facts) => copy.run({ body: { ...facts, id, sourceCohortId: cohort.id } }))}
        >
          <Stack gap="md">
            <Text>
              Activities, contents with their files, assignments and weekly requirements are copied into a new cohort in
              planning. People and their work are not.
            </Text>
            <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
              <TextField
                form={form}
                name="name"
                label="Name of the new cohort"
                required
                maxLength={limitOf(CopyFacts, 'name')}
              />
              <DayField form={form} name="startDate" label="Start" required />
              <NumberField form={form} name="capacity" label="Places" required />
            </SimpleGrid>
            {isProgrammeDay(startDate) ? (
              <MovedDates cohort={cohort} startDate={startDate} />
            ) : (
              <Text c="dimmed">Pick a start date to preview all dates.</Text>
            )}
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={() => afterAsking(onClose)}>
                Cancel
              </Button>
              <Button type="submit" loading={copy.isRunning}>
                Copy program
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      {question}
    </>
  );
}
