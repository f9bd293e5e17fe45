import { Box, Select, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listCohorts, readCohort } from '#contract/cohorts.ts';
import { deleteActivity, listProgrammeActivities, type ProgrammeActivity } from '#contract/programme-items.ts';
import { pagesFor, refresh } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { formatClock, formatDay } from '../../ui/dates.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { ActivityDialog } from './ActivityDialog.tsx';
import { CohortPicker } from './CohortPicker.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import { RowActions } from './RowActions.tsx';
import { SetupList } from './SetupList.tsx';
import { useSetupPlace } from './setup-place.ts';
import { counted, weekOptions } from './setup-words.ts';

const all = 'all';
const none = 'none';

/** Activities are added and removed here (TRAIN-27); what they say is edited in Training Management. */
export function SetupActivities() {
  const { place, change } = useSetupPlace();
  const { search, week, cohort } = place;
  const [isAdding, setAdding] = useState(false);
  const [doomed, setDoomed] = useState<ProgrammeActivity | null>(null);
  const list = useInfiniteQuery({
    ...pagesFor(listProgrammeActivities, { query: { search, week, cohort } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <SetupList
        things="activities"
        list={list}
        columns={columnsFor(setDoomed)}
        keyOf={({ id }) => id}
        isFiltered={Boolean(search || week || cohort)}
        onClear={() => change({ search: undefined, week: undefined, cohort: undefined })}
        addLabel="Add activity"
        onAdd={() => setAdding(true)}
        emptyWords="A session or self-paced work of one week."
        filters={
          <>
            <SearchField
              label="Search"
              placeholder="Title or module"
              value={search ?? ''}
              onSearch={(text) => change({ search: text }, { replace: true })}
              flex={{ base: '1 0 100%', xs: '0 1 220px' }}
            />
            <CohortPicker
              label="Cohort"
              value={cohort ?? all}
              others={[
                { value: all, label: 'All cohorts' },
                { value: none, label: 'Of no cohort' },
              ]}
              onChange={(next) => change({ cohort: next === all ? undefined : next })}
            />
            <Select
              label="Week"
              data={[{ value: all, label: 'All weeks' }, ...weekOptions]}
              value={week ? String(week) : all}
              onChange={(chosen) => change({ week: chosen === all ? undefined : Number(chosen) })}
              allowDeselect={false}
              w={{ base: '100%', xs: 130 }}
            />
          </>
        }
      />
      {isAdding ? (
        <ActivityDialog
          cohortId={cohort && cohort !== none ? cohort : null}
          week={week ?? 1}
          onClose={() => setAdding(false)}
        />
      ) : null}
      {doomed ? <RemoveActivity activity={doomed} onClose={() => setDoomed(null)} /> : null}
    </>
  );
}

function columnsFor(onDelete: (activity: ProgrammeActivity) => void): Column<ProgrammeActivity>[] {
  return [
    {
      key: 'activity',
      label: 'Activity',
      cell: ({ title, moduleName, isRequired }) => (
        <Box miw={180} style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          <Text size="sm" c="dimmed">
            {[moduleName, isRequired ? null : 'Optional'].filter(Boolean).join(', ') || 'No module'}
          </Text>
        </Box>
      ),
    },
    {
      key: 'when',
      label: 'When',
      width: 170,
      cell: ({ weekNumber, sessionDate, sessionTime }) => (
        <Stack gap={0}>
          <Text size="sm">Week {weekNumber}</Text>
          <Text size="sm" c="dimmed">
            {formatDay(sessionDate)}
            {sessionTime ? `, ${formatClock(sessionTime)}` : ''}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'cohort',
      label: 'Cohort',
      width: 170,
      cell: ({ cohortName }) => (
        <Text size="sm" c={cohortName ? undefined : 'dimmed'} style={{ overflowWrap: 'anywhere' }}>
          {cohortName ?? 'Of no cohort'}
        </Text>
      ),
    },
    {
      key: 'holds',
      label: 'Holds',
      width: 190,
      cell: (activity) => (
        <Stack gap={0}>
          <Text size="sm">
            {counted(activity.contents, 'content')}, {counted(activity.assignments, 'assignment')}
          </Text>
          <Text size="sm" c="dimmed">
            {workOf(activity) ?? 'Nothing done yet'}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 110,
      cell: (activity) => <RowActions name={activity.title} onDelete={() => onDelete(activity)} />,
    },
  ];
}

const lists = [listProgrammeActivities, listCohorts, readCohort];

function RemoveActivity({ activity, onClose }: { activity: ProgrammeActivity; onClose: () => void }) {
  const remove = useAction(deleteActivity, {
    success: () => ({ title: 'Activity Deleted', message: activity.title }),
    failureTitle: 'The activity could not be deleted',
    refreshes: lists,
    onSuccess: onClose,
    onError: () => {
      onClose();
      void refresh(lists);
    },
  });
  const work = workOf(activity);
  return (
    <RemoveDialog
      thing="activity"
      name={activity.title}
      staysBecause={work ? `${work}: what people did is never removed, so the activity stays with it.` : null}
      isRunning={remove.isRunning}
      onDelete={() => remove.run({ params: { id: activity.id } })}
      onClose={onClose}
    >
      It goes for good, with {counted(activity.contents, 'content')} and {counted(activity.assignments, 'assignment')}.
      Nobody attended it, handed work in, is writing for it or marked its contents as done.
    </RemoveDialog>
  );
}

/** What people did; null where nobody did anything. */
function workOf({ attendance, submissions, drafts, corrections, ticks }: ProgrammeActivity): string | null {
  const parts = [
    attendance > 0 ? `${attendance} attended` : null,
    submissions > 0 ? counted(submissions, 'submission') : null,
    drafts > 0 ? counted(drafts, 'draft') : null,
    ticks > 0 ? `${ticks} marked contents as done` : null,
    corrections > 0 ? counted(corrections, 'request to correct attendance', 'requests to correct attendance') : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(', ') : null;
}
