import { deliveryMedia, deliveryModes } from '#contract/learning.ts';
import type { ActivityCohort, TrainingActivity } from '#contract/training-activities.ts';

/** The ten facts as they stand in the fields (TRAIN-09). */
export interface ActivityDraft {
  title: string;
  moduleName: string;
  weekNumber: number | '';
  sessionDate: string;
  duration: string;
  trainingDeliveryMode: string;
  deliveryMedium: string;
  deliveryPartner: string;
  location: string;
  cohortId: string;
}

export const activityFieldNames: Record<keyof ActivityDraft, string> = {
  title: 'Title',
  moduleName: 'Module',
  weekNumber: 'Week',
  sessionDate: 'Session date',
  duration: 'Duration',
  trainingDeliveryMode: 'Delivery mode',
  deliveryMedium: 'Delivery medium',
  deliveryPartner: 'Delivery partner',
  location: 'Location',
  cohortId: 'Cohort',
};

export const emptyActivity: ActivityDraft = {
  title: '',
  moduleName: '',
  weekNumber: '',
  sessionDate: '',
  duration: '',
  trainingDeliveryMode: '',
  deliveryMedium: '',
  deliveryPartner: '',
  location: '',
  cohortId: '',
};

export function draftOfActivity(activity: TrainingActivity): ActivityDraft {
  return {
    title: activity.title,
    moduleName: activity.moduleName ?? '',
    weekNumber: activity.weekNumber,
    sessionDate: activity.sessionDate ?? '',
    duration: activity.duration ?? '',
    trainingDeliveryMode: activity.trainingDeliveryMode ?? '',
    deliveryMedium: activity.deliveryMedium ?? '',
    deliveryPartner: activity.deliveryPartner ?? '',
    location: activity.location ?? '',
    cohortId: activity.cohortId ?? '',
  };
}

/** What is left empty is sent as null (TRAIN-12). */
export function factsOfActivity({ title, weekNumber, ...rest }: ActivityDraft) {
  const others = Object.fromEntries(Object.entries(rest).map(([field, value]) => [field, value || null]));
  return { ...others, title, weekNumber };
}

/** TRAIN-10. What an activity has already stays among the choices. */
export const choices = {
  modules: (modules: string[], present: string) => optionsOf(modules, present),
  modes: (present: string) => optionsOf(deliveryModes, present),
  media: (present: string) => optionsOf(deliveryMedia, present),
  /** TRAIN-24 */
  cohorts: (cohorts: ActivityCohort[], present: string) =>
    cohorts
      .filter(({ id, isTarget }) => isTarget || id === present)
      .map(({ id, name }) => ({ value: id, label: name })),
};

function optionsOf(values: readonly string[], present: string) {
  const all = present && !values.includes(present) ? [present, ...values] : values;
  return all.map((value) => ({ value, label: value }));
}
