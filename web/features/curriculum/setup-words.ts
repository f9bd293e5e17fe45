import type { Cohort, CohortStatus, MembershipStatus } from '#contract/cohorts.ts';
import type { DatedKind } from '#contract/programme-copies.ts';
import type { ModuleType } from '#contract/programme-setup.ts';
import type { TrackType } from '#contract/roles.ts';
import { counted } from '../../ui/counted.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

export const programNames: Record<TrackType, string> = {
  fellowship: 'Fellowship',
  adult_mobilization: 'Adult Mobilization',
  self_learner: 'Self Learner',
};

/** What a kind of participants is called in the cohort's program. */
export function kindName({ programme }: Pick<Cohort, 'programme'>, kind: TrackType): string {
  return programme.kinds.find((one) => one.kind === kind)?.label ?? programNames[kind];
}

export const cohortStatuses: Record<CohortStatus, { word: string; tone: Tone }> = {
  planning: { word: 'Planning', tone: 'info' },
  active: { word: 'Active', tone: 'success' },
  completed: { word: 'Completed', tone: 'neutral' },
  cancelled: { word: 'Cancelled', tone: 'danger' },
};

export const membershipStatuses: Record<MembershipStatus, { word: string; tone: Tone }> = {
  active: { word: 'Active', tone: 'success' },
  completed: { word: 'Completed', tone: 'neutral' },
  withdrawn: { word: 'Withdrawn', tone: 'warning' },
};

export const moduleTypeNames: Record<ModuleType, string> = { core: 'Core', specialization: 'Specialization' };

export const datedKindNames: Record<DatedKind, string> = {
  activity: 'Activity',
  content: 'Content due',
  assignment: 'Assignment due',
  requirement: 'Requirement due',
};

const statusNames = wordsOf(cohortStatuses);

export const programOptions = optionsOf(programNames);
export const statusOptions = optionsOf(statusNames);

/** The weeks in which something of a cohort can lie. */
export function weekOptionsOf(weeks: number) {
  return Array.from({ length: weeks }, (_, index) => ({ value: String(index + 1), label: `Week ${index + 1}` }));
}

export function optionsOf<Value extends string>(names: Record<Value, string>) {
  return (Object.keys(names) as Value[]).map((value) => ({ value, label: names[value] }));
}

/** Stands beside 'Unassigned'. An activity without a cohort is taught to every cohort of its audience. */
export function whomItReaches(people: number): string {
  return `Taught to all cohorts · reaches ${counted(people, 'person', 'people')}`;
}

/** The same for several activities, each of which may have its own audience. */
export function whomTheyReach(people: number | undefined): string {
  if (people === undefined) return 'Taught to all cohorts';
  return `Taught to all cohorts · reaches up to ${counted(people, 'person', 'people')}`;
}

function wordsOf<Value extends string>(looks: Record<Value, { word: string }>): Record<Value, string> {
  const entries = Object.entries<{ word: string }>(looks).map(([value, { word }]) => [value, word]);
  return Object.fromEntries(entries) as Record<Value, string>;
}
