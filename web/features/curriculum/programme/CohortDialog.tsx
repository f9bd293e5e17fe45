import { SimpleGrid, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type Cohort,
  CohortFacts,
  type CohortStatus,
  createCohort,
  NewCohort,
  updateCohort,
} from '#contract/cohorts.ts';
import { defaultProgrammeId, defaultUnlockedWeeks, specifiedCalendar } from '#contract/default-programme.ts';
import { listProgrammes, type Programme, weekdays } from '#contract/programmes.ts';
import { type TrackType, trackTypes } from '#contract/roles.ts';
import { addDays } from '#contract/weeks.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { choicesNotLoaded } from '../../../ui/NotLoaded.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import type { DraftForm } from '../../../ui/use-form.ts';
import { SetupDialog } from '../SetupDialog.tsx';
import { ChoiceField, DayField, LongTextField, NumberField, TextField } from '../SetupFields.tsx';
import { kindName, programNames, statusOptions } from '../setup-words.ts';

interface CohortDialogProps {
  /** The cohort as it stands now. Null for a new one. */
  cohort: Cohort | null;
  onClose: () => void;
  onAdded?: (id: string) => void;
}

interface Draft {
  programmeId: string;
  name: string;
  description: string;
  programType: TrackType | '';
  startDate: string;
  endDate: string;
  status: CohortStatus | '';
  capacity: number | '';
  unlockedWeeks: number | '';
  curriculumVersion: string;
}

const fieldNames: Record<keyof Draft, string> = {
  name: 'Name',
  description: 'Description',
  programmeId: 'Program',
  programType: 'Kind',
  startDate: 'Start',
  endDate: 'End',
  status: 'Status',
  capacity: 'Places',
  unlockedWeeks: 'Unlocked weeks',
  curriculumVersion: 'Curriculum version',
};
const blank: Draft = {
  programmeId: defaultProgrammeId,
  name: '',
  description: '',
  programType: 'fellowship',
  startDate: '',
  endDate: '',
  status: 'planning',
  capacity: 30,
  unlockedWeeks: defaultUnlockedWeeks,
  curriculumVersion: '1',
};

/** ADMIN-22. A cohort's start moves a whole programme, so it has a dialog of its own. */
export function CohortDialog({ cohort, onClose, onAdded }: CohortDialogProps) {
  const create = useAction(createCohort, {
    success: ({ name }) => ({ title: 'Cohort Added', message: name }),
    failureTitle: 'The cohort could not be added',
    onSuccess: ({ id }) => {
      onClose();
      onAdded?.(id);
    },
  });
  const update = useAction(updateCohort, {
    success: ({ name }) => ({ title: 'Cohort Saved', message: name }),
    failureTitle: 'The cohort could not be saved',
    onSuccess: onClose,
  });
  if (!cohort) {
    return (
      <SetupDialog
        title="Add cohort"
        saveLabel="Add cohort"
        initial={blank}
        schema={NewCohort}
        fieldNames={fieldNames}
        saving={{ ...create, run: (body) => create.run({ body }) }}
        onClose={onClose}
      >
        {(form) => <CohortFields form={form} />}
      </SetupDialog>
    );
  }
  const draft = draftOf(cohort);
  return (
    <SetupDialog
      title={`Edit ${cohort.name}`}
      saveLabel="Save cohort"
      initial={draft}
      current={{ draft, version: cohort.version }}
      schema={CohortFacts}
      fieldNames={fieldNames}
      saving={{
        ...update,
        run: (facts, version) =>
          version === null ? undefined : update.run({ params: { id: cohort.id }, body: { ...facts, version } }),
      }}
      onClose={onClose}
    >
      {(form) => <CohortFields form={form} cohort={cohort} />}
    </SetupDialog>
  );
}

/** What a new cohort takes over from its program. */
type Program = Pick<Programme, 'weeks' | 'daysPerWeek' | 'firstWeekday'> & Partial<Pick<Programme, 'kindLabels'>>;

