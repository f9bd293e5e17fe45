import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { Pencil, Users } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { type ActivityCohort, type TrainingActivity, TrainingActivityFacts } from '#contract/training-activities.ts';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { formatDay } from '../../../ui/dates.ts';
import { Overtaken } from '../../../ui/Overtaken.tsx';
import { RowEditButtons } from '../../../ui/RowEditButtons.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import { editButtonId } from '../../../ui/use-row-edit.ts';
import { ChoiceField, DayField, NumberField, TextField } from '../SetupFields.tsx';
import { whomItReaches } from '../setup-words.ts';
import { activityFieldNames, choices, draftOfActivity } from './activity-draft.ts';
import type { ActivityEdit } from './use-activity-edit.ts';

interface ActivityTableProps {
  rows: TrainingActivity[];
  cohorts: ActivityCohort[];
  modules: string[];
  edit: ActivityEdit;
  isChosen: (id: string) => boolean;
  onToggle: (activity: TrainingActivity) => void;
  onEdit: (activity: TrainingActivity) => void;
  /** Leaves the row that is in edit. */
  onLeave: () => void;
  onAssign: (activity: TrainingActivity) => void;
}

/** TRAIN-02, TRAIN-07, TRAIN-09 */
export function ActivityTable({
  rows,
  cohorts,
  modules,
  edit,
  isChosen,
  onToggle,
  onEdit,
  onLeave,
  onAssign,
}: ActivityTableProps) {
  const { base, form } = edit;
  const isEdited = ({ id }: TrainingActivity) => id === base?.id;
  // A row in edit stays, also where a change of somebody else would take it out of the page.
  const shown = base && !rows.some(isEdited) ? [base, ...rows] : rows;
  const columns: Column<TrainingActivity>[] = [
    {
      key: 'chosen',
      label: 'Select',
      width: 60,
      cell: (row) => (
        <Checkbox
          aria-label={`Select ${row.title}, week ${row.weekNumber}`}
          checked={isChosen(row.id)}
          onChange={() => onToggle(row)}
        />
      ),
    },
    {
      key: 'activity',
      label: 'Activity',
      cell: (row) =>
        isEdited(row) ? (
          <TitleEditor edit={edit} cohorts={cohorts} modules={modules} onLeave={onLeave} />
        ) : (
          <ActivityName activity={row} />
        ),
    },
    {
      key: 'when',
      label: 'When',
      width: 156,
      cell: (row) =>
        isEdited(row) ? (
          <Stack gap="sm" miw={124}>
            <NumberField form={form} name="weekNumber" label="Week" required />
            <DayField form={form} name="sessionDate" label="Session date" />
            <TextField
              form={form}
              name="duration"
              label="Duration"
              maxLength={limitOf(TrainingActivityFacts, 'duration')}
              placeholder="2 hours"
            />
          </Stack>
        ) : (
          <Lines
            first={`Week ${row.weekNumber}`}
            others={[formatDay(row.sessionDate, { withYear: true }), row.duration]}
          />
        ),
    },
    {
      key: 'delivery',
      label: 'Delivery',
      width: 180,
      cell: (row) =>
        isEdited(row) ? (
          <Stack gap="sm" miw={148}>
            <ChoiceField
              form={form}
              name="trainingDeliveryMode"
              label="Delivery mode"
              options={choices.modes(base?.trainingDeliveryMode ?? '')}
            />
            <ChoiceField
              form={form}
              name="deliveryMedium"
              label="Delivery medium"
              options={choices.media(base?.deliveryMedium ?? '')}
            />
            <TextField
              form={form}
              name="deliveryPartner"
              label="Delivery partner"
              maxLength={limitOf(TrainingActivityFacts, 'deliveryPartner')}
            />
          </Stack>
        ) : (
          <Lines others={[row.trainingDeliveryMode, row.deliveryMedium, row.deliveryPartner]} />
        ),
    },
    {
      key: 'place',
      label: 'Cohort and location',
      width: 190,
      cell: (row) =>
        isEdited(row) ? (
          <Stack gap="sm" miw={148}>
            <ChoiceField
              form={form}
              name="cohortId"
              label="Cohort"
              placeholder="Unassigned"
              note={base && !form.draft.cohortId ? whomItReaches(base.reachedCount) : undefined}
              options={choices.cohorts(cohorts, base?.cohortId ?? '')}
              isSearchable
            />
            <TextField
              form={form}
              name="location"
              label="Location"
              maxLength={limitOf(TrainingActivityFacts, 'location')}
              isLink
            />
          </Stack>
        ) : (
          <Lines
            first={row.cohortName ?? 'Unassigned'}
            others={[row.cohortId ? null : whomItReaches(row.reachedCount), row.location]}
          />
        ),
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 120,
      cell: (row) =>
        isEdited(row) ? (
          <RowEditButtons edit={edit} />
        ) : (
          <RowButtons activity={row} onEdit={() => onEdit(row)} onAssign={() => onAssign(row)} />
        ),
    },
  ];
  return <DataTable label="Training activities" columns={columns} rows={shown} keyOf={({ id }) => id} />;
}

