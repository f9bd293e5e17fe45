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
import { TitleOnPhone, TwoLines } from '../../ui/TwoLines.tsx';
import { editButtonId } from '../../ui/use-row-edit.ts';
import {
  CourseModuleField,
  DescriptionField,
  FileTypeField,
  FileUrlField,
  OnlyForField,
  ProgramField,
  TitleField,
} from './ResourceFields.tsx';
import { ResourceTypeBadge } from './ResourceTypeBadge.tsx';
import { audienceInWords, audienceOf, programNames, typeNames } from './resource-words.ts';
import type { Programs } from './use-programs.ts';
import type { ResourceEdit } from './use-resource-edit.ts';
import { draftOf, type ResourceDraft } from './use-resource-form.ts';

const fieldNames: Record<keyof ResourceDraft, string> = {
  title: 'Title',
  description: 'Description',
  fileUrl: 'File URL',
  fileType: 'File Type',
  courseModule: 'Course Module',
  program: 'Program',
  programmeId: 'Only for',
};

interface ResourceTableProps {
  rows: Resource[];
  edit: ResourceEdit;
  knownModules: string[];
  programs: Programs;
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
  programs,
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
      onPhone: 'first',
      cellOnPhone: ({ title }) => <TitleOnPhone>{title}</TitleOnPhone>,
      orders: [{ order: 'title', direction: 'ascending' }],
      cell: (row) =>
        isEdited(row) ? (
          <ResourceEditor edit={edit} programs={programs} onLeave={onLeave} />
        ) : (
          <ResourceFacts resource={row} />
        ),
    },
    {
      key: 'type',
      label: 'Type',
      width: 121,
      onPhone: 'firstEnd',
      cell: (row) =>
        isEdited(row) ? <FileTypeField form={form} isInColumn /> : <ResourceTypeBadge type={row.fileType} />,
    },
    {
      key: 'module',
      label: 'Module',
      width: 178,
      cell: (row) =>
        isEdited(row) ? (
          <CourseModuleField form={form} isInColumn knownModules={knownModules} />
        ) : (
          <Text size="sm" lh="20px" lineClamp={2} title={row.courseModule ?? undefined}>
            {row.courseModule ?? noModule}
          </Text>
        ),
    },
    {
      key: 'program',
      label: 'Program',
      width: 144,
      onPhone: 'secondRest',
      cellOnPhone: (row) => (
        <TwoLines
          first={<ViewResource resource={row} />}
          second={`${audienceInWords(row)} · ${row.courseModule ?? noModule}`}
        />
      ),
      cell: (row) =>
        isEdited(row) ? (
          <Stack gap={6}>
            <ProgramField form={form} isInColumn programs={programs} />
            <OnlyForField form={form} isInColumn programs={programs} />
          </Stack>
        ) : (
          <Audience resource={row} />
        ),
    },
    {
      key: 'created',
      label: 'Created',
      width: 146,
      orders: [
        { order: 'newest', direction: 'descending' },
        { order: 'oldest', direction: 'ascending' },
      ],
      cell: (row) => <Creation resource={row} />,
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 124,
      onPhone: 'secondEnd',
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
      isCard={isEdited}
      minWidth={940}
      order={order}
      onOrder={onOrder}
    />
  );
}

function Audience({ resource }: { resource: Resource }) {
  const { kind, only } = audienceOf(resource);
  return <TwoLines first={kind} second={only} />;
}

/** RES-08 */
function ResourceFacts({ resource }: { resource: Resource }) {
  const { title, description } = resource;
  return (
    <TwoLines
      first={
        <Text inherit span fw={600} title={title}>
          {title}
        </Text>
      }
      second={
        <>
          <ViewResource resource={resource} />
          {description ? ` · ${description}` : null}
        </>
      }
      secondInFull={description ?? undefined}
    />
  );
}

function ViewResource({ resource: { title, fileUrl } }: { resource: Resource }) {
  return (
    <Anchor href={fileUrl} target="_blank" rel="noopener noreferrer" inherit>
      View Resource
      <VisuallyHidden> {title} (opens in a new tab)</VisuallyHidden>{' '}
      <ExternalLink size={13} aria-hidden style={{ verticalAlign: '-2px' }} />
    </Anchor>
  );
}

/** Enter saves, Esc leaves. */
function ResourceEditor({ edit, programs, onLeave }: Pick<ResourceTableProps, 'edit' | 'programs' | 'onLeave'>) {
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
          inWords={(draft, field) => inWords(draft, field, programs)}
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

function inWords(draft: ResourceDraft, field: keyof ResourceDraft, programs: Programs): string {
  const programme = programs.find(draft.programmeId);
  if (field === 'fileType') return typeNames[draft.fileType];
  if (field === 'program') return (programme?.kindLabels ?? programNames)[draft.program];
  if (field === 'programmeId') return draft.programmeId ? (programme?.name ?? 'Another program') : 'All programs';
  return draft[field] || 'Nothing';
}

/** RES-09 */
const noModule = 'No module';

/** RES-10 */
function Creation({ resource: { createdAt, creator } }: { resource: Resource }) {
  return (
    <TwoLines
      first={<time dateTime={createdAt}>{formatDay(createdAt, { withYear: true })}</time>}
      second={creator ? `${creator.firstName} ${creator.lastName}` : null}
    />
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
