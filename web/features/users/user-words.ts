import type { CoachChoice } from '#contract/coach-assignment.ts';
import type { Role, TrackType } from '#contract/roles.ts';
import type { User, UserOrder } from '#contract/user-management.ts';

export const roleNames: Record<Role, string> = { participant: 'Participant', coach: 'Coach', admin: 'Admin' };

export const trackNames: Record<TrackType, string> = {
  fellowship: 'Fellowship',
  adult_mobilization: 'Adult Mobilization',
  self_learner: 'Self Learner',
};

export const noTrack = 'No track';

export const orderNames: Record<UserOrder, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'Name, A to Z',
  email: 'Email, A to Z',
  lastSignIn: 'Last sign-in first',
};

export function nameOf({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** What the choice of a coach at an enrolment means for the present one. */
export function coachChoiceMeans(present: User['coach'], chosen: CoachChoice | null): string {
  if (!present) return 'Optional.';
  if (!chosen) return `Optional. Without a choice ${nameOf(present)} stays their coach.`;
  if (chosen.id === present.id) return `${nameOf(present)} is their coach already.`;
  return `Their coach is ${nameOf(present)} now. In the course of the cohort ${nameOf(chosen)} takes over.`;
}

interface Standing {
  role: Role;
  cohorts: { name: string }[];
  coachedCount: number;
}

/** What a new role means for others, before it is saved; null where it means nothing. */
export function roleChangeMeans(user: Standing, role: Role): string | null {
  if (role === user.role) return null;
  const consequences = [
    ...(user.role === 'coach' && user.coachedCount > 0
      ? [`${counted(user.coachedCount, 'participant')} will be without a coach until you assign one.`]
      : []),
    ...(user.role === 'participant' && user.cohorts.length > 0
      ? [`They leave ${user.cohorts.map(({ name }) => name).join(', ')}.`]
      : []),
    ...(user.role !== 'admin' ? ['Coaching sessions to come are cancelled.'] : []),
    'They are told by mail.',
  ];
  return consequences.join(' ');
}
