import { Anchor, Box, Select, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { CohortStatus, type ListedCohort, listCohorts } from '#contract/cohorts.ts';
import { currentWeek, dayAt } from '#contract/weeks.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { countedMatches } from '../../../ui/counted.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { formatDay } from '../../../ui/dates.ts';
import { countOn } from '../../../ui/FilterBar.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
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
      cell: (cohort) => (
        <Box miw={170}>
          <Anchor component="button" type="button" ta="left" fw={600} py={2} onClick={() => onOpen(cohort)}>
            {cohort.name}
          </Anchor>
          <Text size="sm" c="dimmed">
            {kindName(cohort, cohort.programType)}
          </Text>
        </Box>
      ),
    },
    { key: 'dates', label: 'Dates', width: 200, cell: (cohort) => <CohortDates cohort={cohort} /> },
    {
      key: 'status',
      label: 'Status',
      width: 130,
      cell: ({ status }) => <StatusBadge tone={cohortStatuses[status].tone}>{cohortStatuses[status].word}</StatusBadge>,
    },
    {
      key: 'places',
      label: 'Places taken',
      width: 120,
      isNumber: true,
      cell: ({ currentEnrollment, capacity }) =>
        `${currentEnrollment.toLocaleString('en-US')} of ${capacity.toLocaleString('en-US')}`,
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
      width: 100,
      cell: (cohort) => <RowActions name={cohort.name} onEdit={() => onEdit(cohort)} />,
    },
  ];
}

function CohortDates({ cohort: { startDate, endDate, status, calendar } }: { cohort: ListedCohort }) {
  return (
    <>
      <Text size="sm">
        {formatDay(startDate, { withYear: true })}
        <br />
        to {formatDay(endDate, { withYear: true })}
      </Text>
      {status === 'active' ? (
        <Text size="sm" c="dimmed">
          Week {currentWeek(startDate, dayAt(new Date(), calendar.zone), calendar)} of {calendar.weeks}
        </Text>
      ) : null}
    </>
  );
}
