import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { Pencil, Users } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { ActivityCohort, TrainingActivity } from '#contract/training-activities.ts';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { formatDay } from '../../../ui/dates.ts';
import { Overtaken } from '../../../ui/Overtaken.tsx';
import { RowEditButtons } from '../../../ui/RowEditButtons.tsx';
import { RowMenu } from '../../../ui/RowMenu.tsx';
import { TitleOnPhone, TwoLines } from '../../../ui/TwoLines.tsx';
import { editButtonId } from '../../../ui/use-row-edit.ts';
import { ActivityField, type SharedField } from '../ActivityField.tsx';
import { activityFieldNames, draftInWords } from '../activity-draft.ts';
import { whomItReaches } from '../setup-words.ts';
import { type ActivityEdit, draftOfRow } from './use-activity-edit.ts';

interface ActivityTableProps {
  rows: TrainingActivity[];
  cohorts: ActivityCohort[];
  edit: ActivityEdit;
  isChosen: (id: string) => boolean;
  onToggle: (activity: TrainingActivity) => void;
  onEdit: (activity: TrainingActivity) => void;
  /** Ends the edit of the row. */
  onLeave: () => void;
  onAssign: (activity: TrainingActivity) => void;
}

/** TRAIN-02, TRAIN-07, TRAIN-09 */
export function ActivityTable({
  rows,
  cohorts,
  edit,
  isChosen,
  onToggle,
  onEdit,
  onLeave,
  onAssign,
}: ActivityTableProps) {
  const { base, form } = edit;
  const isEdited = ({ id }: TrainingActivity) => id === base?.id;
  // A row in edit stays, even if somebody else's change would take it out of the page.
  const shown = base && !rows.some(isEdited) ? [base, ...rows] : rows;
  const fieldOf = (name: SharedField) => (
    <ActivityField form={form} name={name} present={base} reach={base ? whomItReaches(base.reachedCount) : undefined} />
  );
  const columns: Column<TrainingActivity>[] = [
    {
      key: 'activity',
      label: 'Activity',
      onPhone: 'first',
      cellOnPhone: ({ title }) => <TitleOnPhone>{title}</TitleOnPhone>,
      cell: (row) =>
        isEdited(row) ? (
          <TitleEditor edit={edit} cohorts={cohorts} onLeave={onLeave}>
            {fieldOf('title')}
            {fieldOf('moduleName')}
          </TitleEditor>
        ) : (
          <TwoLines first={<b title={row.title}>{row.title}</b>} second={row.moduleName ?? 'No module'} />
        ),
    },
    {
      key: 'when',
      label: 'When',
      width: 222,
      onPhone: 'firstEnd',
      cellOnPhone: ({ weekNumber }) => <Text size="sm">Week {weekNumber}</Text>,
      cell: (row) =>
        isEdited(row) ? (
          <Stack gap="sm" miw={124}>
            {fieldOf('weekNumber')}
            {fieldOf('sessionDate')}
            {fieldOf('duration')}
          </Stack>
        ) : (
          <TwoLines
            first={`Week ${row.weekNumber} · ${formatDay(row.sessionDate, { withYear: true })}`}
            second={row.duration}
          />
        ),
    },
    {
      key: 'place',
      label: 'Cohort and delivery',
      width: 222,
      onPhone: 'secondRest',
      cellOnPhone: (row) => (
        <TwoLines
          first={row.cohortName ?? 'Unassigned'}
          second={[formatDay(row.sessionDate), row.duration].filter(Boolean).join(' · ')}
        />
      ),
      cell: (row) =>
        isEdited(row) ? (
          <Stack gap="sm" miw={148}>
            {fieldOf('cohortId')}
            {fieldOf('trainingDeliveryMode')}
            {fieldOf('deliveryMedium')}
            {fieldOf('deliveryPartner')}
            {fieldOf('location')}
          </Stack>
        ) : (
          <TwoLines first={cohortOf(row)} second={deliveryOf(row)} />
        ),
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 176,
      onPhone: 'secondEnd',
      cellOnPhone: (row) => (
        <Group gap={6} wrap="nowrap">
          <EditButton activity={row} isOnPhone onEdit={() => onEdit(row)} />
          <RowMenu name={row.title}>
            <Menu.Item
              leftSection={<Users size={14} aria-hidden />}
              aria-label={`Assign ${row.title}`}
              onClick={() => onAssign(row)}
            >
              Assign
            </Menu.Item>
          </RowMenu>
        </Group>
      ),
      cell: (row) =>
        isEdited(row) ? (
          <RowEditButtons edit={edit} />
        ) : (
          <RowButtons activity={row} onEdit={() => onEdit(row)} onAssign={() => onAssign(row)} />
        ),
    },
  ];
  return (
    <DataTable
      label="Training activities"
      columns={columns}
      rows={shown}
      keyOf={({ id }) => id}
      isCard={isEdited}
      minWidth={920}
      selection={{
        isChosen: ({ id }) => isChosen(id),
        onChoose: ([activity]) => activity && onToggle(activity),
        nameOf: ({ title, weekNumber }) => `${title}, week ${weekNumber}`,
      }}
    />
  );
}

