import { Grid, SimpleGrid, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ClipboardCheck, GraduationCap, Users, UsersRound } from 'lucide-react';
import { type AdminDashboard, adminSections, readAdminDashboard } from '#contract/home.ts';
import { roles, trackTypes } from '#contract/roles.ts';
import { queryFor } from '../../api/query-for.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import type { Missing } from '../../ui/NotLoaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StatCard } from '../../ui/StatCard.tsx';
import { AdminCharts, AdminWeeks } from './AdminCharts.tsx';
import { AdminEnrolBox } from './AdminEnrolBox.tsx';
import { QuickActions, SystemManagement } from './AdminLinks.tsx';
import { AdminQueues } from './AdminQueues.tsx';
import { ParticipantsByTrack, UsersByRole } from './AdminShares.tsx';
import { AdminWeek, type MissingOf } from './AdminWeek.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { adminSteps } from './first-steps.ts';
import { useKeptPicture } from './picture/keep.ts';

export function AdminDashboardPage() {
  const dashboard = useQuery(queryFor(readAdminDashboard));
  useKeptPicture(readAdminDashboard, dashboard);
  const retry = { onRetry: () => void dashboard.refetch(), isRetrying: dashboard.isFetching };
  return (
    <>
      <PageHeader title="Admin Dashboard" lead="How the program is doing, and what you need to do." />
      <Loaded
        read={dashboard}
        failure="The figures could not be loaded"
        loading={{ label: 'Loading the dashboard', cards: 4, rows: 6 }}
        // The alert above reads all of them again.
        instead={{ shown: <Figures figures={zeros} retry={{ isRetrying: dashboard.isFetching }} /> }}
      >
        {(figures) => <Figures figures={figures} retry={retry} />}
      </Loaded>
    </>
  );
}

function Figures({ figures, retry }: { figures: AdminDashboard; retry: Missing }) {
  const { statistics, changes, recentActivity, cohortStats, notLoaded } = figures;
  const missingOf: MissingOf = (section) => (notLoaded.includes(section) ? retry : undefined);
  const steps = figures === zeros ? [] : adminSteps(figures);
  // What an admin decides comes first on a phone. The rest says its figure, and opens.
  const isFolded = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const gap = isFolded ? 'md' : 'lg';
  return (
    <Stack gap={gap}>
      {steps.length > 0 ? <FirstSteps steps={steps} /> : null}
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        <StatCard
          label="Total Users"
          value={statistics.totalUsers}
          note={changeInWords(changes.users)}
          icon={<Users size={18} />}
          missing={missingOf('people')}
        />
        <StatCard
          label="Active Cohorts"
          value={statistics.totalCohorts}
          note={`${changeInWords(changes.cohorts)}, ${cohortStats.planning} in planning`}
          icon={<UsersRound size={18} />}
          missing={missingOf('cohorts')}
        />
        <StatCard
          label="Active Enrollments"
          value={statistics.totalEnrollments}
          note={changeInWords(changes.enrollments)}
          icon={<GraduationCap size={18} />}
          missing={missingOf('enrollments')}
        />
        <StatCard
          label="Pending Reviews"
          value={statistics.pendingSubmissions}
          note={`${recentActivity.submissionsThisWeek} handed in during the last 7 days`}
          icon={<ClipboardCheck size={18} />}
          missing={missingOf('submissions')}
        />
      </SimpleGrid>
      <Grid gap={gap}>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap={gap}>
            <AdminQueues figures={figures} missingOf={missingOf} />
            <AdminWeek figures={figures} missingOf={missingOf} isFolded={isFolded} />
            <AdminCharts cohorts={cohortStats.active} isFolded={isFolded} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap={gap}>
            <AdminEnrolBox isFolded={isFolded} />
            <QuickActions isFolded={isFolded} />
            <SystemManagement isFolded={isFolded} />
            <UsersByRole figures={figures} missing={missingOf('people')} isFolded={isFolded} />
            <ParticipantsByTrack figures={figures} missing={missingOf('people')} isFolded={isFolded} />
          </Stack>
        </Grid.Col>
      </Grid>
      <AdminWeeks isFolded={isFolded} />
    </Stack>
  );
}

function changeInWords(change: number): string {
  if (change === 0) return 'No change in 7 days';
  return `${change > 0 ? '+' : '−'}${Math.abs(change)} in 7 days`;
}

/** Stands in, marked as not loaded, if the figures could not be read (ADMIN-20). */
const zeros: AdminDashboard = {
  statistics: { totalUsers: 0, totalCohorts: 0, totalEnrollments: 0, pendingSubmissions: 0 },
  recentActivity: { newUsersThisWeek: 0, submissionsThisWeek: 0 },
  cohortStats: { active: 0, planning: 0 },
  usersByRole: roles.map((role) => ({ role, count: 0 })),
  participantsByTrack: [...trackTypes, null].map((trackType) => ({ trackType, count: 0 })),
  changes: { users: 0, cohorts: 0, enrollments: 0 },
  queues: {
    roleRequests: 0,
    participantsWithoutCoach: 0,
    failedImports: 0,
    stipendsToApprove: 0,
    oldestStipends: null,
    stipendQuestions: 0,
    deliveriesGivenUp: 0,
  },
  notLoaded: [...adminSections],
};
