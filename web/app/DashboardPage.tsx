import { lazy, Suspense } from 'react';
import type { Role } from '#contract/roles.ts';
import { partInTime } from '../api/patience.ts';
import { useSignedInUser } from '../api/session.ts';
import { PendingRoleRequest } from '../features/accounts/registration/PendingRoleRequest.tsx';
import { LoadingState } from '../ui/states.tsx';

const dashboards: Record<Role, ReturnType<typeof lazy>> = {
  participant: lazy(async () => ({
    default: (await partInTime(() => import('../features/home/ParticipantDashboardPage.tsx'))).ParticipantDashboardPage,
  })),
  coach: lazy(async () => ({
    default: (await partInTime(() => import('../features/home/CoachDashboardPage.tsx'))).CoachDashboardPage,
  })),
  admin: lazy(async () => ({
    default: (await partInTime(() => import('../features/home/AdminDashboardPage.tsx'))).AdminDashboardPage,
  })),
};

/** ROUTE-05 to ROUTE-07: one address for every role's dashboard. */
export function DashboardPage() {
  const { role } = useSignedInUser();
  const Dashboard = dashboards[role];
  return (
    <>
      <PendingRoleRequest />
      <Suspense fallback={<LoadingState cards={4} />}>
        <Dashboard />
      </Suspense>
    </>
  );
}
