import type { Programme } from '#contract/learning.ts';
import type { ProgrammeActivity } from '#contract/programme-items.ts';

/** An activity as it stands in the fields of its dialog. */
export interface ProgrammeActivityDraft {
  title: string;
  cohortId: string;
  weekNumber: string;
  sessionDate: string;
  sessionTime: string;
  duration: string;
  durationMinutes: number | '';
  moduleName: string;
  deliveryMedium: string;
  trainingDeliveryMode: string;
  deliveryPartner: string;
  location: string;
  description: string;
  programmes: Programme[];
  isRequired: boolean;
}

export const programmeActivityFieldNames: Record<keyof ProgrammeActivityDraft, string> = {
  title: 'Title',
  cohortId: 'Cohort',
  weekNumber: 'Week',
  sessionDate: 'Session day',
  sessionTime: 'Session time (US Eastern)',
  duration: 'Duration in words',
  durationMinutes: 'Duration in minutes',
  moduleName: 'Module',
  deliveryMedium: 'Delivery medium',
  trainingDeliveryMode: 'Training delivery mode',
  deliveryPartner: 'Delivery partner',
  location: 'Location or meeting link',
  description: 'Description',
  programmes: 'For',
  isRequired: 'Required',
};
export const programmeNames: Record<Programme, string> = {
  fellowship: 'Fellowship',
  amp: 'Adult Mobilization (AMP)',
  fellowship_adjunct: 'Fellowship Adjunct',
  ambassador: 'Ambassador',
};
/** Stands for no cohort among those to choose from. */
export const noCohort = 'none';
export const emptyProgrammeActivity: ProgrammeActivityDraft = {
  title: '',
  cohortId: noCohort,
  weekNumber: '',
  sessionDate: '',
  sessionTime: '',
  duration: '',
  durationMinutes: '',
  moduleName: '',
  deliveryMedium: '',
  trainingDeliveryMode: '',
  deliveryPartner: '',
  location: '',
  description: '',
  programmes: [],
  isRequired: true,
};

export function draftOf(activity: ProgrammeActivity): ProgrammeActivityDraft {
  return {
    title: activity.title,
    cohortId: activity.cohortId ?? noCohort,
    weekNumber: String(activity.weekNumber),
    sessionDate: activity.sessionDate ?? '',
    sessionTime: activity.sessionTime ?? '',
    duration: activity.duration ?? '',
    durationMinutes: activity.durationMinutes ?? '',
    moduleName: activity.moduleName ?? '',
    deliveryMedium: activity.deliveryMedium ?? '',
    trainingDeliveryMode: activity.trainingDeliveryMode ?? '',
    deliveryPartner: activity.deliveryPartner ?? '',
    location: activity.location ?? '',
    description: activity.description ?? '',
    programmes: activity.programmes,
    isRequired: activity.isRequired,
  };
}

/** What is left empty is null. */
export function toInput(draft: ProgrammeActivityDraft): unknown {
  return {
    ...draft,
    cohortId: draft.cohortId === noCohort ? null : draft.cohortId,
    weekNumber: Number(draft.weekNumber),
    sessionDate: draft.sessionDate || null,
    sessionTime: draft.sessionTime.slice(0, 5) || null,
    durationMinutes: draft.durationMinutes === '' ? null : draft.durationMinutes,
    deliveryMedium: draft.deliveryMedium || null,
    trainingDeliveryMode: draft.trainingDeliveryMode || null,
  };
}
