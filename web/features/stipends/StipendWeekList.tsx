import { Card, SimpleGrid, Stack } from '@mantine/core';
import type { InfiniteData } from '@tanstack/react-query';
import { type ComponentProps, Fragment, type ReactNode } from 'react';
import { formatCents } from '#contract/money.ts';
import { periodWords } from '#contract/pay-periods.ts';
import type { StipendWeek, StipendWeeks } from '#contract/stipend-weeks.ts';
import { ChartPlace } from '../../ui/ChartPlace.tsx';
import { LoadedRows, type Read } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { StatCard } from '../../ui/StatCard.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { OwnStipendWeek } from './OwnStipendWeek.tsx';
import { OwnWeekCharts } from './OwnWeekCharts.tsx';

type PagedWeeks = Read<InfiniteData<StipendWeeks>> & ComponentProps<typeof NextPageButton>['list'];

interface StipendWeekListProps {
  list: PagedWeeks;
  /** Where to go on if there is no week. */
  onward?: ReactNode;
}

/** A participant's weeks, newest first, with their total. */
export function StipendWeekList({ list, onward }: StipendWeekListProps) {
  return (
    <Stack gap="lg">
      <LoadedRows
        list={list}
        failure="The stipends could not be loaded"
        loading={{ label: 'Loading the weeks', cards: 2, rows: 6 }}
        empty={
          <Card>
            <EmptyState title="No weeks yet" action={onward}>
              Weeks show here from the first day of the program, each with what it still needs.
            </EmptyState>
          </Card>
        }
      >
        {(rows, { totals, can }) => (
          <Stack gap="lg">
            <SimpleGrid cols={2} spacing="md">
              <StatCard
                label="Total earned"
                value={formatCents(totals.earnedCents)}
                note={`Approved and paid ${periodWords[rows[0]?.payPeriod ?? 'week'].many}`}
              />
              <StatCard label="Paid so far" value={formatCents(totals.paidCents)} note="Confirmed payments" />
            </SimpleGrid>
            {rows.map((week, place) => (
              <Fragment key={`${week.cohortId} ${week.weekNumber}`}>
                <OwnStipendWeek week={week} canAsk={can.ask} />
                {/* The newest week answers the first question. */}
                {place === 0 ? <Charts weeks={rows} /> : null}
              </Fragment>
            ))}
          </Stack>
        )}
      </LoadedRows>
      <NextPageButton list={list} />
    </Stack>
  );
}

/** One week alone says it all. Weeks of several cohorts would stand under the same numbers. */
function Charts({ weeks }: { weeks: StipendWeek[] }) {
  const newest = weeks.filter(({ cohortId }) => cohortId === weeks[0]?.cohortId);
  if (newest.length < 2) return null;
  return (
    <Card>
      <ChartPlace height={330} heightOnPhone={686}>
        {() => <OwnWeekCharts weeks={newest} />}
      </ChartPlace>
    </Card>
  );
}
