import type { Role } from '#contract/roles.ts';
import { navigation } from './navigation.ts';
import { paths, type ScreenPath } from './paths.ts';

interface Screen {
  label: string;
  to: ScreenPath;
}

const corrections = { label: 'Attendance Corrections', to: paths.attendanceCorrections };
const questions = { label: 'Stipend Questions', to: paths.stipendQuestions };
const progress = { label: 'Cohort Progress', to: paths.cohortProgress };

/** What the specified navigation has no entry for. */
export const moreScreens: Record<Role, Screen[]> = {
  participant: [
    { label: 'My Stipends', to: paths.myStipends },
    { label: 'Fellowship Program', to: paths.fellowship },
    { label: 'Coaching Sessions', to: paths.coaching },
  ],
  coach: [progress, corrections, questions],
  admin: [
    { label: 'Programme Setup', to: paths.programmeSetup },
    progress,
    { label: 'Assign Participants', to: paths.assignParticipants },
    { label: 'Undelivered Messages', to: paths.deliveries },
    corrections,
    questions,
    { label: 'Audit Log', to: paths.auditLog },
    { label: 'Status', to: paths.status },
    { label: 'Create Superadmin', to: paths.createSuperadmin },
  ],
};

/** For everybody, below their name. */
const accountScreens: Screen[] = [
  { label: 'Notifications', to: paths.notificationPreferences },
  { label: 'Change Password', to: paths.changePassword },
  { label: 'Sign-in and Security', to: paths.accountSecurity },
];

/** Every screen that a role can be led to by its name. */
export function screensOf(role: Role): Screen[] {
  return [...navigation[role], ...moreScreens[role], ...accountScreens];
}
