import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActivityFacts } from '#contract/activity-facts.ts';
import {
  createActivity,
  listProgrammeActivities,
  NewActivity,
  type ProgrammeActivity,
  updateActivity,
} from '#contract/programme-items.ts';
import { listActivityCohorts } from '#contract/training-activities.ts';
import { queryFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import type { DraftForm } from '../../../ui/use-form.ts';
import { ActivityField, SessionTime, type SharedField } from '../ActivityField.tsx';
import {
  type ActivityDraft,
  activityFieldNames,
  audienceOptions,
  draftInWords,
  draftOf,
  emptyActivity,
  toInput,
} from '../activity-draft.ts';
import { ChecksField, LongTextField, NumberField, SwitchField } from '../SetupFields.tsx';
import { whomTheyReach } from '../setup-words.ts';
import { SetupEditor } from './SetupEditor.tsx';
import { actOn } from './setup-acts.ts';

const fields = [
  'title',
  'cohortId',
  'weekNumber',
  'sessionDate',
  'sessionTime',
  'duration',
  'durationMinutes',
  'moduleName',
  'deliveryMedium',
  'trainingDeliveryMode',
  'deliveryPartner',
  'location',
  'description',
  'audiences',
  'isRequired',
] as const;
/** A dialog has room for longer names than a row, and shows these fields beside a time and a number of minutes. */
const fieldNames = {
  ...activityFieldNames,
  sessionDate: 'Session day',
  duration: 'Duration in words',
  trainingDeliveryMode: 'Training delivery mode',
  location: 'Location or meeting link',
};
const hiddenMeans =
  'If you choose nobody, we hide it: participants do not see it and it counts for nobody. What they did stays.';

interface ActivityDialogProps {
  /** The cohort of a new activity. */
  cohortId: string | null;
  /** The week of a new activity. */
  week: number;
  /** The activity as it stood when the edit began. Null for a new one. */
  activity: ProgrammeActivity | null;
  onClose: () => void;
}

export function ActivityDialog({ cohortId, week, activity: listed, onClose }: ActivityDialogProps) {
  const [begun] = useState(listed);
  // This reads it alone, because somebody else may have moved it to where the list's filters leave it out.
  const now = useQuery({
    ...queryFor(listProgrammeActivities, { query: { id: begun?.id } }),
    enabled: begun !== null,
    gcTime: 0,
  });
  const activity = begun && (now.data?.rows[0] ?? begun);
  const create = useAction(createActivity, actOn('activity', 'added', onClose));
  const update = useAction(updateActivity, actOn('activity', 'saved', onClose));
  const added = { ...emptyActivity, cohortId: cohortId ?? '', weekNumber: week };
  const { cohorts, audiences, isOnItsWay } = useChoices();
  // A new one is for the first audience of its program.
  const [first] = audienceOptions({ cohorts, audiences }, added);
  const blank = { ...added, audiences: first ? [first.value] : [] };
  // What a new one begins with depends on its program.
  if (begun === null && isOnItsWay) return null;
  return (
    <SetupEditor<ProgrammeActivity, ActivityDraft, ActivityFacts>
      thing="activity"
      row={activity}
      nameOf={({ title }) => title}
      draftOf={(row) => draftOf(row, fields)}
      blank={draftOf(blank, fields)}
      create={create}
      update={update}
      schema={activity ? ActivityFacts : NewActivity}
      toInput={toInput}
      fieldNames={fieldNames}
      inWords={draftInWords(cohorts, audiences)}
      onClose={onClose}
    >
      {(form) => <ActivityFields form={form} begun={begun ?? added} mayBeHidden={activity !== null} />}
    </SetupEditor>
  );
}

function useChoices() {
  const { data, isLoading: isOnItsWay } = useQuery(queryFor(listActivityCohorts));
  return { ...(data ?? { cohorts: [], audiences: [], reachedCount: undefined }), isOnItsWay };
}

interface ActivityFieldsProps {
  form: DraftForm<ActivityDraft>;
  begun: { moduleName: string | null; cohortId: string | null };
  mayBeHidden: boolean;
}

function ActivityFields({ form, begun, mayBeHidden }: ActivityFieldsProps) {
  const choices = useChoices();
  const fieldOf = (name: SharedField) => (
    <ActivityField
      form={form}
      name={name}
      label={fieldNames[name]}
      present={begun}
      reach={whomTheyReach(choices.reachedCount)}
    />
  );
  return (
    <>
      {fieldOf('title')}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {fieldOf('cohortId')}
        {fieldOf('weekNumber')}
        {fieldOf('sessionDate')}
        <SessionTime form={form} label={fieldNames.sessionTime} />
        {fieldOf('duration')}
        <NumberField form={form} name="durationMinutes" label={fieldNames.durationMinutes} />
        {fieldOf('moduleName')}
        {fieldOf('deliveryMedium')}
        {fieldOf('trainingDeliveryMode')}
        {fieldOf('deliveryPartner')}
      </SimpleGrid>
      {fieldOf('location')}
      <LongTextField
        form={form}
        name="description"
        label={fieldNames.description}
        maxLength={limitOf(ActivityFacts, 'description')}
      />
      <ChecksField
        form={form}
        name="audiences"
        label={fieldNames.audiences}
        required={!mayBeHidden}
        note={mayBeHidden ? hiddenMeans : undefined}
        options={audienceOptions(choices, form.draft)}
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
