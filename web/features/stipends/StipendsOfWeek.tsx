import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { formatCents } from '#contract/money.ts';
import { type PayPeriod, periodTitle } from '#contract/pay-periods.ts';
import { listStipendCohorts } from '#contract/stipend-cohorts.ts';
import type { listStipends, StipendRow } from '#contract/stipends.ts';
import { queryFor } from '../../api/query-for.ts';
import { DensitySwitch } from '../../ui/DensitySwitch.tsx';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState, LoadingState } from '../../ui/states.tsx';
import { selectionOf, useChosenIds } from '../../ui/use-chosen-ids.ts';
import { SendStipends } from '../payments/SendStipends.tsx';
import { SavedFilters } from '../saved-filters/SavedFilters.tsx';
import { BulkStipendApproval } from './BulkStipendApproval.tsx';
import { ChosenStipends } from './ChosenStipends.tsx';
import { useChangedFacts } from './changed-facts.ts';
import { ExportStipends } from './ExportStipends.tsx';
import { goneInWords, useGoneRows } from './gone-rows.ts';
import { SecondApprover } from './SecondApprover.tsx';
import { StipendCards } from './StipendCards.tsx';
import { StipendDialog } from './StipendDialog.tsx';
import { StipendFilters } from './StipendFilters.tsx';
import { StipendTable } from './StipendTable.tsx';
import { stipendPages, useProcessedWeek } from './stipend-pages.ts';
import { isFiltered, noStipendFilters, useStipendPlace, usualOrder } from './stipend-place.ts';
import { UnprocessedCohorts, useUnprocessedCohorts } from './UnprocessedCohorts.tsx';

interface StipendsOfWeekProps {
  week: number;
  /** Nobody chose the week, and the current one could not be read. */
  isAssumed: boolean;
  currentWeek: number | null;
  payPeriod: PayPeriod;
  weeks: number;
  hasCohort: boolean;
  lead: string | undefined;
  tabs: ReactNode;
  /** What it says depends on whether the list of the week is loaded. */
  notice: (hasRows: boolean) => ReactNode;
}

