import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, CalendarClock, Copy, Pencil, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type ReadCohort, readCohort } from '#contract/cohorts.ts';
import { undoProgrammeCopy } from '#contract/programme-copies.ts';
import { queryClient, queryFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { counted } from '../../../ui/counted.ts';
import { formatDay } from '../../../ui/dates.ts';
import { LoadedParts } from '../../../ui/Loaded.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { focusTab, useReturnFocus } from '../../../ui/use-return-focus.ts';
import { cohortStatuses, kindName } from '../setup-words.ts';
import { CohortDialog } from './CohortDialog.tsx';
import { CohortMembers } from './CohortMembers.tsx';
import { CopyProgrammeDialog } from './CopyProgrammeDialog.tsx';
import { MoveCohortDialog } from './MoveCohortDialog.tsx';
import { useSetupPlace } from './setup-place.ts';

/** One cohort: its facts, its programme and its members. */
export function SetupCohort({ id }: { id: string }) {
  const { open } = useSetupPlace();
  const cohort = useQuery(queryFor(readCohort, { params: { id } }));
  return (
    <Stack gap="lg">
      <Button
        variant="subtle"
        size="compact-sm"
        w="fit-content"
        leftSection={<ArrowLeft size={15} aria-hidden />}
        onClick={() => {
          open('cohorts');
          focusTab();
        }}
      >
        All cohorts
      </Button>
      <LoadedParts
        read={cohort}
        failure="The cohort could not be loaded"
        loading={{ label: 'Loading the cohort', rows: 6 }}
      >
        {(data) => <Opened cohort={data} />}
      </LoadedParts>
    </Stack>
  );
}

function Opened({ cohort }: { cohort: ReadCohort }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that was pressed in the list is gone.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  const { open } = useSetupPlace();
  const [act, setAct] = useState<'edit' | 'move' | 'copy' | 'undo' | null>(null);
  const { holds } = cohort;
  const close = () => setAct(null);
  return (
    <>
      <Card component="section" aria-labelledby="cohort">
        <Stack gap="md">
          <Group justify="space-between" gap="sm" align="flex-start">
            <Stack gap={4} style={{ minWidth: 0 }}>
              <Title order={2} id="cohort" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
                {cohort.name}
              </Title>
              <Text size="sm" c="dimmed">
                {kindName(cohort, cohort.programType)}, {formatDay(cohort.startDate, { withYear: true })} to{' '}
                {formatDay(cohort.endDate, { withYear: true })}
              </Text>
            </Stack>
            <StatusBadge tone={cohortStatuses[cohort.status].tone}>{cohortStatuses[cohort.status].word}</StatusBadge>
          </Group>
          {cohort.description ? <Text style={{ whiteSpace: 'pre-wrap' }}>{cohort.description}</Text> : null}
          <Text>
            {cohort.currentEnrollment.toLocaleString('en-US')} of {counted(cohort.capacity, 'place')} taken. Weeks 1 to{' '}
            {cohort.unlockedWeeks} are unlocked. Curriculum version {cohort.curriculumVersion}.
          </Text>
          <Text>
            Its program:{' '}
            <Anchor component="button" type="button" fz="inherit" onClick={() => open('activities', cohort.id)}>
              {counted(holds.activities, 'activity', 'activities')}
            </Anchor>{' '}
            with {counted(holds.contents, 'content')} and {counted(holds.assignments, 'assignment')},{' '}
            <Anchor component="button" type="button" fz="inherit" onClick={() => open('requirements', cohort.id)}>
              {counted(holds.requirements, 'weekly requirement')}
            </Anchor>
            .
          </Text>
          <Group gap="sm">
            <Button variant="default" leftSection={<Pencil size={15} aria-hidden />} onClick={() => setAct('edit')}>
              Edit
            </Button>
            <Button
              variant="default"
              leftSection={<CalendarClock size={15} aria-hidden />}
              onClick={() => setAct('move')}
            >
              Move start
            </Button>
            <Button variant="default" leftSection={<Copy size={15} aria-hidden />} onClick={() => setAct('copy')}>
              Copy program
            </Button>
            {cohort.copy?.staysBecause === null ? (
              <Button variant="default" leftSection={<Undo2 size={15} aria-hidden />} onClick={() => setAct('undo')}>
                Undo this copy
              </Button>
            ) : null}
          </Group>
          {cohort.copy ? (
            <Text size="sm" c="dimmed">
              {cohort.copy.sourceName ? `A copy of the program of ${cohort.copy.sourceName}. ` : 'A copy. '}
              {cohort.copy.staysBecause ?? 'You can undo it while nobody is enrolled and nothing was added to it.'}
            </Text>
          ) : null}
        </Stack>
      </Card>
      <CohortMembers cohort={cohort} />
      {act === 'edit' ? <CohortDialog cohort={cohort} onClose={close} /> : null}
      {act === 'move' ? <MoveCohortDialog cohort={cohort} onClose={close} /> : null}
      {act === 'copy' ? (
        <CopyProgrammeDialog cohort={cohort} onClose={close} onCopied={(id) => open('cohorts', id)} />
      ) : null}
      {act === 'undo' ? <UndoCopyDialog cohort={cohort} onClose={close} onUndone={() => open('cohorts')} /> : null}
    </>
  );
}

interface UndoCopyDialogProps {
  cohort: ReadCohort;
  onClose: () => void;
  onUndone: () => void;
}

function UndoCopyDialog({ cohort, onClose, onUndone }: UndoCopyDialogProps) {
  useReturnFocus();
  const undo = useAction(undoProgrammeCopy, {
    success: () => ({ title: 'Copy Undone', message: cohort.name }),
    failureTitle: 'The copy could not be undone',
    onSuccess: () => {
      queryClient.removeQueries({ queryKey: [readCohort.name, { params: { id: cohort.id } }] });
      onUndone();
    },
    onError: onClose,
  });
  const { activities, contents, assignments, requirements } = cohort.holds;
  return (
    <ConfirmDialog
      isOpen
      title="Undo this copy"
      confirmLabel="Undo copy"
      isDestructive
      isRunning={undo.isRunning}
      onConfirm={() => cohort.copy && undo.run({ params: { id: cohort.copy.id } })}
      onClose={onClose}
    >
      <Text fw={600}>{cohort.name}</Text>
      <Text mt="xs">
        This removes the cohort with {counted(activities, 'activity', 'activities')}, {counted(contents, 'content')},{' '}
        {counted(assignments, 'assignment')} and {counted(requirements, 'weekly requirement')}, and every change made to
        them since. The program it was copied from stays the same.
      </Text>
    </ConfirmDialog>
  );
}
