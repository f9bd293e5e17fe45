import { SimpleGrid } from '@mantine/core';
import type { Cohort } from '#contract/cohorts.ts';
import { usualActivityWeeks } from '#contract/default-programme.ts';
import {
  createRequirement,
  deleteRequirement,
  type Requirement,
  RequirementEdit,
  updateRequirement,
} from '#contract/programme-items.ts';
import { programmeWeek, weeksBeyond } from '#contract/weeks.ts';
import { useAction } from '../../../api/use-action.ts';
import { formatDay } from '../../../ui/dates.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import type { DraftForm } from '../../../ui/use-form.ts';
import { ChoiceField, DayField, SuggestedField, TextField } from '../SetupFields.tsx';
import { weekOptionsOf } from '../setup-words.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { SetupEditor } from './SetupEditor.tsx';
import { actOn, actOnNamed } from './setup-acts.ts';

interface Draft {
  title: string;
  type: string;
  weekNumber: string;
  dueDate: string;
}

const fieldNames: Record<keyof Draft, string> = { title: 'Title', type: 'Type', weekNumber: 'Week', dueDate: 'Due' };
const types = ['assignment', 'quiz', 'report', 'reading', 'meeting'];

type Placed = Pick<Cohort, 'startDate' | 'calendar'> | null;

interface RequirementDialogProps {
  cohortId: string;
  /** Null while it is not known. */
  cohort: Placed;
  /** The week of a new requirement. */
  week: number;
  /** The requirement as it stands now. Null for a new one. */
  requirement: Requirement | null;
  onClose: () => void;
}

export function RequirementDialog({ cohortId, cohort, week, requirement, onClose }: RequirementDialogProps) {
  const create = useAction(createRequirement, actOn('requirement', 'added', onClose));
  const update = useAction(updateRequirement, actOn('requirement', 'saved', onClose));
  return (
    <SetupEditor
      thing="requirement"
      row={requirement}
      nameOf={({ title }) => title}
      draftOf={draftOf}
      blank={{ title: '', type: 'assignment', weekNumber: String(week), dueDate: lastDayOf(cohort, String(week)) }}
      create={{ ...create, run: ({ body }) => create.run({ body: { ...body, cohortId } }) }}
      update={update}
      schema={RequirementEdit}
      toInput={toInput}
      fieldNames={fieldNames}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="title"
            label={fieldNames.title}
            required
            maxLength={limitOf(RequirementEdit, 'title')}
          />
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
            <SuggestedField
              form={form}
              name="type"
              label={fieldNames.type}
              required
              maxLength={limitOf(RequirementEdit, 'type')}
              suggestions={types}
            />
            <WeekField form={form} cohort={cohort} />
            <DayField
              form={form}
              name="dueDate"
              label={fieldNames.dueDate}
              required
              note={daysOf(cohort, form.draft.weekNumber)}
            />
          </SimpleGrid>
        </>
      )}
    </SetupEditor>
  );
}

/** A requirement due on the last day of its week stays due on the last day of the new one. */
function WeekField({ form, cohort }: { form: DraftForm<Draft>; cohort: Placed }) {
  const set = ({ weekNumber }: { weekNumber: string }) => {
    const { dueDate, weekNumber: before } = form.draft;
    const follows = !dueDate || dueDate === lastDayOf(cohort, before);
    form.set({ weekNumber, ...(follows ? { dueDate: lastDayOf(cohort, weekNumber) } : {}) });
  };
  return (
    <ChoiceField
      form={{ ...form, set }}
      name="weekNumber"
      label={fieldNames.weekNumber}
      required
      options={weekOptionsOf(cohort ? cohort.calendar.weeks + weeksBeyond : usualActivityWeeks)}
    />
  );
}

export function RemoveRequirement({ requirement, onClose }: { requirement: Requirement; onClose: () => void }) {
  const remove = useAction(deleteRequirement, actOnNamed(requirement.title, 'requirement', 'deleted', onClose));
  return (
    <RemoveDialog
      thing="requirement"
      name={requirement.title}
      staysBecause={null}
      isRunning={remove.isRunning}
      onDelete={() => remove.run({ params: { id: requirement.id } })}
      onClose={onClose}
    >
      Members won't see it or be reminded of it. What they have done stays.
    </RemoveDialog>
  );
}

function draftOf({ title, type, weekNumber, dueDate }: Requirement): Draft {
  return { title, type, weekNumber: weekNumber === null ? '' : String(weekNumber), dueDate };
}

function toInput({ weekNumber, ...draft }: Draft): unknown {
  return { ...draft, weekNumber: Number(weekNumber) };
}

function lastDayOf(cohort: Placed, week: string): string {
  return cohort && week ? programmeWeek(cohort.startDate, Number(week), cohort.calendar).lastDay : '';
}

function daysOf(cohort: Placed, week: string): string | undefined {
  if (!cohort || !week) return undefined;
  const { firstDay, lastDay } = programmeWeek(cohort.startDate, Number(week), cohort.calendar);
  return `Week ${week}: ${formatDay(firstDay)} to ${formatDay(lastDay)}.`;
}