export function StipendsOfWeek({
  week,
  isAssumed,
  currentWeek,
  weeks,
  payPeriod,
  hasCohort,
  lead,
  tabs,
  notice,
}: StipendsOfWeekProps) {
  const { place, change } = useStipendPlace();
  const isProcessed = useProcessedWeek(week, place.cohort);
  const list = useInfiniteQuery({ ...stipendPages(week, place), enabled: isProcessed });
  const unprocessed = useUnprocessedCohorts(week, isProcessed && !place.cohort);
  const cohorts = useQuery({ ...queryFor(listStipendCohorts), enabled: place.cohort !== undefined });
  // These stand above the rows. All of them come at once, so that nothing moves.
  const isRead = !list.isPending && (place.cohort ? cohorts : unprocessed).isFetched;
  const first = list.data?.pages[0];
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const changes = useChangedFacts(rows);
  const gone = useGoneRows({
    rows,
    filters: JSON.stringify([place.search, place.status, place.eligibility]),
    isWhole: list.isSuccess && !list.isPlaceholderData && !list.hasNextPage,
  });
  const chosen = useChosenIds();
  const open = rows.filter((row) => chosen.ids.has(row.id) && isOpen(row));
  const hasFailed = list.isError && !list.data;
  const heldBackBy = isAssumed && !list.data ? 'no-week' : undefined;

  return (
    <>
      <PageHeader
        title="Stipend Management"
        lead={heldBackBy ? <span id={heldBackBy}>Choose a week to export or send it.</span> : lead}
      >
        <ExportStipends
          week={week}
          title={periodTitle(payPeriod, week)}
          cohort={place.cohort}
          heldBackBy={heldBackBy}
        />
        <SendStipends
          week={week}
          title={periodTitle(payPeriod, week)}
          cohortId={place.cohort}
          heldBackBy={heldBackBy}
        />
        <BulkStipendApproval
          week={week}
          title={periodTitle(payPeriod, week)}
          cohortId={place.cohort}
          pending={first?.summary?.pending ?? null}
        />
      </PageHeader>
      <Stack gap="lg">
        {tabs}
        {notice(list.data !== undefined)}
        <StipendCards
          summary={first?.summary ?? null}
          hasFailed={hasFailed || first?.summary === null}
          period={periodTitle(payPeriod, week).toLowerCase()}
        />
        <StipendFilters
          place={place}
          week={week}
          currentWeek={currentWeek}
          weeks={weeks}
          payPeriod={payPeriod}
          onChange={change}
        />
        {isRead ? (
          <>
            {place.cohort ? <SecondApprover cohortId={place.cohort} /> : null}
            {isProcessed && !place.cohort ? (
              <UnprocessedCohorts week={week} title={periodTitle(payPeriod, week)} list={unprocessed} />
            ) : null}
            {/* Its second line stands there for people who hear it, and takes no room while it is empty. */}
            <Box>
              <Group justify="space-between" gap="sm">
                <Text fw={550} role="status">
                  {first && first.matching !== null
                    ? `${first.matching.toLocaleString('en-US')} participants found`
                    : ''}
                </Text>
                <Group gap="md">
                  {first && first.matching !== null ? (
                    <Text size="sm" c="dimmed">
                      {sumsInWords(first)}
                    </Text>
                  ) : null}
                  <SavedFilters list="stipends" of={['cohort', 'search', 'status', 'eligibility', 'order']} />
                  <DensitySwitch />
                </Group>
              </Group>
              <Box role="status">
                {gone.length > 0 ? (
                  <Text size="sm" fw={550} mt="sm" c="var(--status-warning)">
                    {goneInWords(gone)}
                  </Text>
                ) : null}
              </Box>
            </Box>
            <LoadedRows
              list={list}
              failure={{ title: 'Error', words: 'Failed to load stipend data' }}
              loading={{ label: 'Loading the stipends', rows: 6 }}
              empty={
                <NoStipends
                  title={periodTitle(payPeriod, week)}
                  hasCohort={hasCohort}
                  onClear={isFiltered(place) ? () => change(noStipendFilters) : undefined}
                />
              }
            >
              {(rows) => (
                <StipendTable
                  rows={rows}
                  changes={changes}
                  onOpen={(stipend) => change({ stipend })}
                  order={place.order ?? usualOrder}
                  onOrder={(order) => change({ order: order === usualOrder ? undefined : order })}
                  selection={selectionOf<StipendRow>(chosen, {
                    nameOf: ({ participantName }) => participantName,
                    canChoose: isOpen,
                  })}
                />
              )}
            </LoadedRows>
          </>
        ) : (
          <LoadingState label="Loading the stipends" rows={6} />
        )}
        <NextPageButton list={list} mx="auto" />
        <ChosenStipends rows={open} onClear={chosen.clear} />
        <StipendDialog stipendId={place.stipend} onClose={() => change({ stipend: undefined })} />
      </Stack>
    </>
  );
}

/** Somebody can decide it, as far as this admin sees. */
function isOpen({ can }: StipendRow): boolean {
  return can.approve || can.deny;
}

/** Most rows of a running week are not eligible yet, so their sum is only what the week could bring. */
function sumsInWords({ matchingCents, matchingEligibleCents }: ResponseOf<typeof listStipends>): string {
  return `${formatCents(matchingEligibleCents ?? 0)} eligible of ${formatCents(matchingCents ?? 0)} possible`;
}

interface NoStipendsProps {
  title: string;
  hasCohort: boolean;
  /** Set if filters are active. */
  onClear: (() => void) | undefined;
}

/** STIP-21 */
function NoStipends({ title, hasCohort, onClear }: NoStipendsProps) {
  if (onClear) {
    return (
      <EmptyState
        title="No stipend records found"
        action={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        Try adjusting your filters
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No stipend records found">
      <Text inherit>No stipend records for {title} yet</Text>
      {hasCohort ? null : (
        <Text inherit mt="xs">
          Stipends are worked out for the members of an active cohort.
        </Text>
      )}
    </EmptyState>
  );
}
