import { Grid, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, ClipboardList, Percent, Users } from 'lucide-react';
import { type CoachDashboard, readCoachDashboard } from '#contract/home.ts';
import { houseZone } from '#contract/house-zone.ts';
import { zoneInWords } from '#contract/zones.ts';
import { isSignedOut, messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { StatCard } from '../../ui/StatCard.tsx';
import { CoachParticipants } from './CoachParticipants.tsx';
import { CoachPendingReviews } from './CoachPendingReviews.tsx';
import { CoachSessionList } from './CoachSessionList.tsx';
import { CoachWeeksPanel } from './CoachWeeksPanel.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { coachSteps } from './first-steps.ts';
import { useKeptPicture } from './picture/keep.ts';

/** Who needs me today? Shows sessions, then the reviews that wait longest, then the people who fell behind. */
export function CoachOverview() {
  const dashboard = useQuery(queryFor(readCoachDashboard));
  useKeptPicture(readCoachDashboard, dashboard);
  return (
    <Loaded
      read={dashboard}
      failure={{
        title: 'Failed to load dashboard data',
        words: reasonOf(dashboard.error),
      }}
      loading={{ label: 'Loading the dashboard', cards: 4, rows: 6 }}
    >
      {(data) => <Overview dashboard={data} />}
    </Loaded>
  );
}

function Overview({ dashboard }: { dashboard: CoachDashboard }) {
  const { counts, participants, pendingEvaluations, todaysSessions } = dashboard;
  const steps = coachSteps(dashboard);
  return (
    <Stack gap="lg">
      {steps.length > 0 ? <FirstSteps steps={steps} /> : null}
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        <StatCard
          label="My Participants"
          value={counts.participants}
          note="Enrolled with you"
          icon={<Users size={18} />}
        />
        <StatCard
          label="Pending Reviews"
          value={counts.pendingReviews}
          note={counts.pendingReviews === 0 ? 'Nothing to review' : 'To review'}
          icon={<ClipboardList size={18} />}
        />
        <StatCard
          label="Today's Sessions"
          value={counts.todaysSessions}
          note={`${zoneInWords(houseZone, new Date())} day`}
          icon={<CalendarClock size={18} />}
        />
        <StatCard
          label="Completion Rate"
          value={`${counts.completionRate}%`}
          note={counts.participants === 0 ? 'No participants yet' : 'Share with reviewed work'}
          icon={<Percent size={18} />}
        />
      </SimpleGrid>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <CoachSessionList
            title="Your sessions today"
            sessions={todaysSessions}
            emptyText="You have no session today."
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <CoachPendingReviews reviews={pendingEvaluations} total={counts.pendingReviews} />
        </Grid.Col>
      </Grid>
      <CoachParticipants participants={participants} total={counts.participants} />
      {counts.participants > 0 ? <CoachWeeksPanel people={counts.participants} /> : null}
    </Stack>
  );
}

/** COACH-14, COACH-15. For COACH-14, the words of a network failure are already right. */
function reasonOf(error: unknown): string {
  return isSignedOut(error) ? 'Your session has expired. Please log in again.' : messageOf(error);
}