function CohortFields({ form, cohort = null }: { form: DraftForm<Draft>; cohort?: Cohort | null }) {
  const isNew = cohort === null;
  const programs = useInfiniteQuery({ ...pagesFor(listProgrammes, { query: {} }), enabled: isNew });
  const known = programs.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const program: Program = known.find(({ id }) => id === form.draft.programmeId) ?? {
    ...specifiedCalendar,
    firstWeekday: null,
  };
  const lastDay = usualEnd(form.draft.startDate, program);
  return (
    <>
      <TextField form={form} name="name" label={fieldNames.name} required maxLength={limitOf(CohortFacts, 'name')} />
      <LongTextField
        form={form}
        name="description"
        label={fieldNames.description}
        maxLength={limitOf(CohortFacts, 'description')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {isNew ? (
          <ChoiceField
            form={form}
            name="programmeId"
            label={fieldNames.programmeId}
            required
            options={known.filter(({ isArchived }) => !isArchived).map(({ id, name }) => ({ value: id, label: name }))}
            note={choicesNotLoaded('the programs', programs)}
          />
        ) : null}
        <ChoiceField<'programType', TrackType>
          form={form}
          name="programType"
          label={fieldNames.programType}
          required
          options={trackTypes.map((kind) => ({
            value: kind,
            label: cohort ? kindName(cohort, kind) : (program.kindLabels?.[kind] ?? programNames[kind]),
          }))}
        />
        <ChoiceField<'status', CohortStatus>
          form={form}
          name="status"
          label={fieldNames.status}
          required
          options={statusOptions}
        />
        {isNew ? <StartField form={form} program={program} /> : null}
        <DayField
          form={form}
          name="endDate"
          label={fieldNames.endDate}
          required
          note={isNew && lastDay ? `${program.weeks} weeks end on ${lastDay}.` : undefined}
        />
        <NumberField form={form} name="capacity" label={fieldNames.capacity} required />
        <NumberField
          form={form}
          name="unlockedWeeks"
          label={fieldNames.unlockedWeeks}
          required
          note="Participants open the activities of these weeks."
        />
        <TextField
          form={form}
          name="curriculumVersion"
          label={fieldNames.curriculumVersion}
          required
          maxLength={limitOf(CohortFacts, 'curriculumVersion')}
          note="It decides which modules count for the members."
        />
      </SimpleGrid>
      {isNew ? null : (
        <Text size="sm" c="dimmed">
          Use Move start to change it. It shows every date that moves along.
        </Text>
      )}
    </>
  );
}

/** A start brings the end of a programme of the usual length. */
function StartField({ form, program }: { form: DraftForm<Draft>; program: Program }) {
  const set = ({ startDate }: { startDate: string }) => {
    const isUsual = /^\d{4}-\d{2}-\d{2}$/.test(startDate) && startDate >= '2000-01-01';
    const mayFill = !form.draft.endDate || form.draft.endDate === usualEnd(form.draft.startDate, program);
    form.set({ startDate, ...(isUsual && mayFill ? { endDate: usualEnd(startDate, program) } : {}) });
  };
  const { firstWeekday } = program;
  const note = firstWeekday === null ? 'Usually a Monday.' : `A ${weekdays[firstWeekday]}.`;
  return <DayField form={{ ...form, set }} name="startDate" label={fieldNames.startDate} required note={note} />;
}

/** The last day of the last week. */
function usualEnd(startDate: string, { weeks, daysPerWeek }: Program): string {
  return startDate ? addDays(startDate, 7 * (weeks - 1) + daysPerWeek - 1) : '';
}

function draftOf(cohort: Cohort): Draft {
  const { name, description, programType, startDate, endDate, status, capacity, unlockedWeeks, curriculumVersion } =
    cohort;
  return {
    programmeId: cohort.programme.id,
    ...{ name, description, programType, startDate, endDate, status, capacity, unlockedWeeks, curriculumVersion },
  };
}
