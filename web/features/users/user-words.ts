import type { CoachChoice } from '#contract/coach-assignment.ts';
import type { CoachReplacement } from '#contract/enrolments.ts';
import type { Role, TrackType } from '#contract/roles.ts';
import type { User, UserOrder } from '#contract/user-management.ts';
import { counted } from '../../ui/counted.ts';

export const roleNames: Record<Role, string> = { participant: 'Participant', coach: 'Coach', admin: 'Admin' };

export const trackNames: Record<TrackType, string> = {
  fellowship: 'Fellowship',
  adult_mobilization: 'Adult Mobilization',
  self_learner: 'Self Learner',
};

export const noTrack = 'No track';

/** What the person's program calls their kind. Nobody without a cohort has a program, so they read the documented word. */
export function kindOf({ trackType, kindName }: Pick<User, 'trackType' | 'kindName'>): string {
  return kindName ?? (trackType ? trackNames[trackType] : noTrack);
}

export const orderNames: Record<UserOrder, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'Name, A to Z',
  email: 'Email, A to Z',
  lastSignIn: 'Last sign-in first',
};

/** The acts upon several people, in the order of their buttons. */
export const peopleActs = ['coach', 'enrol', 'invite'] as const;
export type PeopleAct = (typeof peopleActs)[number];

export const peopleActTitles: Record<PeopleAct, string> = {
  coach: 'Assign a coach',
  enrol: 'Enroll in a cohort',
  invite: 'Send invitations again',
};

export function nameOf({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`;
}

/** Says what the choice of a coach at an enrollment means for the present one. */
export function coachChoiceMeans(present: User['coach'], chosen: CoachChoice | null): string {
  if (!present) return 'Optional.';
  if (!chosen) return `Optional. If you choose nobody, ${nameOf(present)} stays their coach.`;
  if (chosen.id === present.id) return `${nameOf(present)} is their coach already.`;
  return `Their coach is ${nameOf(present)} now. In this cohort, ${nameOf(chosen)} takes over.`;
}

interface Standing {
  role: Role;
  cohorts: { name: string }[];
  coachedCount: number;
  sessionsToCome: number;
}

/** Says what a new role means for others, before it is saved. Null if the role stays the same. */
export function roleChangeMeans(user: Standing, role: Role): string | null {
  if (role === user.role) return null;
  const consequences = [
    ...(user.role === 'coach' && user.coachedCount > 0
      ? [`${counted(user.coachedCount, 'participant')} will be without a coach until you assign one.`]
      : []),
    ...(user.role === 'participant' && user.cohorts.length > 0
      ? [`They leave ${user.cohorts.map(({ name }) => name).join(', ')}.`]
      : []),
    ...cancelledSessions(user),
    'We email them.',
  ];
  return consequences.join(' ');
}

/** Says what happens to booked sessions when a person gets another role or is deleted. Empty if there are none. */
export function cancelledSessions({ sessionsToCome }: Pick<User, 'sessionsToCome'>): string[] {
  if (sessionsToCome === 0) return [];
  const are = sessionsToCome === 1 ? 'is' : 'are';
  return [`${counted(sessionsToCome, 'booked coaching session')} ${are} cancelled.`];
}

/**
 * For each choice, says what happens to the sessions booked with a coach who is replaced. Null for a choice that cannot
 * be made.
 */
export function bookedSessionsWords({ booked, movable, formerCoach }: CoachReplacement, newCoach: CoachChoice) {
  const former = formerCoach ? nameOf(formerCoach) : 'the present coach';
  const next = nameOf(newCoach);
  return {
    label: `${counted(booked, 'session')} booked with ${former}`,
    move:
      movable === 0
        ? null
        : { label: `Move to ${next}, same times`, means: moveMeans(next, movable, booked - movable) },
    keep: { label: `Keep with ${former}`, means: 'They take place as booked.' },
    cancel: {
      label: booked === 1 ? 'Cancel it' : `Cancel all ${booked.toLocaleString('en-US')}`,
      means: movable === 0 ? `${next} is not free at ${booked === 1 ? 'that time' : 'any of these times'}.` : null,
    },
  };
}

function moveMeans(name: string, movable: number, others: number): string {
  if (others === 0) return `${name} is free ${movable === 1 ? 'then' : 'at all of these times'}.`;
  const rest = `The other ${others === 1 ? 'one is' : `${others.toLocaleString('en-US')} are`} cancelled.`;
  return `${name} can take ${movable.toLocaleString('en-US')}. ${rest}`;
}

/** Says what happened to the sessions, for the toast. */
export function settledSessions({ moved, cancelled }: { moved: number; cancelled: number }): string {
  const parts = [
    ...(moved > 0 ? [`${counted(moved, 'session')} moved`] : []),
    ...(cancelled > 0 ? [`${counted(cancelled, 'session')} cancelled`] : []),
  ];
  return parts.length > 0 ? ` ${parts.join(', ')}.` : '';
}
