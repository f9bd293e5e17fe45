import { z } from 'zod';

/** From the least to the most power. */
export const roles = ['participant', 'coach', 'admin'] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

/** Whether a role can do more than another one. */
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

/** Which roles hold which permission: the only copy. Endpoints and screens both name a permission from here. */
export const permissions = {
  /** All that is open to somebody whose password another person chose. */
  'password.own': everyone,
  /** That, and all that is open to somebody who must set up a second factor first. */
  'account.own': everyone,
  'services.use': everyone,
  /** What one is told, and by which channels. */
  'notices.own': everyone,
  'dashboard.participant': participants,
  'dashboard.coach': coaches,
  'dashboard.admin': admins,
  'activities.read': everyone,
  /** The own calendar address and files for calendar programs. */
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
  'messages.use': everyone,
  'messages.send': ['participant', 'coach'],
  /** Reading what others write to each other, each time on record. */
  'messages.monitor': admins,
  'resources.read': ['participant', 'coach'],
  'files.own': participants,
  'files.upload': everyone,
  'files.read': everyone,
  'stipends.own': participants,
  /** A participant's weeks as they see them, and answers to their questions. */
  'stipends.explain': reviewers,
  'stipends.manage': admins,
  /** What could not be delivered to somebody. */
  'deliveries.manage': admins,
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
 * 'public' needs no session; 'signed' is proven by a signature in the request instead of a session; 'pending' is for
 * people who have signed in but not yet given their second factor.
 */
export type Access = 'public' | 'signed' | 'pending' | Permission;

/** For this long (milliseconds) after somebody proved who they are, acts that need a fresh proof are open. */
export const freshProofMs = 15 * 60 * 1000;

export function rolesWith(permission: Permission): readonly Role[] {
  return permissions[permission];
}
