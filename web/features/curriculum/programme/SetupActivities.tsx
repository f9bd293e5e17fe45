import { Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { EyeOff } from 'lucide-react';
import { ActivityFacts } from '#contract/activity-facts.ts';
import {
  deleteActivity,
  listProgrammeActivities,
  type ProgrammeActivity,
  updateActivity,
} from '#contract/programme-items.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../ui/counted.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { formatClock, formatDay } from '../../../ui/dates.ts';
import { countOn } from '../../../ui/FilterBar.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { TitleOnPhone, TwoLines } from '../../../ui/TwoLines.tsx';
import { RowActions } from '../RowActions.tsx';
import { ActivityDialog } from './ActivityDialog.tsx';
import { CohortPicker } from './CohortPicker.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import { Name } from './SetupCells.tsx';
import { type RowActs, SetupList, SetupSearch, SetupWeek } from './SetupList.tsx';
import { actOnNamed } from './setup-acts.ts';
import { useSetupPlace } from './setup-place.ts';

const all = 'all';
const none = 'none';

/** Adds, edits, hides and removes activities (TRAIN-27). */
export function SetupActivities() {
  const { place, change } = useSetupPlace();
  const { search, week, cohort } = place;
  const list = useInfiniteQuery({
    ...pagesFor(listProgrammeActivities, { query: { search, week, cohort } }),
    placeholderData: keepPreviousData,
  });
  return (
    <SetupList
      thing="activity"
      things="activities"
      list={list}
      columns={columnsFor}
      isFiltered={Boolean(search || week || cohort)}
      onClear={() => change({ search: undefined, week: undefined, cohort: undefined })}
      emptyWords="A session or self-paced work in one week."
      search={<SetupSearch placeholder="Title or module" width={220} />}
      filters={{
        on: countOn(week, cohort),
        fields: (
          <>
            <CohortPicker
              label="Cohort"
              value={cohort ?? all}
              others={[
                { value: all, label: 'All cohorts' },
                { value: none, label: 'Unassigned' },
              ]}
              onChange={(next) => change({ cohort: next === all ? undefined : next })}
            />
            <SetupWeek />
          </>
        ),
      }}
      editor={(activity, onClose) => (
        <ActivityDialog
          cohortId={cohort && cohort !== none ? cohort : null}
          week={week ?? 1}
          activity={activity}
          onClose={onClose}
        />
      )}
      removal={(activity, onClose) => <RemoveActivity activity={activity} onClose={onClose} />}
    />
  );
}

function columnsFor({ onEdit, onDelete }: RowActs<ProgrammeActivity>): Column<ProgrammeActivity>[] {
  return [
    {
      key: 'activity',
      label: 'Activity',
      onPhone: 'first',
      cellOnPhone: ({ title }) => <TitleOnPhone>{title}</TitleOnPhone>,
      cell: ({ title, moduleName, isRequired, audiences }) => (
        <TwoLines
          first={<Name>{title}</Name>}
          second={
            <>
              {audiences.length === 0 ? <Hidden /> : null}{' '}
              {[moduleName, isRequired ? null : 'Optional'].filter(Boolean).join(', ') || 'No module'}
            </>
          }
        />
      ),
    },
    {
      key: 'cohort',
      label: 'Cohort and time',
      width: 290,
      onPhone: 'secondRest',
      cellOnPhone: (activity) => (
        <TwoLines
          first={activity.cohortName ?? 'Unassigned'}
          second={formatDay(activity.sessionDate, { withYear: true })}
        />
      ),
      cell: (activity) => (
        <TwoLines
          first={activity.cohortName ?? 'Unassigned'}
          second={`Week ${activity.weekNumber} · ${momentOf(activity)}`}
        />
      ),
    },
    {
      key: 'holds',
      label: 'Holds',
      width: 196,
      onPhone: 'firstEnd',
      cellOnPhone: ({ weekNumber, audiences }) =>
        audiences.length === 0 ? <Hidden /> : <Text size="sm">Week {weekNumber}</Text>,
      cell: (activity) => <TwoLines first={partsOf(activity)} second={workOf(activity)} />,
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 132,
      onPhone: 'secondEnd',
      cell: (activity) => (
        <RowActions name={activity.title} onEdit={() => onEdit(activity)} onDelete={() => onDelete(activity)} />
      ),
    },
  ];
}

function momentOf({ sessionDate, sessionTime, zone }: Pick<ProgrammeActivity, 'sessionDate' | 'sessionTime' | 'zone'>) {
  return `${formatDay(sessionDate, { withYear: true })}${sessionTime ? `, ${formatClock(sessionTime, zone)}` : ''}`;
}

function Hidden() {
  return (
    <StatusBadge tone="neutral" icon={<EyeOff size={13} aria-hidden />}>
      Hidden
    </StatusBadge>
  );
}

function RemoveActivity({ activity, onClose }: { activity: ProgrammeActivity; onClose: () => void }) {
  const remove = useAction(deleteActivity, actOnNamed(activity.title, 'activity', 'deleted', onClose));
  const hide = useAction(updateActivity, actOnNamed(activity.title, 'activity', 'hidden', onClose));
  const { id, version, audiences } = activity;
  const work = workOf(activity);
  return (
    <RemoveDialog
      thing="activity"
      name={activity.title}
      staysBecause={work ? `${work}: we never remove what people did, so the activity stays.` : null}
      isRunning={remove.isRunning || hide.isRunning}
      onDelete={() => remove.run({ params: { id } })}
      instead={
        audiences.length === 0
          ? undefined
          : {
              label: 'Hide activity',
              words:
                'Participants will not see it and it will count for nobody. To bring it back, edit it and choose whom it is for.',
              run: () =>
                hide.run({
                  params: { id },
                  body: { ...ActivityFacts.parse(activity), audiences: [], version },
                }),
            }
      }
      onClose={onClose}
    >
      It is gone for good, with {counted(activity.contents, 'content')} and{' '}
      {counted(activity.assignments, 'assignment')}. Nobody attended it, handed work in, is writing for it or marked its
      contents as done.
    </RemoveDialog>
  );
}

function partsOf({ contents, assignments }: ProgrammeActivity): string {
  const parts = [
    contents > 0 ? counted(contents, 'content') : null,
    assignments > 0 ? counted(assignments, 'assignment') : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(', ') : 'Nothing yet';
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
