import { Alert, Box, Stack, Switch, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { CalendarX2 } from 'lucide-react';
import { useState } from 'react';
import type { Cohort } from '#contract/cohorts.ts';
import { type MovedDate, type ProgrammeDates, previewProgrammeDates } from '#contract/programme-copies.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { counted } from '../../../ui/counted.ts';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { formatClock, formatDay } from '../../../ui/dates.ts';
import { LoadedRows } from '../../../ui/Loaded.tsx';
import { ShowMore } from '../../../ui/ShowMore.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { datedKindNames } from '../setup-words.ts';

interface MovedDatesProps {
  cohort: Cohort;
  startDate: string;
}

/** Every date of a programme as it is now, and as it would be with another start, with its holidays. */
export function MovedDates({ cohort, startDate }: MovedDatesProps) {
  const [isHolidaysOnly, setHolidaysOnly] = useState(false);
  const query = { startDate, ...(isHolidaysOnly ? { only: 'holidays' as const } : {}) };
  const list = useInfiniteQuery({
    ...pagesFor(previewProgrammeDates, { params: { id: cohort.id }, query }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return (
    <LoadedRows
      list={list}
      failure="The dates could not be loaded"
      loading={{ label: 'Loading the dates', rows: 5 }}
      above={(first) => (
        <>
          <Summary dates={first} startDate={startDate} />
          {first.dates > 0 ? (
            <Switch
              label="Only dates on holidays"
              checked={isHolidaysOnly}
              onChange={({ currentTarget }) => setHolidaysOnly(currentTarget.checked)}
            />
          ) : null}
        </>
      )}
      empty={
        isHolidaysOnly ? (
          <Text size="sm" c="dimmed">
            No date is on a holiday.
          </Text>
        ) : null
      }
    >
      {(rows) => (
        <Box mah={380} style={{ overflowY: 'auto' }} tabIndex={0} role="region" aria-label="Dates, scrolling">
          <DataTable
            label="Dates"
            columns={columnsIn(cohort.calendar.zone)}
            rows={rows}
            keyOf={({ kind, id }) => `${kind} ${id}`}
          />
          {list.hasNextPage ? (
            <Box pt="sm">
              <ShowMore isRunning={list.isFetching} hasFailed={list.isError} onMore={() => void list.fetchNextPage()} />
            </Box>
          ) : null}
        </Box>
      )}
    </LoadedRows>
  );
}

function Summary({ dates, startDate }: { dates: ProgrammeDates; startDate: string }) {
  const { oldStartDate, oldEndDate, newEndDate, onHolidays, holidayWeeks, holds } = dates;
  const isOtherWeekday = weekdayOf(oldStartDate) !== weekdayOf(startDate);
  return (
    <Stack gap="xs" role="status">
      <Text>
        {formatDay(oldStartDate, { withYear: true })} to {formatDay(oldEndDate, { withYear: true })} becomes{' '}
        <b>
          {formatDay(startDate, { withYear: true })} to {formatDay(newEndDate, { withYear: true })}
        </b>
        . {counted(holds.activities, 'activity', 'activities')}, {counted(holds.contents, 'content')},{' '}
        {counted(holds.assignments, 'assignment')} and {counted(holds.requirements, 'weekly requirement')} hold{' '}
        {counted(dates.dates, 'date')}: each stays in its week and on its weekday.
      </Text>
      {isOtherWeekday ? (
        <Alert color="yellow" title="The new start is another weekday">
          The cohort began on a {weekdayOf(oldStartDate)}, and would begin on a {weekdayOf(startDate)}. Within a week,
          what was on {weekdayOf(oldStartDate)} may then come later than the rest.
        </Alert>
      ) : null}
      {onHolidays > 0 ? (
        <Alert
          color="yellow"
          icon={<CalendarX2 size={18} aria-hidden />}
          title={`${counted(onHolidays, 'date')} on holidays`}
        >
          They still move. Give them another day afterwards.
        </Alert>
      ) : null}
      {holidayWeeks.length > 0 ? (
        <Text size="sm" c="dimmed">
          Weeks with holidays: {holidayWeeks.map(({ week, holidays }) => `${week} (${holidays.join(', ')})`).join(', ')}
          .
        </Text>
      ) : null}
    </Stack>
  );
}

const columnsIn = (zone: string): Column<MovedDate>[] => [
  {
    key: 'what',
    label: 'What',
    cell: ({ title, kind, weekNumber }) => (
      <Box miw={150}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {datedKindNames[kind]}
          {weekNumber === null ? '' : `, week ${weekNumber}`}
        </Text>
      </Box>
    ),
  },
  {
    key: 'old',
    label: 'Now',
    width: 150,
    cell: ({ oldDay }) => <Text size="sm">{formatDay(oldDay, { withYear: true })}</Text>,
  },
  {
    key: 'new',
    label: 'Then',
    width: 190,
    cell: ({ newDay, sessionTime, holiday }) => (
      <Stack gap={4} align="flex-start">
        <Text size="sm">
          {formatDay(newDay, { withYear: true })}
          {sessionTime ? `, ${formatClock(sessionTime, zone)}` : ''}
        </Text>
        {holiday ? <StatusBadge tone="warning">{holiday}</StatusBadge> : null}
      </Stack>
    ),
  },
];

function weekdayOf(day: string): string {
  return new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`));
}
