import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listCohorts, readCohort } from '#contract/cohorts.ts';
import { deliveryMedia, deliveryModes, moduleNames, type Programme } from '#contract/learning.ts';
import { createActivity, listProgrammeActivities, NewActivity } from '#contract/programme-items.ts';
import { listActivityCohorts } from '#contract/training-activities.ts';
import { addDays } from '#contract/weeks.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDay } from '../../ui/dates.ts';
import { CohortPicker } from './CohortPicker.tsx';
import { SetupDialog } from './SetupDialog.tsx';
import {
  ChecksField,
  ChoiceField,
  DayField,
  LongTextField,
  NumberField,
  SuggestedField,
  SwitchField,
  TextField,
} from './SetupFields.tsx';
import { optionsOf, weekOptions } from './setup-words.ts';
import type { DraftForm } from './use-draft.ts';

interface Draft {
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

const fieldNames: Record<keyof Draft, string> = {
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
const programmeNames: Record<Programme, string> = {
  fellowship: 'Fellowship',
  amp: 'Adult Mobilization (AMP)',
  fellowship_adjunct: 'Fellowship Adjunct',
  ambassador: 'Ambassador',
};
const none = 'none';

interface ActivityDialogProps {
  cohortId: string | null;
  week: number;
  onClose: () => void;
}

export function ActivityDialog({ cohortId, week, onClose }: ActivityDialogProps) {
  const create = useAction(createActivity, {
    success: 'Activity Added',
    failureTitle: 'The activity could not be added',
    refreshes: [listProgrammeActivities, listCohorts, readCohort],
    onSuccess: onClose,
  });
  const initial: Draft = {
    title: '',
    cohortId: cohortId ?? none,
    weekNumber: String(week),
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
    programmes: ['fellowship'],
    isRequired: true,
  };
  return (
    <SetupDialog
      title="Add activity"
      saveLabel="Add activity"
      initial={initial}
      schema={NewActivity}
      toInput={toInput}
      fieldNames={fieldNames}
      saving={{ ...create, run: (body) => create.run({ body }) }}
      onClose={onClose}
    >
      {(form) => <ActivityFields form={form} />}
    </SetupDialog>
  );
}

function ActivityFields({ form }: { form: DraftForm<Draft> }) {
  const { cohortId, weekNumber } = form.draft;
  const choices = useQuery(queryFor(listActivityCohorts));
  const cohort = useQuery({ ...queryFor(readCohort, { params: { id: cohortId } }), enabled: cohortId !== none });
  const days = cohort.data && weekNumber ? weekDays(cohort.data.startDate, Number(weekNumber)) : undefined;
  return (
    <>
      <TextField form={form} name="title" label={fieldNames.title} required maxLength={300} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <CohortPicker
          label={fieldNames.cohortId}
          value={cohortId}
          others={[{ value: none, label: 'Of no cohort, for all' }]}
          isWide
          onChange={(next) => form.set({ cohortId: next })}
        />
        <ChoiceField form={form} name="weekNumber" label={fieldNames.weekNumber} required options={weekOptions} />
        <DayField form={form} name="sessionDate" label={fieldNames.sessionDate} note={days} />
        <DayField form={form} name="sessionTime" label={fieldNames.sessionTime} type="time" />
        <TextField form={form} name="duration" label={fieldNames.duration} maxLength={100} placeholder="2 hours" />
        <NumberField form={form} name="durationMinutes" label={fieldNames.durationMinutes} />
        <SuggestedField
          form={form}
          name="moduleName"
          label={fieldNames.moduleName}
          maxLength={200}
          suggestions={choices.data?.modules ?? [...moduleNames]}
        />
        <ChoiceField
          form={form}
          name="deliveryMedium"
          label={fieldNames.deliveryMedium}
          options={deliveryMedia.map((value) => ({ value, label: value }))}
        />
        <ChoiceField
          form={form}
          name="trainingDeliveryMode"
          label={fieldNames.trainingDeliveryMode}
          options={deliveryModes.map((value) => ({ value, label: value }))}
        />
        <TextField form={form} name="deliveryPartner" label={fieldNames.deliveryPartner} maxLength={200} />
      </SimpleGrid>
      <TextField form={form} name="location" label={fieldNames.location} maxLength={500} />
      <LongTextField form={form} name="description" label={fieldNames.description} maxLength={5000} />
      <ChecksField
        form={form}
        name="programmes"
        label={fieldNames.programmes}
        required
        options={optionsOf(programmeNames)}
      />
      <SwitchField
        form={form}
        name="isRequired"
        label={fieldNames.isRequired}
        note="A required activity counts for the members' progress from now on."
      />
    </>
  );
}

function weekDays(startDate: string, week: number): string {
  const firstDay = addDays(startDate, 7 * (week - 1));
  return `Week ${week}: ${formatDay(firstDay)} to ${formatDay(addDays(firstDay, 6))}.`;
}

function toInput(draft: Draft): unknown {
  return {
    ...draft,
    cohortId: draft.cohortId === none ? null : draft.cohortId,
    weekNumber: Number(draft.weekNumber),
    sessionDate: draft.sessionDate || null,
    sessionTime: draft.sessionTime.slice(0, 5) || null,
    durationMinutes: draft.durationMinutes === '' ? null : draft.durationMinutes,
    deliveryMedium: draft.deliveryMedium || null,
    trainingDeliveryMode: draft.trainingDeliveryMode || null,
  };
}
