import { Box, Grid, Group, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, WifiOff } from 'lucide-react';
import { type ParticipantDashboard, readParticipantDashboard } from '#contract/home.ts';
import { presentWeekStanding } from '#contract/own-week-standing.ts';
import { ApiError } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { formatDay } from '../../ui/dates.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { participantSteps } from './first-steps.ts';
import { ParticipantCoaching } from './ParticipantCoaching.tsx';
import { ParticipantDeadlines } from './ParticipantDeadlines.tsx';
import { FoldedFigures, ParticipantFigures } from './ParticipantFigures.tsx';
import { ParticipantNextStep } from './ParticipantNextStep.tsx';
import { ParticipantOffline } from './ParticipantOffline.tsx';
import { ParticipantPendingActivities } from './ParticipantPendingActivities.tsx';
import { ParticipantQuickActions } from './ParticipantQuickActions.tsx';
import { ParticipantRecentWeeks } from './ParticipantRecentWeeks.tsx';
import { ParticipantStipend } from './ParticipantStipend.tsx';
import { ParticipantWeekPanel } from './ParticipantWeekPanel.tsx';
import { ParticipantWithoutCohort } from './ParticipantWithoutCohort.tsx';
import { useKeptPicture } from './picture/keep.ts';
import type { Retry } from './SectionNotLoaded.tsx';

/** What do I do next, and will I be paid this week? One request fills the screen. */
export function ParticipantDashboardPage() {
  const dashboard = useQuery(queryFor(readParticipantDashboard));
  useKeptPicture(readParticipantDashboard, dashboard);
  const retry: Retry = { onRetry: () => void dashboard.refetch(), isRetrying: dashboard.isFetching };
  return (
    <>
      <PageHeader
        title="Fellowship Dashboard"
        lead={<Lead dashboard={dashboard.data} isOffline={dashboard.isError} />}
      />
      <Loaded
        read={dashboard}
        failure={{ title: 'Connection Issue', looks: looksOf(dashboard.error) }}
        loading={{ label: 'Loading your dashboard', cards: 4, rows: 5 }}
        instead={{
          words: "We could not load your dashboard. Figures marked 'Not loaded' are placeholders.",
          shown: <ParticipantOffline retry={retry} />,
        }}
      >
        {(data) => <Dashboard dashboard={data} retry={retry} />}
      </Loaded>
    </>
  );
}

function Lead({ dashboard, isOffline }: { dashboard: ParticipantDashboard | undefined; isOffline: boolean }) {
  if (!dashboard) return isOffline ? 'Week 1 (your week is not loaded)' : 'Your week at a glance';
  const { cohort, week, today, stipend } = dashboard;
  if (!cohort || !week) return null;
  // A phone shows the panel about the week's pay further down.
  const pay = stipend && presentWeekStanding(stipend, today);
  const hasStarted = cohort.startDate <= today;
  return (
    <Stack gap={6} align="flex-start">
      <span>
        {hasStarted ? (
          <b>
            Week {week.number} of {cohort.calendar.weeks}
          </b>
        ) : (
          <b>Your program starts on {formatDay(cohort.startDate)}</b>
        )}{' '}
        · {formatDay(week.firstDay)} to {formatDay(week.lastDay)}
        {cohort.endDate < today ? ' · the program has ended' : ''}
      </span>
      <Group gap={6}>
        {pay ? (
          <Box hiddenFrom="md">
            <StatusBadge tone={pay.color}>{pay.label}</StatusBadge>
          </Box>
        ) : null}
        {week.holiday ? (
          // On a phone, the week's own panel names it.
          <Box {...(pay ? { visibleFrom: 'md' } : {})}>
            <StatusBadge tone="info">{week.holiday} is in this week</StatusBadge>
          </Box>
        ) : null}
      </Group>
    </Stack>
  );
}

function Dashboard({ dashboard, retry }: { dashboard: ParticipantDashboard; retry: Retry }) {
  const { cohort, week, stipend, coaching, notLoaded } = dashboard;
  const isNarrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false });
  if (!cohort || !week) return <ParticipantWithoutCohort coaching={coaching} retry={retry} />;
  const thisWeek = (
    <ParticipantWeekPanel
      thisWeek={dashboard.thisWeek}
      activities={dashboard.weekActivities}
      week={week}
      cohortName={cohort.name}
      isPaid={stipend !== null}
    />
  );
  const deadlines = (
    <ParticipantDeadlines
      deadlines={dashboard.deadlines}
      assignments={dashboard.openAssignments}
      today={dashboard.today}
      isFolded={isNarrow}
    />
  );
  const ofStipend = (
    <ParticipantStipend
      stipend={stipend}
      week={week}
      today={dashboard.today}
      isNotLoaded={notLoaded.includes('stipend')}
      retry={retry}
    />
  );
  const recentWeeks = stipend ? (
    <ParticipantRecentWeeks
      weeks={stipend.recentWeeks}
      place={{
        today: dashboard.today,
        present: stipend.present.weekNumber,
        isOutOfReach: stipend.isOutOfReach,
      }}
      isFolded={isNarrow}
    />
  ) : null;
  const pending = (
    <ParticipantPendingActivities
      activities={dashboard.pendingActivities}
      today={dashboard.today}
      isFolded={isNarrow}
    />
  );
  const steps = participantSteps(dashboard);
  const firstSteps = steps.length > 0 ? <FirstSteps steps={steps} /> : null;
  const ofCoaching = <ParticipantCoaching coaching={coaching} retry={retry} isFolded={isNarrow} />;
  const quickActions = <ParticipantQuickActions weekNumber={week.number} isFolded={isNarrow} />;
  return (
    <Stack gap={isNarrow ? 'md' : 'lg'}>
      <ParticipantNextStep nextStep={dashboard.nextStep} today={dashboard.today} />
      {isNarrow ? null : <ParticipantFigures dashboard={dashboard} />}
      {isNarrow ? (
        <>
          {thisWeek}
          {ofStipend}
          {firstSteps}
          <Stack gap="xs">
            {deadlines}
            {pending}
            {ofCoaching}
            {recentWeeks}
            <FoldedFigures dashboard={dashboard} />
            {quickActions}
          </Stack>
        </>
      ) : (
        <Grid gap="lg">
          <Grid.Col span={7}>
            <Stack gap="lg">
              {ofStipend}
              {pending}
              {recentWeeks}
              {quickActions}
            </Stack>
          </Grid.Col>
          <Grid.Col span={5}>
            <Stack gap="lg">
              {firstSteps}
              {thisWeek}
              {deadlines}
              {ofCoaching}
            </Stack>
          </Grid.Col>
        </Grid>
      )}
    </Stack>
  );
}

/** FELL-28: a warning. The cut connection is only for a server that was not reached. */
function looksOf(error: unknown) {
  const Icon = error instanceof ApiError && error.code === 'network' ? WifiOff : CircleAlert;
  return { color: 'yellow', icon: <Icon size={18} aria-hidden /> };
}