function cohortOf({ cohortId, cohortName, reachedCount }: TrainingActivity): string {
  return cohortId ? (cohortName ?? '') : `Unassigned · ${whomItReaches(reachedCount)}`;
}

function deliveryOf({ trainingDeliveryMode, deliveryMedium, deliveryPartner, location }: TrainingActivity): string {
  // A mode and a medium may have the same name.
  const facts = new Set([trainingDeliveryMode, deliveryMedium, deliveryPartner, location].filter(Boolean));
  return [...facts].join(' · ') || 'Delivery not set';
}

interface TitleEditorProps {
  edit: ActivityEdit;
  cohorts: ActivityCohort[];
  onLeave: () => void;
  children: ReactNode;
}

/** Enter saves, Esc leaves. */
function TitleEditor({ edit, cohorts, onLeave, children }: TitleEditorProps) {
  const { form, theirs } = edit;
  const saveOrLeave = ({ key, target }: KeyboardEvent) => {
    if (!(target instanceof HTMLInputElement) || target.id !== form.idOf('title')) return;
    if (key === 'Enter') edit.save();
    if (key === 'Escape') onLeave();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: It listens for the field inside.
    <div onKeyDown={saveOrLeave}>
      <Stack gap="sm">
        {theirs ? (
          <Overtaken
            own={form.draft}
            theirs={draftOfRow(theirs)}
            fieldNames={activityFieldNames}
            inWords={draftInWords(cohorts)}
            onKeepOwn={edit.keepOwn}
            onTakeTheirs={edit.takeTheirs}
          />
        ) : null}
        {children}
      </Stack>
    </div>
  );
}

interface RowButtonsProps {
  activity: TrainingActivity;
  onEdit: () => void;
  onAssign: () => void;
}

interface EditButtonProps extends Pick<RowButtonsProps, 'activity' | 'onEdit'> {
  isOnPhone?: boolean;
}

/** On a phone the facts beside it need the room of its picture. */
function EditButton({ activity: { id, title }, isOnPhone = false, onEdit }: EditButtonProps) {
  return (
    <Button
      id={editButtonId(id)}
      variant="default"
      size="compact-sm"
      leftSection={isOnPhone ? null : <Pencil size={14} aria-hidden />}
      aria-label={`Edit ${title}`}
      onClick={onEdit}
    >
      Edit
    </Button>
  );
}

function RowButtons({ activity, onEdit, onAssign }: RowButtonsProps) {
  const { title } = activity;
  return (
    <Group gap={6} wrap="nowrap">
      <EditButton activity={activity} onEdit={onEdit} />
      <Button variant="default" size="compact-sm" aria-label={`Assign ${title}`} onClick={onAssign}>
        Assign
      </Button>
    </Group>
  );
}
