import { Box, Select, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { EyeOff } from 'lucide-react';
import { useState } from 'react';
import { ActivityFacts } from '#contract/activity-facts.ts';
import {
  deleteActivity,
  listProgrammeActivities,
  type ProgrammeActivity,
  updateActivity,
} from '#contract/programme-items.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { formatClock, formatDay } from '../../../ui/dates.ts';
import { SearchField } from '../../../ui/SearchField.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { RowActions } from '../RowActions.tsx';
import { counted, weekOptions } from '../setup-words.ts';
import { ActivityDialog } from './ActivityDialog.tsx';
import { CohortPicker } from './CohortPicker.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import { SetupList } from './SetupList.tsx';
import { useSetupPlace } from './setup-place.ts';

const all = 'all';
const none = 'none';

/** Adds, edits, hides and removes activities (TRAIN-27). */
export function SetupActivities() {
  const { place, change } = useSetupPlace();
  const { search, week, cohort } = place;
  const [edited, setEdited] = useState<ProgrammeActivity | 'new' | null>(null);
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
        columns={columnsFor({ onEdit: setEdited, onDelete: setDoomed })}
        keyOf={({ id }) => id}
        isFiltered={Boolean(search || week || cohort)}
        onClear={() => change({ search: undefined, week: undefined, cohort: undefined })}
        addLabel="Add activity"
        onAdd={() => setEdited('new')}
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
                { value: none, label: 'Unassigned' },
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
      {edited ? (
        <ActivityDialog
          cohortId={cohort && cohort !== none ? cohort : null}
          week={week ?? 1}
          activity={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      ) : null}
      {doomed ? <RemoveActivity activity={doomed} onClose={() => setDoomed(null)} /> : null}
    </>
  );
}

interface ActivityColumns {
  onEdit: (activity: ProgrammeActivity) => void;
  onDelete: (activity: ProgrammeActivity) => void;
}

function columnsFor({ onEdit, onDelete }: ActivityColumns): Column<ProgrammeActivity>[] {
  return [
    {
      key: 'activity',
      label: 'Activity',
      cell: ({ title, moduleName, isRequired, programmes }) => (
        <Box miw={180}>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          <Text size="sm" c="dimmed">
            {[moduleName, isRequired ? null : 'Optional'].filter(Boolean).join(', ') || 'No module'}
          </Text>
          {programmes.length === 0 ? (
            <StatusBadge tone="neutral" icon={<EyeOff size={13} aria-hidden />}>
              Hidden
            </StatusBadge>
          ) : null}
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
        <Text size="sm" c={cohortName ? undefined : 'dimmed'}>
          {cohortName ?? 'Unassigned'}
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
      width: 190,
      cell: (activity) => (
        <RowActions name={activity.title} onEdit={() => onEdit(activity)} onDelete={() => onDelete(activity)} />
      ),
    },
  ];
}

function RemoveActivity({ activity, onClose }: { activity: ProgrammeActivity; onClose: () => void }) {
  const remove = useAction(deleteActivity, {
    success: () => ({ title: 'Activity Deleted', message: activity.title }),
    failureTitle: 'The activity could not be deleted',
    onSuccess: onClose,
    onError: () => {
      onClose();
    },
  });
  const hide = useAction(updateActivity, {
    success: () => ({ title: 'Activity Hidden', message: activity.title }),
    failureTitle: 'The activity could not be hidden',
    onSuccess: onClose,
    onError: () => {
      onClose();
    },
  });
  const { id, version, programmes } = activity;
  const work = workOf(activity);
  return (
    <RemoveDialog
      thing="activity"
      name={activity.title}
      staysBecause={work ? `${work}: what people did is never removed, so the activity stays.` : null}
      isRunning={remove.isRunning || hide.isRunning}
      onDelete={() => remove.run({ params: { id } })}
      instead={
        programmes.length === 0
          ? undefined
          : {
              label: 'Hide activity',
              words:
                'Hidden, participants do not see it and it counts for nobody, until you edit it and choose again whom it is for.',
              run: () =>
                hide.run({
                  params: { id },
                  body: { ...ActivityFacts.parse(activity), programmes: [], version },
                }),
            }
      }
      onClose={onClose}
    >
      It goes for good, with {counted(activity.contents, 'content')} and {counted(activity.assignments, 'assignment')}.
      Nobody attended it, handed work in, is writing for it or marked its contents as done.
    </RemoveDialog>
  );
}

/** Lists what people did. Null if nobody did anything. */
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
