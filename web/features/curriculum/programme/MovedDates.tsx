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
import { TitleOnPhone, TwoLines } from '../../../ui/TwoLines.tsx';
import { datedKindNames } from '../setup-words.ts';
import { Name } from './SetupCells.tsx';

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
            minWidth={660}
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
    onPhone: 'first',
    cellOnPhone: ({ title }) => <TitleOnPhone>{title}</TitleOnPhone>,
    cell: (date) => <TwoLines first={<Name>{date.title}</Name>} second={kindOf(date)} />,
  },
  {
    key: 'old',
    label: 'Now',
    width: 150,
    onPhone: 'firstEnd',
    cellOnPhone: kindOf,
    cell: ({ oldDay }) => formatDay(oldDay, { withYear: true }),
  },
  {
    key: 'new',
    label: 'Then',
    width: 230,
    onPhone: 'secondRest',
    cellOnPhone: (date) => (
      <>
        <TwoLines first={<b>{newMoment(date, zone)}</b>} second={`Now ${formatDay(date.oldDay, { withYear: true })}`} />
        {date.holiday ? <Holiday name={date.holiday} /> : null}
      </>
    ),
    cell: (date) => (
      <TwoLines first={newMoment(date, zone)} second={date.holiday ? <Holiday name={date.holiday} /> : null} />
    ),
  },
];

function Holiday({ name }: { name: string }) {
  return <StatusBadge tone="warning">{name}</StatusBadge>;
}

function kindOf({ kind, weekNumber }: MovedDate): string {
  return weekNumber === null ? datedKindNames[kind] : `${datedKindNames[kind]}, week ${weekNumber}`;
}

function newMoment({ newDay, sessionTime }: MovedDate, zone: string): string {
  const day = formatDay(newDay, { withYear: true });
  return sessionTime ? `${day}, ${formatClock(sessionTime, zone)}` : day;
}

function weekdayOf(day: string): string {
  return new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`));
}
