import { Anchor, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { ExternalLink, Pencil } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { Resource, ResourceOrder } from '#contract/resources.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DeleteItem } from '../../ui/DeleteItem.tsx';
import { formatDay } from '../../ui/dates.ts';
import { Overtaken } from '../../ui/Overtaken.tsx';
import { RowEditButtons } from '../../ui/RowEditButtons.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { editButtonId } from '../../ui/use-row-edit.ts';
import {
  CourseModuleField,
  DescriptionField,
  FileTypeField,
  FileUrlField,
  ProgramField,
  TitleField,
} from './ResourceFields.tsx';
import { ResourceTypeBadge } from './ResourceTypeBadge.tsx';
import { programNames, typeNames } from './resource-words.ts';
import type { ResourceEdit } from './use-resource-edit.ts';
import { draftOf, type ResourceDraft } from './use-resource-form.ts';

const fieldNames: Record<keyof ResourceDraft, string> = {
  title: 'Title',
  description: 'Description',
  fileUrl: 'File URL',
  fileType: 'File Type',
  courseModule: 'Course Module',
  program: 'Program',
};

interface ResourceTableProps {
  rows: Resource[];
  edit: ResourceEdit;
  knownModules: string[];
  onEdit: (resource: Resource) => void;
  /** Ends the edit of the row. */
  onLeave: () => void;
  onDelete: (resource: Resource) => void;
  order: ResourceOrder;
  onOrder: (order: ResourceOrder) => void;
}

/** RES-07, RES-25 */
export function ResourceTable({
  rows,
  edit,
  knownModules,
  onEdit,
  onLeave,
  onDelete,
  order,
  onOrder,
}: ResourceTableProps) {
  const { base, form } = edit;
  const isEdited = ({ id }: Resource) => id === base?.id;
  // A row in edit stays, even if somebody else's change would take it out of the list.
  const shown = base && !rows.some(isEdited) ? [base, ...rows] : rows;
  const columns: Column<Resource, ResourceOrder>[] = [
    {
      key: 'resource',
      label: 'Resource',
      orders: [{ order: 'title', direction: 'ascending' }],
      cell: (row) =>
        isEdited(row) ? <ResourceEditor edit={edit} onLeave={onLeave} /> : <ResourceFacts resource={row} />,
    },
    {
      key: 'type',
      label: 'Type',
      width: 110,
      cell: (row) =>
        isEdited(row) ? <FileTypeField form={form} isInColumn /> : <ResourceTypeBadge type={row.fileType} />,
    },
    {
      key: 'module',
      label: 'Module',
      width: 150,
      cell: (row) =>
        isEdited(row) ? (
          <CourseModuleField form={form} isInColumn knownModules={knownModules} />
        ) : (
          <ModuleName name={row.courseModule} />
        ),
    },
    {
      key: 'program',
      label: 'Program',
      width: 130,
      cell: (row) => (isEdited(row) ? <ProgramField form={form} isInColumn /> : programNames[row.program]),
    },
    {
      key: 'created',
      label: 'Created',
      width: 120,
      orders: [
        { order: 'newest', direction: 'descending' },
        { order: 'oldest', direction: 'ascending' },
      ],
      cell: (row) => <Creation resource={row} />,
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 140,
      cell: (row) =>
        isEdited(row) ? (
          <RowEditButtons edit={edit} />
        ) : (
          <RowActions resource={row} onEdit={onEdit} onDelete={onDelete} />
        ),
    },
  ];
  return (
    <DataTable
      label="Resources"
      columns={columns}
      rows={shown}
      keyOf={({ id }) => id}
      order={order}
      onOrder={onOrder}
    />
  );
}

/** RES-08 */
function ResourceFacts({ resource: { title, description, fileUrl } }: { resource: Resource }) {
  return (
    <Stack gap={4} miw={200} align="flex-start">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {description ? (
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'pre-wrap' }}>
          {description}
        </Text>
      ) : null}
      <Anchor href={fileUrl} target="_blank" rel="noopener noreferrer" size="sm">
        View Resource
        <VisuallyHidden> {title} (opens in a new tab)</VisuallyHidden>{' '}
        <ExternalLink size={13} aria-hidden style={{ verticalAlign: '-2px' }} />
      </Anchor>
    </Stack>
  );
}

/** Enter saves, Esc leaves. */
function ResourceEditor({ edit, onLeave }: { edit: ResourceEdit; onLeave: () => void }) {
  const { form, theirs } = edit;
  const leave = ({ key }: KeyboardEvent) => key === 'Escape' && onLeave();
  const saveOrLeave = (event: KeyboardEvent) => (event.key === 'Enter' ? edit.save() : leave(event));
  return (
    <Stack gap="sm" miw={200}>
      {theirs ? (
        <Overtaken
          own={form.draft}
          theirs={draftOf(theirs)}
          fieldNames={fieldNames}
          inWords={inWords}
          onKeepOwn={edit.keepOwn}
          onTakeTheirs={edit.takeTheirs}
        />
      ) : null}
      <TitleField form={form} onKeyDown={saveOrLeave} />
      <DescriptionField form={form} onKeyDown={leave} />
      <FileUrlField form={form} onKeyDown={saveOrLeave} />
    </Stack>
  );
}

function inWords(draft: ResourceDraft, field: keyof ResourceDraft): string {
  if (field === 'fileType') return typeNames[draft.fileType];
  if (field === 'program') return programNames[draft.program];
  return draft[field] || 'Nothing';
}

/** RES-09 */
function ModuleName({ name }: { name: string | null }) {
  if (!name)
    return (
      <Text size="sm" c="dimmed">
        No module
      </Text>
    );
  return <Text size="sm">{name}</Text>;
}

/** RES-10 */
function Creation({ resource: { createdAt, creator } }: { resource: Resource }) {
  return (
    <>
      <time dateTime={createdAt} style={{ whiteSpace: 'nowrap' }}>
        {formatDay(createdAt, { withYear: true })}
      </time>
      {creator ? (
        <Text size="sm" c="dimmed">
          {creator.firstName} {creator.lastName}
        </Text>
      ) : null}
    </>
  );
}

type RowActionsProps = Pick<ResourceTableProps, 'onEdit' | 'onDelete'> & { resource: Resource };

function RowActions({ resource, onEdit, onDelete }: RowActionsProps) {
  return (
    <Group gap={6} wrap="nowrap">
      <Button
        id={editButtonId(resource.id)}
        variant="default"
        size="compact-sm"
        leftSection={<Pencil size={14} aria-hidden />}
        aria-label={`Edit ${resource.title}`}
        onClick={() => onEdit(resource)}
      >
        Edit
      </Button>
      <RowMenu name={resource.title}>
        <DeleteItem name={resource.title} onDelete={() => onDelete(resource)} />
      </RowMenu>
    </Group>
  );
}
