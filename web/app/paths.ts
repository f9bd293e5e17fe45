import type { RegisteredRouter } from '@tanstack/react-router';

/** The address of a screen as web/app/routes.tsx lists it. */
export type ScreenPath = Exclude<keyof RegisteredRouter['routesByPath'], '/$'>;

type ParameterOf<Path extends string> = Path extends `${string}$${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Path extends `${string}$${infer Name}`
    ? Name
    : never;

/** Every link of the product. */
export const paths = {
  login: '/login',
  register: '/register',
  passwordReset: '/password-reset',
  setPassword: '/set-password',
  home: '/',
  dashboard: '/dashboard',
  fellowship: '/fellowship',
  fellowshipDashboard: '/fellowship-dashboard',
  myFiles: '/fellowship/modules',
  messages: '/cohorts',
  coaching: '/coaching',
  coach: '/coach',
  resources: '/resources',
  submissions: '/submissions',
  trainingCalendar: '/training-calendar',
  cohortProgress: '/cohort-progress',
  /** Leads to the members of a cohort who stand so. */
  membersWho: (cohortId: string, standing: string) =>
    `${placeOf('/cohort-progress', {})}?cohort=${cohortId}&standing=${standing}`,
  attendanceCorrections: '/attendance-corrections',
  /** Leads to those that have waited so long, as the next two do. */
  correctionsOfAge: (age: string) => `${placeOf('/attendance-corrections', {})}?age=${age}`,
  questionsOfAge: (age: string) => `${placeOf('/stipend-questions', {})}?age=${age}`,
  reviewsOfAge: (age: string) => `${placeOf('/submissions', {})}?tab=pending&age=${age}`,
  myStipends: '/my-stipends',
  stipendQuestions: '/stipend-questions',
  stipendsOf: (participantId: string) => placeOf('/stipends/$participantId', { participantId }),
  person: (id: string) => placeOf('/people/$personId', { personId: id }),
  notificationPreferences: '/preferences/notifications',
  changePassword: '/change-password',
  accountSecurity: '/account/security',
  admin: '/admin',
  bulkInvitations: '/admin/bulk-invitations',
  contentManagement: '/admin/content-management',
  userManagement: '/admin/user-management',
  createSuperadmin: '/admin/create-superadmin',
  trainingManagement: '/admin/training-management',
  assignParticipants: '/admin/assign-participants',
  resourcesManagement: '/admin/resources-management',
  stipendManagement: '/admin/stipend-management',
  /** Leads to the eligible stipends of a cohort's week that nobody has decided. */
  stipendsToApprove: (week: number, cohortId: string) =>
    `${placeOf('/admin/stipend-management', {})}?week=${week}&cohort=${cohortId}&status=pending&eligibility=eligible`,
  /** Leads to the stipends of a cohort's week, or to those of them that the filters leave. */
  stipendsOfWeek: (week: number, cohortId: string, filters: Record<string, string> = {}) =>
    `${placeOf('/admin/stipend-management', {})}?${new URLSearchParams({ week: String(week), cohort: cohortId, ...filters })}`,
  programmeSetup: '/admin/programme-setup',
  auditLog: '/admin/audit-log',
  import: (id: string) => placeOf('/admin/bulk-invitations/$importId', { importId: id }),
  deliveries: '/admin/deliveries',
  status: '/admin/status',
  activity: (id: string) => placeOf('/activity/$activityId', { activityId: id }),
  assignment: (id: string) => placeOf('/assignment/$assignmentId', { assignmentId: id }),
  /** ASSIGN-07 */
  resubmit: (assignmentId: string, submissionId: string) =>
    `${placeOf('/assignment/$assignmentId', { assignmentId })}?resubmit=${submissionId}`,
  calendarWeek: (week: number) => `${placeOf('/training-calendar', {})}?week=${week}`,
} as const satisfies Record<string, ScreenPath | ((...given: never[]) => string)>;

export function placeOf<Path extends ScreenPath>(path: Path, parameters: Record<ParameterOf<Path>, string>): string {
  return path.replace(/\$(\w+)/g, (_, name: ParameterOf<Path>) => encodeURIComponent(parameters[name]));
}
