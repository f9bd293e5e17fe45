import { Grid, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { BadgeDollarSign, CalendarCheck, PiggyBank, TrendingUp } from 'lucide-react';
import { type ParticipantDashboard, readParticipantDashboard } from '#contract/home.ts';
import { formatCents } from '#contract/money.ts';
import { programmeWeeks } from '#contract/weeks.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { formatDay } from '../../ui/dates.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StatCard } from '../../ui/StatCard.tsx';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { ParticipantCoaching } from './ParticipantCoaching.tsx';
import { ParticipantDeadlines } from './ParticipantDeadlines.tsx';
import { ParticipantNextStep } from './ParticipantNextStep.tsx';
import { ParticipantPendingActivities } from './ParticipantPendingActivities.tsx';
import { ParticipantQuickActions } from './ParticipantQuickActions.tsx';
import { ParticipantRecentWeeks, ParticipantStipend } from './ParticipantStipend.tsx';
import { ParticipantWeekPanel } from './ParticipantWeekPanel.tsx';
import { ParticipantWithoutCohort } from './ParticipantWithoutCohort.tsx';

/** What do I do next, and will I be paid this week? One request fills the screen. */
export function ParticipantDashboardPage() {
  const { firstName } = useSignedInUser();
  const dashboard = useQuery(queryFor(readParticipantDashboard));
  const week = dashboard.data?.cohort ? dashboard.data.week : null;
  return (
    <>
      <PageHeader
        title="Fellowship Dashboard"
        lead={
          week
            ? `Week ${week.number} of ${programmeWeeks} · ${formatDay(week.firstDay)} to ${formatDay(week.lastDay)}${week.holiday ? ` · ${week.holiday}` : ''}`
            : `Welcome, ${firstName}`
        }
      />
      {dashboard.isPending ? <LoadingState label="Loading your dashboard" cards={4} rows={5} /> : null}
      {dashboard.isError ? (
        <ErrorState
          title="Your dashboard could not be loaded"
          message={`${messageOf(dashboard.error)}${dashboard.data ? ' What you see is from before.' : ''}`}
          onRetry={() => void dashboard.refetch()}
          isRetrying={dashboard.isFetching}
        />
      ) : null}
      {dashboard.data && !dashboard.data.cohort ? <ParticipantWithoutCohort /> : null}
      {dashboard.data?.cohort ? <Week dashboard={dashboard.data} /> : null}
    </>
  );
}

function Week({ dashboard }: { dashboard: ParticipantDashboard }) {
  const { thisWeek, stipend } = dashboard;
  return (
    <Stack gap="lg">
      <ParticipantNextStep nextStep={dashboard.nextStep} />
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        <StatCard
          label="Overall progress"
          value={`${Math.round(dashboard.overallPercentage)}%`}
          note={dashboard.progressStatus.replace('_', ' ')}
          icon={<TrendingUp size={18} />}
        />
        <StatCard
          label="This week's activities"
          value={`${thisWeek.done}/${thisWeek.total}`}
          note={thisWeek.isOnTrack ? 'On track' : 'Not on track'}
          icon={<CalendarCheck size={18} />}
        />
        <StatCard
          label="Total earned"
          value={formatCents(stipend.totalEarnedCents)}
          note="approved and paid weeks"
          icon={<PiggyBank size={18} />}
        />
        <StatCard
          label="Stipend status"
          value={stipend.isEligible ? 'Eligible' : 'Pending'}
          note={`${formatCents(stipend.weeklyCents)} this week`}
          icon={<BadgeDollarSign size={18} />}
        />
      </SimpleGrid>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <ParticipantStipend stipend={stipend} weekNumber={dashboard.week.number} />
            <ParticipantPendingActivities activities={dashboard.pendingActivities} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <ParticipantWeekPanel dashboard={dashboard} />
            <ParticipantDeadlines deadlines={dashboard.deadlines} />
            <ParticipantCoaching coach={dashboard.coach} nextSession={dashboard.nextSession} />
            <ParticipantRecentWeeks weeks={stipend.recentWeeks} />
            <ParticipantQuickActions weekNumber={dashboard.week.number} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
