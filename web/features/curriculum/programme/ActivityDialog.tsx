import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ActivityFacts } from '#contract/activity-facts.ts';
import { listCohorts, readCohort } from '#contract/cohorts.ts';
import { deliveryMedia, deliveryModes, moduleNames } from '#contract/learning.ts';
import {
  createActivity,
  listProgrammeActivities,
  NewActivity,
  type ProgrammeActivity,
  updateActivity,
} from '#contract/programme-items.ts';
import { listActivityCohorts } from '#contract/training-activities.ts';
import { addDays } from '#contract/weeks.ts';
import { queryFor, refresh } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { formatDay } from '../../../ui/dates.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import type { DraftForm } from '../../../ui/use-draft.ts';
import { SetupDialog } from '../SetupDialog.tsx';
import {
  ChecksField,
  ChoiceField,
  DayField,
  LongTextField,
  NumberField,
  SuggestedField,
  SwitchField,
  TextField,
} from '../SetupFields.tsx';
import { optionsOf, weekOptions } from '../setup-words.ts';
import { CohortPicker } from './CohortPicker.tsx';
import {
  draftOf,
  emptyProgrammeActivity,
  noCohort,
  type ProgrammeActivityDraft,
  programmeActivityFieldNames,
  programmeNames,
  toInput,
} from './programme-activity-draft.ts';

const hiddenMeans = 'For none, it is hidden: participants do not see it and it counts for nobody. What they did stays.';
const lists = [listProgrammeActivities, listCohorts, readCohort];

interface ActivityDialogProps {
  /** Of a new one. */
  cohortId: string | null;
  /** Of a new one. */
  week: number;
  /** As it stood when the edit began; null for a new one. */
  activity: ProgrammeActivity | null;
  onClose: () => void;
}

export function ActivityDialog({ cohortId, week, activity: begun, onClose }: ActivityDialogProps) {
  // By itself: somebody else may have moved it to where the filters of the list leave it out.
  const now = useQuery({
    ...queryFor(listProgrammeActivities, { query: { id: begun?.id } }),
    enabled: begun !== null,
    gcTime: 0,
  });
  const activity = begun && (now.data?.rows[0] ?? begun);
  const create = useAction(createActivity, {
    success: 'Activity Added',
    failureTitle: 'The activity could not be added',
    refreshes: lists,
    onSuccess: onClose,
  });
  const update = useAction(updateActivity, {
    success: 'Activity Saved',
    failureTitle: 'The activity could not be saved',
    refreshes: lists,
    onSuccess: onClose,
    onError: () => void refresh(lists),
  });
  const draft = activity
    ? draftOf(activity)
    : {
        ...emptyProgrammeActivity,
        cohortId: cohortId ?? noCohort,
        weekNumber: String(week),
        programmes: ['fellowship' as const],
      };
  const cohorts = useQuery(queryFor(listActivityCohorts)).data?.cohorts ?? [];
  const { run: _, ...state } = activity ? update : create;
  return (
    <SetupDialog<ProgrammeActivityDraft, ActivityFacts>
      title={activity ? `Edit ${activity.title}` : 'Add activity'}
      saveLabel={activity ? 'Save activity' : 'Add activity'}
      initial={draft}
      current={activity ? { draft, version: activity.version } : undefined}
      schema={activity ? ActivityFacts : NewActivity}
      toInput={toInput}
      fieldNames={programmeActivityFieldNames}
      inWords={(shown, field) => {
        if (field === 'cohortId') return cohorts.find(({ id }) => id === shown.cohortId)?.name ?? 'Unassigned';
        if (field === 'programmes') return shown.programmes.map((name) => programmeNames[name]).join(', ') || 'Nobody';
        if (field === 'isRequired') return shown.isRequired ? 'Yes' : 'No';
        return String(shown[field]) || 'Nothing';
      }}
      saving={{
        ...state,
        run: (facts, version) =>
          activity && version !== null
            ? update.run({ params: { id: activity.id }, body: { ...facts, version } })
            : create.run({ body: facts }),
      }}
      onClose={onClose}
    >
      {(form) => <ActivityFields form={form} mayBeHidden={activity !== null} />}
    </SetupDialog>
  );
}

