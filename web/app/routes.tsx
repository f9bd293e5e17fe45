import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { dashboardReads } from '#contract/first-reads.ts';
import { type Role, roles } from '#contract/roles.ts';
import { heldPasswordLink } from '../api/password-hold.ts';
import { partInTime } from '../api/patience.ts';
import { readAhead } from '../api/query-for.ts';
import { fetchSession, fetchSessionOrNobody, requiredPlace, whenLeaving } from '../api/session.ts';
import { expectHeading } from '../ui/page-title.ts';
import { FullPageLoading, LoadingState } from '../ui/states.tsx';
import { ErrorPage, ScreenError } from './ErrorPage.tsx';
import { forgetPerson, lostBySigningOut } from './forget-person.ts';
import { lazyPage } from './lazy-page.ts';
import { SignedOutLayout } from './SignedOutLayout.tsx';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The person who has just registered. The sign-in page tells them what comes next. */
    registeredEmail?: string;
  }
  interface StaticDataRouteOption {
    /** The roles that may open the screen. Without it, every signed-in role may (ROUTE-19). */
    roles?: readonly Role[];
    /** What a person of another role reads (SEC1-10). */
    denied?: string;
    /** ROUTE-17: this screen is for people who are not signed in. */
    isForNobodySignedIn?: boolean;
  }
}

/** Screens read their own search parameters, so the router lets all of them pass. */
const keepSearch = (search: Record<string, unknown>) => search;

const root = createRootRoute({ errorComponent: ErrorPage });

/** A signed-out visitor does not load this part. */
const signedInLayout = lazyPage(() => import('./SignedInLayout.tsx'), 'SignedInLayout');

/** ROUTE-04 */
function stayWherePasswordIsSet(): void {
  const hash = heldPasswordLink();
  if (hash !== null) throw redirect({ to: '/set-password', hash });
}

// TypeScript cannot infer the guards' return types. A redirect's type needs the router, and this code makes the router.
const signedOut = createRoute({
  getParentRoute: () => root,
  id: 'signed-out',
  component: SignedOutLayout,
  beforeLoad: async ({ location }): Promise<void> => {
    const { user } = await fetchSessionOrNobody();
    if (!user) return;
    if (location.pathname !== '/set-password') stayWherePasswordIsSet();
  },
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: signedInLayout,
  pendingComponent: FullPageLoading,
  beforeLoad: async ({ location }): Promise<void> => {
    void signedInLayout.preload?.();
    const session = await fetchSession();
    const required = requiredPlace(session);
    if (!session.user) throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } });
    if (required && location.pathname !== required) throw redirect({ to: required });
    stayWherePasswordIsSet();
  },
});

const account = <const Path extends string, Name extends string, Module extends Record<Name, FunctionComponent>>(
  path: Path,
  load: () => Promise<Module>,
  name: Name,
  { isForNobodySignedIn = false } = {},
) =>
  createRoute({
    getParentRoute: () => signedOut,
    path,
    validateSearch: keepSearch,
    beforeLoad: async ({ cause }): Promise<void> => {
      // ROUTE-17: a screen on which a person signs in takes them on itself, because it knows where they were going.
      if (!isForNobodySignedIn || cause === 'stay') return;
      const { user } = await fetchSessionOrNobody();
      if (user) throw redirect({ to: '/' });
    },
    staticData: { isForNobodySignedIn },
    component: lazyPage(load, name),
  });

interface Guard {
  roles?: readonly Role[];
  denied?: string;
}

const screen = <const Path extends string, Name extends string, Module extends Record<Name, FunctionComponent>>(
  path: Path,
  load: () => Promise<Module>,
  name: Name,
  guard: Guard = {},
  loader?: (place: { location: { search: object } }) => Promise<void>,
) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    validateSearch: keepSearch,
    staticData: guard,
    ...(loader ? { loader } : {}),
    pendingComponent: LoadingState,
    errorComponent: ScreenError,
    component: lazyPage(load, name),
  });

const participants: Guard = { roles: ['participant'] };
const admins = (thing: string): Guard => ({
  roles: ['admin'],
  denied: `You don't have permission to access ${thing}.`,
});

