import { Grid, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, ClipboardList, Percent, Users } from 'lucide-react';
import { readCoachDashboard } from '#contract/home.ts';
import { isSignedOut, messageOf, unreachable } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { StatCard } from '../../ui/StatCard.tsx';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { WeeklyRatings } from '../coaching/WeeklyRatings.tsx';
import { CoachParticipants } from './CoachParticipants.tsx';
import { CoachPendingReviews } from './CoachPendingReviews.tsx';
import { CoachSessionList } from './CoachSessionList.tsx';

export function CoachOverview() {
  const dashboard = useQuery(queryFor(readCoachDashboard));
  if (dashboard.isPending) return <LoadingState label="Loading the dashboard" cards={4} rows={6} />;
  if (!dashboard.data) {
    return (
      <ErrorState
        title="Failed to load dashboard data"
        message={reasonFor(dashboard.error)}
        onRetry={() => void dashboard.refetch()}
        isRetrying={dashboard.isFetching}
      />
    );
  }
  const { counts, participants, pendingEvaluations, todaysSessions } = dashboard.data;
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        <StatCard label="My Participants" value={counts.participants} icon={<Users size={18} />} />
        <StatCard label="Pending Reviews" value={counts.pendingReviews} icon={<ClipboardList size={18} />} />
        <StatCard label="Today's Sessions" value={counts.todaysSessions} icon={<CalendarClock size={18} />} />
        <StatCard
          label="Completion Rate"
          value={`${counts.completionRate}%`}
          note="with reviewed work"
          icon={<Percent size={18} />}
        />
      </SimpleGrid>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <CoachSessionList title="Today's sessions" sessions={todaysSessions} emptyText="No session today." />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <CoachPendingReviews reviews={pendingEvaluations} total={counts.pendingReviews} />
        </Grid.Col>
      </Grid>
      <WeeklyRatings />
      <CoachParticipants participants={participants} />
    </Stack>
  );
}

/** COACH-14, COACH-15 */
function reasonFor(error: unknown): string {
  if (isSignedOut(error)) return 'Your session has expired. Please log in again.';
  const message = messageOf(error);
  return message === unreachable ? unreachable : message;
}