function ActivityFields({ form, mayBeHidden }: { form: DraftForm<ProgrammeActivityDraft>; mayBeHidden: boolean }) {
  const { cohortId, weekNumber } = form.draft;
  const choices = useQuery(queryFor(listActivityCohorts));
  const cohort = useQuery({ ...queryFor(readCohort, { params: { id: cohortId } }), enabled: cohortId !== noCohort });
  const days = cohort.data && weekNumber ? weekDays(cohort.data.startDate, Number(weekNumber)) : undefined;
  return (
    <>
      <TextField
        form={form}
        name="title"
        label={programmeActivityFieldNames.title}
        required
        maxLength={limitOf(ActivityFacts, 'title')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <CohortPicker
          label={programmeActivityFieldNames.cohortId}
          value={cohortId}
          others={[{ value: noCohort, label: 'Unassigned (taught to all cohorts)' }]}
          isWide
          onChange={(next) => form.set({ cohortId: next })}
        />
        <ChoiceField
          form={form}
          name="weekNumber"
          label={programmeActivityFieldNames.weekNumber}
          required
          options={weekOptions}
        />
        <DayField form={form} name="sessionDate" label={programmeActivityFieldNames.sessionDate} note={days} />
        <DayField form={form} name="sessionTime" label={programmeActivityFieldNames.sessionTime} type="time" />
        <TextField
          form={form}
          name="duration"
          label={programmeActivityFieldNames.duration}
          maxLength={limitOf(ActivityFacts, 'duration')}
          placeholder="2 hours"
        />
        <NumberField form={form} name="durationMinutes" label={programmeActivityFieldNames.durationMinutes} />
        <SuggestedField
          form={form}
          name="moduleName"
          label={programmeActivityFieldNames.moduleName}
          maxLength={limitOf(ActivityFacts, 'moduleName')}
          suggestions={choices.data?.modules ?? [...moduleNames]}
        />
        <ChoiceField
          form={form}
          name="deliveryMedium"
          label={programmeActivityFieldNames.deliveryMedium}
          options={deliveryMedia.map((value) => ({ value, label: value }))}
        />
        <ChoiceField
          form={form}
          name="trainingDeliveryMode"
          label={programmeActivityFieldNames.trainingDeliveryMode}
          options={deliveryModes.map((value) => ({ value, label: value }))}
        />
        <TextField
          form={form}
          name="deliveryPartner"
          label={programmeActivityFieldNames.deliveryPartner}
          maxLength={limitOf(ActivityFacts, 'deliveryPartner')}
        />
      </SimpleGrid>
      <TextField
        form={form}
        name="location"
        label={programmeActivityFieldNames.location}
        maxLength={limitOf(ActivityFacts, 'location')}
        isLink
      />
      <LongTextField
        form={form}
        name="description"
        label={programmeActivityFieldNames.description}
        maxLength={limitOf(ActivityFacts, 'description')}
      />
      <ChecksField
        form={form}
        name="programmes"
        label={programmeActivityFieldNames.programmes}
        required={!mayBeHidden}
        note={mayBeHidden ? hiddenMeans : undefined}
        options={optionsOf(programmeNames)}
      />
      <SwitchField
        form={form}
        name="isRequired"
        label={programmeActivityFieldNames.isRequired}
        note="A required activity counts for the members' progress from now on."
      />
    </>
  );
}

function weekDays(startDate: string, week: number): string {
  const firstDay = addDays(startDate, 7 * (week - 1));
  return `Week ${week}: ${formatDay(firstDay)} to ${formatDay(addDays(firstDay, 6))}.`;
}
