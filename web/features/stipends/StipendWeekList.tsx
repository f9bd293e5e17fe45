import { Card, SimpleGrid, Stack } from '@mantine/core';
import { formatCents } from '#contract/money.ts';
import type { StipendWeeks } from '#contract/stipend-weeks.ts';
import { messageOf } from '../../api/api-error.ts';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { StatCard } from '../../ui/StatCard.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { OwnStipendWeek } from './OwnStipendWeek.tsx';

interface PagedWeeks {
  data: { pages: StipendWeeks[] } | undefined;
  error: Error | null;
  isPending: boolean;
  isError: boolean;
  isFetching: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch: () => Promise<unknown>;
  fetchNextPage: () => Promise<unknown>;
}

/** The weeks of a participant, newest first, with what they add up to. */
export function StipendWeekList({ list }: { list: PagedWeeks }) {
  if (list.isPending) return <LoadingState label="Loading the weeks" cards={2} rows={6} />;
  const [first] = list.data?.pages ?? [];
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Stack gap="lg">
      {list.isError ? (
        <ErrorState
          title="The stipends could not be loaded"
          message={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : null}
      {first && rows.length > 0 ? (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <StatCard label="Total earned" value={formatCents(first.totals.earnedCents)} note="Approved and paid weeks" />
          <StatCard label="Paid so far" value={formatCents(first.totals.paidCents)} note="Confirmed payments" />
        </SimpleGrid>
      ) : null}
      {first && rows.length === 0 ? (
        <Card>
          <EmptyState title="No weeks yet">
            Weeks of a fellowship show here from the first day of its programme on, each with what it still needs.
          </EmptyState>
        </Card>
      ) : null}
      {rows.map((week) => (
        <OwnStipendWeek key={`${week.cohortId} ${week.weekNumber}`} week={week} canAsk={first?.can.ask ?? false} />
      ))}
      <NextPageButton list={list} />
    </Stack>
  );
}
