import { Anchor, Select, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { CohortStatus, type ListedCohort, listCohorts } from '#contract/cohorts.ts';
import { currentWeek, dayAt } from '#contract/weeks.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { countedMatches } from '../../../ui/counted.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { formatDay } from '../../../ui/dates.ts';
import { countOn } from '../../../ui/FilterBar.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { TwoLines } from '../../../ui/TwoLines.tsx';
import { RowActions } from '../RowActions.tsx';
import { cohortStatuses, kindName, statusOptions } from '../setup-words.ts';
import { CohortDialog } from './CohortDialog.tsx';
import { SetupList, SetupSearch } from './SetupList.tsx';
import { useSetupPlace } from './setup-place.ts';

const all = 'all';

/** ADMIN-21, ADMIN-22 */
export function SetupCohorts() {
  const { place, change, open } = useSetupPlace();
  const { search, status } = place;
  const list = useInfiniteQuery({
    ...pagesFor(listCohorts, { query: { search, status } }),
    placeholderData: keepPreviousData,
  });
  const matching = list.data?.pages[0]?.matching;
  return (
    <SetupList
      thing="cohort"
      things="cohorts"
      list={list}
      columns={({ onEdit }) => columnsFor((cohort) => open('cohorts', cohort.id), onEdit)}
      isFiltered={Boolean(search || status)}
      onClear={() => change({ search: undefined, status: undefined })}
      emptyWords="A cohort goes through a program together, from a start date."
      search={<SetupSearch placeholder="Name or description" />}
      filters={{
        on: countOn(status),
        fields: (
          <Select
            label="Status"
            data={[{ value: all, label: 'All statuses' }, ...statusOptions]}
            value={status ?? all}
            onChange={(chosen) => change({ status: CohortStatus.safeParse(chosen).data })}
            allowDeselect={false}
            w={{ base: '100%', xs: 160 }}
          />
        ),
      }}
      facts={
        matching === undefined ? null : (
          <Text size="sm" c="dimmed" role="status" pb={8}>
            {countedMatches(matching, 'cohort')}
          </Text>
        )
      }
      editor={(cohort, onClose) => (
        <CohortDialog cohort={cohort} onClose={onClose} onAdded={(id) => open('cohorts', id)} />
      )}
    />
  );
}

function columnsFor(
  onOpen: (cohort: ListedCohort) => void,
  onEdit: (cohort: ListedCohort) => void,
): Column<ListedCohort>[] {
  return [
    {
      key: 'cohort',
      label: 'Cohort',
      onPhone: 'first',
      cellOnPhone: (cohort) => (
        <TwoLines
          first={<Opener cohort={cohort} onOpen={onOpen} />}
          second={`${weekOf(cohort) ?? kindName(cohort, cohort.programType)} · ${placesOf(cohort)} places`}
        />
      ),
      cell: (cohort) => (
        <TwoLines first={<Opener cohort={cohort} onOpen={onOpen} />} second={kindName(cohort, cohort.programType)} />
      ),
    },
    {
      key: 'dates',
      label: 'Dates',
      width: 290,
      onPhone: 'secondRest',
      cellOnPhone: ({ startDate, endDate }) => (
        <TwoLines
          first={formatDay(startDate, { withYear: true })}
          second={`to ${formatDay(endDate, { withYear: true })}`}
        />
      ),
      cell: (cohort) => <TwoLines first={datesOf(cohort)} second={weekOf(cohort)} />,
    },
    {
      key: 'status',
      label: 'Status',
      width: 128,
      onPhone: 'firstEnd',
      cell: ({ status }) => <StatusBadge tone={cohortStatuses[status].tone}>{cohortStatuses[status].word}</StatusBadge>,
    },
    {
      key: 'places',
      label: 'Places taken',
      width: 124,
      isNumber: true,
      cell: placesOf,
    },
    {
      key: 'activities',
      label: 'Activities',
      width: 100,
      isNumber: true,
      cell: ({ activityCount }) => activityCount.toLocaleString('en-US'),
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 96,
      onPhone: 'secondEnd',
      cell: (cohort) => <RowActions name={cohort.name} onEdit={() => onEdit(cohort)} />,
    },
  ];
}

function Opener({ cohort, onOpen }: { cohort: ListedCohort; onOpen: (cohort: ListedCohort) => void }) {
  return (
    <Anchor component="button" type="button" fw={600} onClick={() => onOpen(cohort)} title={cohort.name}>
      {cohort.name}
    </Anchor>
  );
}

function datesOf({ startDate, endDate }: ListedCohort): string {
  return `${formatDay(startDate, { withYear: true })} to ${formatDay(endDate, { withYear: true })}`;
}

/** Undefined before and after the weeks of the cohort. */
function weekOf({ startDate, status, calendar }: ListedCohort): string | undefined {
  if (status !== 'active') return undefined;
  return `Week ${currentWeek(startDate, dayAt(new Date(), calendar.zone), calendar)} of ${calendar.weeks}`;
}

function placesOf({ currentEnrollment, capacity }: ListedCohort): string {
  return `${currentEnrollment.toLocaleString('en-US')} of ${capacity.toLocaleString('en-US')}`;
}
