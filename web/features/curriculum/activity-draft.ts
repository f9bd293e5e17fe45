import type { StoredActivityFacts } from '#contract/activity-facts.ts';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import type { NamedAudience } from '#contract/learning.ts';
import type { ActivityChoices, ActivityCohort } from '#contract/training-activities.ts';

/** An activity's facts as the fields hold them. A missing fact is ''. */
export interface ActivityDraft {
  title: string;
  moduleName: string;
  cohortId: string;
  weekNumber: number | '';
  sessionDate: string;
  sessionTime: string;
  duration: string;
  durationMinutes: number | '';
  trainingDeliveryMode: string;
  deliveryMedium: string;
  deliveryPartner: string;
  location: string;
  description: string;
  audiences: string[];
  isRequired: boolean;
}

export const activityFieldNames: Record<keyof ActivityDraft, string> = {
  title: 'Title',
  moduleName: 'Module',
  cohortId: 'Cohort',
  weekNumber: 'Week',
  sessionDate: 'Session date',
  sessionTime: 'Session time',
  duration: 'Duration',
  durationMinutes: 'Duration in minutes',
  trainingDeliveryMode: 'Delivery mode',
  deliveryMedium: 'Delivery medium',
  deliveryPartner: 'Delivery partner',
  location: 'Location',
  description: 'Description',
  audiences: 'For',
  isRequired: 'Required',
};

export const emptyActivity: ActivityDraft = {
  title: '',
  moduleName: '',
  cohortId: '',
  weekNumber: '',
  sessionDate: '',
  sessionTime: '',
  duration: '',
  durationMinutes: '',
  trainingDeliveryMode: '',
  deliveryMedium: '',
  deliveryPartner: '',
  location: '',
  description: '',
  audiences: [],
  isRequired: true,
};

/** Keeps the order of `fields`, which is the screen's order. So the first error is the one that stands first. */
export function draftOf<Field extends keyof ActivityDraft>(
  activity: Pick<StoredActivityFacts, Field> | Pick<ActivityDraft, Field>,
  fields: readonly Field[],
): Pick<ActivityDraft, Field> {
  return Object.fromEntries(fields.map((field) => [field, activity[field] ?? ''])) as Pick<ActivityDraft, Field>;
}

/** An empty field is sent as null (TRAIN-12). */
export function toInput(draft: Partial<ActivityDraft>): unknown {
  return Object.fromEntries(Object.entries(draft).map(([field, value]) => [field, value === '' ? null : value]));
}

export function draftInWords<Draft extends Partial<ActivityDraft>>(
  cohorts: ActivityCohort[],
  audiences: NamedAudience[] = [],
) {
  return (draft: Draft, field: keyof Draft): string => {
    const value = draft[field];
    if (field === 'cohortId') return cohorts.find(({ id }) => id === value)?.name ?? 'Unassigned';
    if (field === 'audiences') {
      const labelOf = (key: string) => audiences.find((one) => one.key === key)?.label ?? key;
      return draft.audiences?.map(labelOf).join(', ') || 'Nobody';
    }
    if (typeof value === 'boolean') return value ? 'Yes' : 'No';
    return String(value ?? '') || 'Nothing';
  };
}

/** TRAIN-24. The activity's present cohort stays among the choices. */
export function cohortOptions(cohorts: ActivityCohort[], present = '') {
  return cohorts
    .filter(({ id, isTarget }) => isTarget || id === present)
    .map(({ id, name }) => ({ value: id, label: name }));
}

/** The audiences of the cohort's program, or without a cohort of the first one. What was chosen stays among them. */
export function audienceOptions(
  { cohorts, audiences }: Pick<ActivityChoices, 'cohorts' | 'audiences'>,
  { cohortId, audiences: chosen }: Pick<ActivityDraft, 'cohortId' | 'audiences'>,
) {
  const programmeId = cohorts.find(({ id }) => id === cohortId)?.programmeId ?? defaultProgrammeId;
  return audiences
    .filter((one) => one.programmeId === programmeId || chosen.includes(one.key))
    .map(({ key, label }) => ({ value: key, label }));
}
