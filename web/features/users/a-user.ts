import type { User } from '#contract/user-management.ts';

/** For tests: a participant in no cohort. An admin may change, delete and enroll them. */
export const aUser: User = {
  id: '00000000-0000-7000-8000-000000000002',
  firstName: 'Robin',
  lastName: 'Reyes',
  email: 'robin@people.example',
  role: 'participant',
  trackType: 'fellowship',
  kindName: null,
  createdAt: '2026-01-05T12:00:00Z',
  lastSignInAt: null,
  isEmailConfirmed: true,
  invitation: null,
  cohorts: [],
  coach: null,
  coachedCount: 0,
  sessionsToCome: 0,
  version: 3,
  can: { changeRole: true, delete: true, enrol: true, resendInvitation: false },
};
