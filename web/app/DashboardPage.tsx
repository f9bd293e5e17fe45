import type { AsyncRouteComponent } from '@tanstack/react-router';
// All dashboards need it, so it comes with the frame around them.
import '#contract/home.ts';
import type { Role } from '#contract/roles.ts';
import { fetchSession, useSignedInUser } from '../api/session.ts';
import { PendingRoleRequest } from '../features/accounts/registration/PendingRoleRequest.tsx';
import { lazyPage } from './lazy-page.ts';

const pages: Record<Role, AsyncRouteComponent<object>> = {
  participant: lazyPage(() => import('../features/home/ParticipantDashboardPage.tsx'), 'ParticipantDashboardPage'),
  coach: lazyPage(() => import('../features/home/CoachDashboardPage.tsx'), 'CoachDashboardPage'),
  admin: lazyPage(() => import('../features/home/AdminDashboardPage.tsx'), 'AdminDashboardPage'),
};

/**
 * Asks for the files of the role's dashboard. Resolves when they are there: a page that waits for a file while it is
 * drawn is shown 300 ms later by React, whenever the file comes.
 */
export async function prepareDashboard(): Promise<void> {
  const { user } = await fetchSession();
  if (user) await pages[user.role].preload?.();
}

/** ROUTE-05 to ROUTE-07: one address for every role's dashboard. */
export function DashboardPage() {
  const Page = pages[useSignedInUser().role];
  return (
    <>
      <PendingRoleRequest />
      <Page />
    </>
  );
}
