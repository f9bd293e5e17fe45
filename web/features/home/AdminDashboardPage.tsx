import { Grid, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ClipboardCheck, GraduationCap, Users, UsersRound } from 'lucide-react';
import { type AdminDashboard, readAdminDashboard } from '#contract/home.ts';
import { roles, trackTypes } from '#contract/roles.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StatCard } from '../../ui/StatCard.tsx';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { AdminEnrolBox } from './AdminEnrolBox.tsx';
import { QuickActions, SystemManagement } from './AdminLinks.tsx';
import { AdminQueues } from './AdminQueues.tsx';
import { ParticipantsByTrack, UsersByRole } from './AdminShares.tsx';
import { AdminWeek } from './AdminWeek.tsx';

export function AdminDashboardPage() {
  const dashboard = useQuery(queryFor(readAdminDashboard));
  return (
    <>
      <PageHeader title="Admin Dashboard" lead="How the programme is doing, and what needs a hand." />
      {dashboard.isPending ? <LoadingState label="Loading the dashboard" cards={4} rows={6} /> : null}
      {dashboard.isError ? (
        <ErrorState
          title="The figures could not be loaded"
          message={
            dashboard.data
              ? `${messageOf(dashboard.error)} What you see is from before.`
              : `${messageOf(dashboard.error)} The zeros below stand for nothing until then.`
          }
          onRetry={() => void dashboard.refetch()}
          isRetrying={dashboard.isFetching}
        />
      ) : null}
      {dashboard.isPending ? null : <Figures figures={dashboard.data ?? zeros} isNotLoaded={!dashboard.data} />}
    </>
  );
}

function Figures({ figures, isNotLoaded }: { figures: AdminDashboard; isNotLoaded: boolean }) {
  const { statistics, recentActivity, cohortStats } = figures;
  return (
    <Stack gap="lg" mt={isNotLoaded ? 'lg' : undefined}>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        <StatCard
          label="Total Users"
          value={statistics.totalUsers}
          note={`${recentActivity.newUsersThisWeek} new in the last 7 days`}
          icon={<Users size={18} />}
          isNotLoaded={isNotLoaded}
        />
        <StatCard
          label="Active Cohorts"
          value={statistics.totalCohorts}
          note={`${cohortStats.planning} in planning`}
          icon={<UsersRound size={18} />}
          isNotLoaded={isNotLoaded}
        />
        <StatCard
          label="Active Enrollments"
          value={statistics.totalEnrollments}
          note="In all cohorts"
          icon={<GraduationCap size={18} />}
          isNotLoaded={isNotLoaded}
        />
        <StatCard
          label="Pending Reviews"
          value={statistics.pendingSubmissions}
          note={`${recentActivity.submissionsThisWeek} new in the last 7 days`}
          icon={<ClipboardCheck size={18} />}
          isNotLoaded={isNotLoaded}
        />
      </SimpleGrid>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <AdminQueues figures={figures} isNotLoaded={isNotLoaded} />
            <AdminWeek figures={figures} isNotLoaded={isNotLoaded} />
            <UsersByRole figures={figures} isNotLoaded={isNotLoaded} />
            <ParticipantsByTrack figures={figures} isNotLoaded={isNotLoaded} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <AdminEnrolBox />
            <QuickActions />
            <SystemManagement />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

/** Stands in where the figures could not be read, and is marked as such (ADMIN-20). */
const zeros: AdminDashboard = {
  statistics: { totalUsers: 0, totalCohorts: 0, totalEnrollments: 0, pendingSubmissions: 0 },
  recentActivity: { newUsersThisWeek: 0, submissionsThisWeek: 0 },
  cohortStats: { active: 0, planning: 0 },
  usersByRole: roles.map((role) => ({ role, count: 0 })),
  participantsByTrack: [...trackTypes, null].map((trackType) => ({ trackType, count: 0 })),
  queues: { roleRequests: 0, participantsWithoutCoach: 0, failedImports: 0, stipendsToApprove: 0 },
};