function ActivityName({ activity: { title, moduleName } }: { activity: TrainingActivity }) {
  return (
    <Stack gap={2} miw={160} style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="sm" c="dimmed">
        {moduleName ?? 'No module'}
      </Text>
    </Stack>
  );
}

function Lines({ first, others }: { first?: string; others: (string | null)[] }) {
  const filled = others.filter(Boolean);
  return (
    <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
      {first ? <Text size="sm">{first}</Text> : null}
      {filled.map((line) => (
        <Text key={line} size="sm" c="dimmed">
          {line}
        </Text>
      ))}
      {!first && filled.length === 0 ? (
        <Text size="sm" c="dimmed">
          Not set
        </Text>
      ) : null}
    </Stack>
  );
}

interface TitleEditorProps {
  edit: ActivityEdit;
  cohorts: ActivityCohort[];
  modules: string[];
  onLeave: () => void;
}

/** Enter saves, Esc leaves. */
function TitleEditor({ edit, cohorts, modules, onLeave }: TitleEditorProps) {
  const { base, form, theirs } = edit;
  const saveOrLeave = ({ key, target }: KeyboardEvent) => {
    if (!(target instanceof HTMLInputElement) || target.id !== form.idOf('title')) return;
    if (key === 'Enter') edit.save();
    if (key === 'Escape') onLeave();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: It listens for the field inside.
    <div onKeyDown={saveOrLeave}>
      <Stack gap="sm" miw={{ base: 0, sm: 280 }}>
        {theirs ? (
          <Overtaken
            own={form.draft}
            theirs={draftOfActivity(theirs)}
            fieldNames={activityFieldNames}
            inWords={(draft, field) =>
              field === 'cohortId'
                ? (cohorts.find(({ id }) => id === draft.cohortId)?.name ?? 'Unassigned')
                : String(draft[field]) || 'Nothing'
            }
            onKeepOwn={edit.keepOwn}
            onTakeTheirs={edit.takeTheirs}
          />
        ) : null}
        <TextField
          form={form}
          name="title"
          label="Title"
          required
          maxLength={limitOf(TrainingActivityFacts, 'title')}
        />
        <ChoiceField
          form={form}
          name="moduleName"
          label="Module"
          placeholder="No module"
          options={choices.modules(modules, base?.moduleName ?? '')}
          isSearchable
        />
      </Stack>
    </div>
  );
}

interface RowButtonsProps {
  activity: TrainingActivity;
  onEdit: () => void;
  onAssign: () => void;
}

function RowButtons({ activity: { id, title }, onEdit, onAssign }: RowButtonsProps) {
  return (
    <Group gap="xs">
      <Button
        id={editButtonId(id)}
        variant="default"
        size="compact-sm"
        leftSection={<Pencil size={14} aria-hidden />}
        aria-label={`Edit ${title}`}
        onClick={onEdit}
      >
        Edit
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Users size={14} aria-hidden />}
        aria-label={`Assign ${title}`}
        onClick={onAssign}
      >
        Assign
      </Button>
    </Group>
  );
}
