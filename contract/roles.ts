import { z } from 'zod';

/** They go from the least to the most power. */
export const roles = ['participant', 'coach', 'admin'] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

/** True if a role can do more than the other one. */
export function isHigherRole(role: Role, other: Role): boolean {
  return roles.indexOf(role) > roles.indexOf(other);
}

export const trackTypes = ['fellowship', 'adult_mobilization', 'self_learner'] as const;
export const TrackType = z.enum(trackTypes);
export type TrackType = z.infer<typeof TrackType>;

const everyone: readonly Role[] = roles;
const participants: readonly Role[] = ['participant'];
const coaches: readonly Role[] = ['coach'];
const reviewers: readonly Role[] = ['coach', 'admin'];
const admins: readonly Role[] = ['admin'];

/**
 * Says which roles hold which permission. This is the only copy. Endpoints and screens both name a permission from
 * here.
 */
export const permissions = {
  /** It covers all that is open to a person whose password somebody else chose. */
  'password.own': everyone,
  /** It adds all that is open to a person who must first set up a second factor. */
  'account.own': everyone,
  'services.use': everyone,
  /** It covers what a person is told, and by which channels. */
  'notices.own': everyone,
  /** It covers the filters of lists that a person keeps for themself. */
  'filters.own': everyone,
  'dashboard.participant': participants,
  'dashboard.coach': coaches,
  'dashboard.admin': admins,
  'activities.read': everyone,
  /** It covers the person's own calendar address, and files for calendar programs. */
  'calendar.own': everyone,
  'attendance.record': participants,
  'attendance.correct': reviewers,
  'attendance.ask': participants,
  'content.tick': participants,
  'assignments.read': everyone,
  'assignments.submit': participants,
  'submissions.read': everyone,
  'submissions.review': reviewers,
  'fellowship.own': participants,
  'tracks.lock': ['participant', 'admin'],
  'progress.read': reviewers,
  'progress.set': reviewers,
  'coaching.book': participants,
  'coaching.run': coaches,
  'performance.rate': coaches,
  /** It covers a person's page and staff's notes: of own participants for coaches, of everybody for admins. */
  'people.read': reviewers,
  'messages.use': everyone,
  'messages.send': ['participant', 'coach'],
  /** It lets admins read what others write to each other. Each time is on record. */
  'messages.monitor': admins,
  /** It covers people, activities, assignments and resources by their names, of those that the person may see. */
  'finding.use': everyone,
  'resources.read': ['participant', 'coach'],
  'files.own': participants,
  'files.upload': everyone,
  'files.read': everyone,
  'stipends.own': participants,
  /** It covers a participant's weeks as they see them, and answers to their questions. */
  'stipends.explain': reviewers,
  'stipends.manage': admins,
  /** It covers what could not be delivered to somebody. */
  'deliveries.manage': admins,
  /** It covers the state of the installation. */
  'status.read': admins,
  'imports.manage': admins,
  'users.manage': admins,
  'audit.read': admins,
  'cohorts.manage': admins,
  'programme.manage': admins,
  'training.manage': admins,
  'content.manage': admins,
  'resources.manage': admins,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

/**
 * 'public' needs no session. 'signed' has a signature in the request instead of a session. 'pending' is for people who
 * have signed in but have not yet given their second factor.
 */
export type Access = 'public' | 'signed' | 'pending' | Permission;

/** Acts that need a fresh proof are open for this long (milliseconds) after a person proved who they are. */
export const freshProofMs = 15 * 60 * 1000;

export function rolesWith(permission: Permission): readonly Role[] {
  return permissions[permission];
}
