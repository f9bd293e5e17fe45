import type { AsyncRouteComponent } from '@tanstack/react-router';
import { readAdminDashboard, readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import type { Role } from '#contract/roles.ts';
import { queryClient, queryFor } from '../api/query-for.ts';
import { fetchSession, useSignedInUser } from '../api/session.ts';
import { PendingRoleRequest } from '../features/accounts/registration/PendingRoleRequest.tsx';
import { lazyPage } from './lazy-page.ts';

interface Dashboard {
  Page: AsyncRouteComponent<object>;
  read: () => Promise<void>;
}

const dashboards: Record<Role, Dashboard> = {
  participant: {
    Page: lazyPage(() => import('../features/home/ParticipantDashboardPage.tsx'), 'ParticipantDashboardPage'),
    read: () => queryClient.prefetchQuery(queryFor(readParticipantDashboard)),
  },
  coach: {
    Page: lazyPage(() => import('../features/home/CoachDashboardPage.tsx'), 'CoachDashboardPage'),
    read: () => queryClient.prefetchQuery(queryFor(readCoachDashboard)),
  },
  admin: {
    Page: lazyPage(() => import('../features/home/AdminDashboardPage.tsx'), 'AdminDashboardPage'),
    read: () => queryClient.prefetchQuery(queryFor(readAdminDashboard)),
  },
};

/**
 * Asks for the files of the role's dashboard and for what it shows at once. Resolves when the files are there: a page
 * that waits for a file while it is drawn is shown 300 ms later by React, whenever the file comes.
 */
export async function prepareDashboard({ isWhole }: { isWhole: boolean }): Promise<void> {
  const { user } = await fetchSession();
  if (!user) return;
  const { Page, read } = dashboards[user.role];
  if (isWhole) void read();
  await Page.preload?.();
}

/** ROUTE-05 to ROUTE-07: one address for every role's dashboard. */
export function DashboardPage() {
  const { Page } = dashboards[useSignedInUser().role];
  return (
    <>
      <PendingRoleRequest />
      <Page />
    </>
  );
}
