import { SimpleGrid } from '@mantine/core';
import {
  createRequirement,
  deleteRequirement,
  type Requirement,
  RequirementEdit,
  updateRequirement,
} from '#contract/programme-items.ts';
import { programmeWeek } from '#contract/weeks.ts';
import { useAction } from '../../../api/use-action.ts';
import { formatDay } from '../../../ui/dates.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import type { DraftForm } from '../../../ui/use-form.ts';
import { ChoiceField, DayField, SuggestedField, TextField } from '../SetupFields.tsx';
import { weekOptions } from '../setup-words.ts';
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

interface RequirementDialogProps {
  cohortId: string;
  /** The cohort's start. Null while it is not known. */
  startDate: string | null;
  /** The week of a new requirement. */
  week: number;
  /** The requirement as it stands now. Null for a new one. */
  requirement: Requirement | null;
  onClose: () => void;
}

export function RequirementDialog({ cohortId, startDate, week, requirement, onClose }: RequirementDialogProps) {
  const create = useAction(createRequirement, actOn('requirement', 'added', onClose));
  const update = useAction(updateRequirement, actOn('requirement', 'saved', onClose));
  return (
    <SetupEditor
      thing="requirement"
      row={requirement}
      nameOf={({ title }) => title}
      draftOf={draftOf}
      blank={{ title: '', type: 'assignment', weekNumber: String(week), dueDate: fridayOf(startDate, String(week)) }}
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
            <WeekField form={form} startDate={startDate} />
            <DayField
              form={form}
              name="dueDate"
              label={fieldNames.dueDate}
              required
              note={daysOf(startDate, form.draft.weekNumber)}
            />
          </SimpleGrid>
        </>
      )}
    </SetupEditor>
  );
}

/** A requirement due on the Friday of its week stays due on the Friday of the new one. */
function WeekField({ form, startDate }: { form: DraftForm<Draft>; startDate: string | null }) {
  const set = ({ weekNumber }: { weekNumber: string }) => {
    const { dueDate, weekNumber: before } = form.draft;
    const follows = !dueDate || dueDate === fridayOf(startDate, before);
    form.set({ weekNumber, ...(follows ? { dueDate: fridayOf(startDate, weekNumber) } : {}) });
  };
  return (
    <ChoiceField
      form={{ ...form, set }}
      name="weekNumber"
      label={fieldNames.weekNumber}
      required
      options={weekOptions}
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

function fridayOf(startDate: string | null, week: string): string {
  return startDate && week ? programmeWeek(startDate, Number(week)).lastDay : '';
}

function daysOf(startDate: string | null, week: string): string | undefined {
  if (!startDate || !week) return undefined;
  const { firstDay, lastDay } = programmeWeek(startDate, Number(week));
  return `Week ${week}: ${formatDay(firstDay)} to ${formatDay(lastDay)}.`;
}