const dashboardPage = () => import('./DashboardPage.tsx');
const dashboard = <const Path extends string>(path: Path) =>
  screen(path, dashboardPage, 'DashboardPage', {}, async ({ location }) => {
    // An address that names a part of a dashboard does not show all of it.
    if (Object.keys(location.search).length === 0) void readDashboardAhead();
    const { prepareDashboard } = await partInTime(dashboardPage);
    await prepareDashboard();
  });

async function readDashboardAhead(): Promise<void> {
  const { user } = await fetchSession();
  if (user) await readAhead(dashboardReads[user.role]);
}

/** ROUTE-16 */
const elsewhere = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: async (): Promise<void> => {
    const { user } = await fetchSession();
    throw redirect({ to: user ? '/' : '/login' });
  },
});

const routeTree = root.addChildren([
  signedOut.addChildren([
    account('/login', () => import('../features/accounts/ways-in/LoginPage.tsx'), 'LoginPage', {
      isForNobodySignedIn: true,
    }),
    account(
      '/confirm-account',
      () => import('../features/accounts/registration/ConfirmAccountPage.tsx'),
      'ConfirmAccountPage',
    ),
    account(
      '/confirm-email',
      () => import('../features/accounts/own-details/ConfirmEmailPage.tsx'),
      'ConfirmEmailPage',
    ),
    account('/login/mail', () => import('../features/accounts/ways-in/MailLinkPage.tsx'), 'MailLinkPage'),
    account('/register', () => import('../features/accounts/registration/RegisterPage.tsx'), 'RegisterPage', {
      isForNobodySignedIn: true,
    }),
    account(
      '/password-reset',
      () => import('../features/accounts/passwords/PasswordResetPage.tsx'),
      'PasswordResetPage',
    ),
    account('/set-password', () => import('../features/accounts/passwords/SetPasswordPage.tsx'), 'SetPasswordPage'),
    account('/first-admin', () => import('../features/accounts/registration/FirstAdminPage.tsx'), 'FirstAdminPage'),
  ]),
  signedIn.addChildren([
    dashboard('/'),
    dashboard('/dashboard'),
    screen('/fellowship', () => import('../features/learning/FellowshipPage.tsx'), 'FellowshipPage', participants),
    screen(
      '/fellowship-dashboard',
      () => import('../features/home/ParticipantDashboardPage.tsx'),
      'ParticipantDashboardPage',
      participants,
    ),
    screen('/fellowship/modules', () => import('../features/files/MyFilesPage.tsx'), 'MyFilesPage', participants),
    screen('/cohorts', () => import('../features/messages/MessagesPage.tsx'), 'MessagesPage', {
      roles,
      denied: 'Communications are only available to coaches, participants, and administrators.',
    }),
    screen('/coaching', () => import('../features/coaching/BookingPage.tsx'), 'BookingPage', participants),
    screen('/coach', () => import('../features/home/CoachDashboardPage.tsx'), 'CoachDashboardPage', {
      roles: ['coach'],
    }),
    screen('/resources', () => import('../features/resources/ResourcesPage.tsx'), 'ResourcesPage', {
      roles: ['participant', 'coach'],
    }),
    screen('/submissions', () => import('../features/submissions/SubmissionsPage.tsx'), 'SubmissionsPage'),
    screen('/training-calendar', () => import('../features/learning/TrainingCalendarPage.tsx'), 'TrainingCalendarPage'),
    screen('/cohort-progress', () => import('../features/learning/CohortProgressPage.tsx'), 'CohortProgressPage', {
      roles: ['coach', 'admin'],
    }),
    screen(
      '/attendance-corrections',
      () => import('../features/learning/AttendanceCorrectionsPage.tsx'),
      'AttendanceCorrectionsPage',
      { roles: ['coach', 'admin'] },
    ),
    screen('/my-stipends', () => import('../features/stipends/MyStipendsPage.tsx'), 'MyStipendsPage', participants),
    screen(
      '/stipends/$participantId',
      () => import('../features/stipends/ParticipantStipendsPage.tsx'),
      'ParticipantStipendsPage',
      { roles: ['coach', 'admin'] },
    ),
    screen('/people/$personId', () => import('../features/people/PersonPage.tsx'), 'PersonPage', {
      roles: ['coach', 'admin'],
    }),
    screen(
      '/stipend-questions',
      () => import('../features/stipends/StipendQuestionsPage.tsx'),
      'StipendQuestionsPage',
      { roles: ['coach', 'admin'] },
    ),
    screen('/activity/$activityId', () => import('../features/learning/ActivityPage.tsx'), 'ActivityPage'),
    screen('/assignment/$assignmentId', () => import('../features/submissions/AssignmentPage.tsx'), 'AssignmentPage'),
    screen(
      '/preferences/notifications',
      () => import('../features/notices/NotificationPreferencesPage.tsx'),
      'NotificationPreferencesPage',
    ),
    screen(
      '/change-password',
      () => import('../features/accounts/passwords/ChangePasswordPage.tsx'),
      'ChangePasswordPage',
    ),
    screen('/account/security', () => import('../features/accounts/SecurityPage.tsx'), 'SecurityPage'),
    screen(
      '/admin',
      () => import('../features/home/AdminDashboardPage.tsx'),
      'AdminDashboardPage',
      admins('the admin dashboard'),
    ),
    screen(
      '/admin/bulk-invitations',
      () => import('../features/imports/BulkInvitationsPage.tsx'),
      'BulkInvitationsPage',
      {
        roles: ['admin'],
        denied: "Access Denied: You don't have permission to access bulk invitations.",
      },
    ),
    screen('/admin/bulk-invitations/$importId', () => import('../features/imports/ImportPage.tsx'), 'ImportPage', {
      roles: ['admin'],
      denied: "Access Denied: You don't have permission to access bulk invitations.",
    }),
    screen(
      '/admin/content-management',
      () => import('../features/curriculum/contents/ContentManagementPage.tsx'),
      'ContentManagementPage',
      admins('content management'),
    ),
    screen(
      '/admin/user-management',
      () => import('../features/users/UserManagementPage.tsx'),
      'UserManagementPage',
      admins('user management'),
    ),
    screen(
      '/admin/create-superadmin',
      () => import('../features/accounts/registration/CreateSuperadminPage.tsx'),
      'CreateSuperadminPage',
      {
        roles: ['admin'],
        denied: 'Only existing administrators can create new superadmin accounts.',
      },
    ),
    screen(
      '/admin/training-management',
      () => import('../features/curriculum/training/TrainingManagementPage.tsx'),
      'TrainingManagementPage',
      admins('training management'),
    ),
    screen(
      '/admin/assign-participants',
      () => import('../features/users/AssignParticipantsPage.tsx'),
      'AssignParticipantsPage',
      admins('participant assignment'),
    ),
    screen(
      '/admin/resources-management',
      () => import('../features/resources/ResourcesManagementPage.tsx'),
      'ResourcesManagementPage',
      admins('resources management'),
    ),
    screen(
      '/admin/stipend-management',
      () => import('../features/stipends/StipendManagementPage.tsx'),
      'StipendManagementPage',
      admins('stipend management'),
    ),
    screen(
      '/admin/programme-setup',
      () => import('../features/curriculum/programme/ProgrammeSetupPage.tsx'),
      'ProgrammeSetupPage',
      admins('program setup'),
    ),
    screen(
      '/admin/deliveries',
      () => import('../features/deliveries/DeliveriesPage.tsx'),
      'DeliveriesPage',
      admins('undelivered messages'),
    ),
    screen(
      '/admin/audit-log',
      () => import('../features/audit/AuditLogPage.tsx'),
      'AuditLogPage',
      admins('the audit log'),
    ),
    screen(
      '/admin/status',
      () => import('../features/operations/StatusPage.tsx'),
      'StatusPage',
      admins('the system status'),
    ),
  ]),
  elsewhere,
]);

whenLeaving({ lost: lostBySigningOut, forget: forgetPerson });

export const router = createRouter({
  routeTree,
  defaultPendingComponent: FullPageLoading,
  defaultPreload: 'intent',
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
});

router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) expectHeading();
});
