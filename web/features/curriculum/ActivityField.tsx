import { useQuery } from '@tanstack/react-query';
import { ActivityFacts } from '#contract/activity-facts.ts';
import { readCohort } from '#contract/cohorts.ts';
import { houseZone } from '#contract/house-zone.ts';
import { deliveryMedia, deliveryModes } from '#contract/learning.ts';
import { moduleNames } from '#contract/specified-modules.ts';
import { listActivityCohorts } from '#contract/training-activities.ts';
import { addDays, mostActivityWeeks } from '#contract/weeks.ts';
import { zoneInWords } from '#contract/zones.ts';
import { queryFor } from '../../api/query-for.ts';
import { formatDay } from '../../ui/dates.ts';
import { choicesNotLoaded } from '../../ui/NotLoaded.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import type { DraftForm } from '../../ui/use-form.ts';
import { type ActivityDraft, activityFieldNames, cohortOptions } from './activity-draft.ts';
import { ChoiceField, DayField, NumberField, TextField } from './SetupFields.tsx';

/** The ten facts of TRAIN-09. Both screens that edit an activity show them, each in its own order. */
export const sharedFields = [
  'title',
  'moduleName',
  'weekNumber',
  'sessionDate',
  'duration',
  'trainingDeliveryMode',
  'deliveryMedium',
  'deliveryPartner',
  'location',
  'cohortId',
] as const;
export type SharedField = (typeof sharedFields)[number];
export type SharedDraft = Pick<ActivityDraft, SharedField>;

interface ActivityFieldProps {
  form: Pick<DraftForm<SharedDraft>, 'draft' | 'errors' | 'idOf' | 'set'>;
  name: SharedField;
  label?: string;
  /** The values at the start of the edit. They stay among the choices. */
  present: { moduleName: string | null; cohortId: string | null } | null;
  /** Says whom an activity without a cohort reaches. */
  reach: string | undefined;
}

/** One of an activity's facts, with the same choices and limits on every screen. */
export function ActivityField({ form, name, label = activityFieldNames[name], present, reach }: ActivityFieldProps) {
  switch (name) {
    case 'title':
      return <TextField form={form} name={name} label={label} required maxLength={limitOf(ActivityFacts, name)} />;
    case 'weekNumber':
      return <NumberField form={form} name={name} label={label} required />;
    case 'sessionDate':
      return <SessionDay form={form} label={label} />;
    case 'moduleName':
      return <ModuleChoice form={form} label={label} present={present?.moduleName ?? ''} />;
    case 'cohortId':
      return <CohortChoice form={form} label={label} present={present?.cohortId ?? ''} reach={reach} />;
    case 'trainingDeliveryMode':
      return <ChoiceField form={form} name={name} label={label} options={optionsOf(deliveryModes)} />;
    case 'deliveryMedium':
      return <ChoiceField form={form} name={name} label={label} options={optionsOf(deliveryMedia)} />;
    case 'duration':
      return (
        <TextField
          form={form}
          name={name}
          label={label}
          maxLength={limitOf(ActivityFacts, name)}
          placeholder="2 hours"
        />
      );
    case 'deliveryPartner':
      return <TextField form={form} name={name} label={label} maxLength={limitOf(ActivityFacts, name)} />;
    case 'location':
      return <TextField form={form} name={name} label={label} maxLength={limitOf(ActivityFacts, name)} isLink />;
  }
}

type PartProps = Pick<ActivityFieldProps, 'form'> & { label: string };

/** In a cohort, the day must lie in the activity's week. The server requires it. */
function SessionDay({ form, label }: PartProps) {
  const { cohortId, weekNumber } = form.draft;
  const cohort = useCohort(cohortId);
  const isWeek = weekNumber !== '' && weekNumber >= 1 && weekNumber <= mostActivityWeeks;
  const days = cohort && cohortId && isWeek ? weekDays(cohort.startDate, weekNumber) : undefined;
  return <DayField form={form} name="sessionDate" label={label} note={days} />;
}

/** The time of day is one of the program's zone. Without a cohort it is the first program's. */
export function SessionTime({
  form,
  label,
}: {
  form: Pick<DraftForm<SharedDraft & { sessionTime: string }>, 'draft' | 'errors' | 'idOf' | 'set'>;
  label: string;
}) {
  const zone = useCohort(form.draft.cohortId)?.calendar.zone ?? houseZone;
  return (
    <DayField
      form={form}
      name="sessionTime"
      label={label}
      type="time"
      note={`${zoneInWords(zone, new Date())} time.`}
    />
  );
}

function useCohort(id: string) {
  return useQuery({ ...queryFor(readCohort, { params: { id } }), enabled: id !== '' }).data;
}

/** TRAIN-10 */
function ModuleChoice({ form, label, present }: PartProps & { present: string }) {
  const choices = useQuery(queryFor(listActivityCohorts));
  const modules = choices.data?.modules ?? moduleNames;
  return (
    <ChoiceField
      form={form}
      name="moduleName"
      label={label}
      placeholder="No module"
      options={optionsOf(present && !modules.some((known) => known === present) ? [present, ...modules] : modules)}
      isSearchable
    />
  );
}

function CohortChoice({ form, label, present, reach }: PartProps & { present: string; reach: string | undefined }) {
  const choices = useQuery(queryFor(listActivityCohorts));
  const missing = choicesNotLoaded('the cohorts', choices);
  return (
    <ChoiceField
      form={form}
      name="cohortId"
      label={label}
      placeholder="Unassigned"
      note={missing ?? (form.draft.cohortId ? undefined : reach)}
      options={cohortOptions(choices.data?.cohorts ?? [], present)}
      isSearchable
    />
  );
}

function optionsOf<Value extends string>(values: readonly Value[]) {
  return values.map((value) => ({ value, label: value }));
}

function weekDays(startDate: string, week: number): string {
  const firstDay = addDays(startDate, 7 * (week - 1));
  return `Week ${week}: ${formatDay(firstDay)} to ${formatDay(addDays(firstDay, 6))}.`;
}
