import { Autocomplete, Select, TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { ResourceInput, ResourceType } from '#contract/resources.ts';
import { TrackType } from '#contract/roles.ts';
import { LongText, WholeLine } from '../../ui/LongText.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { optionsOf, programNames, typeNames } from './resource-words.ts';
import type { Programs } from './use-programs.ts';
import type { ResourceForm } from './use-resource-form.ts';

interface FieldProps {
  form: ResourceForm;
  onKeyDown?: (event: KeyboardEvent) => void;
  /** The heading of the column is the field's label. */
  isInColumn?: boolean;
}

/** A field in a column is small, so that the whole row fits beside the navigation. */
const labelled = (label: string, miw: number, isInColumn = false) =>
  isInColumn ? ({ 'aria-label': label, size: 'xs', miw } as const) : { label };

export function TitleField({ form, onKeyDown }: FieldProps) {
  return (
    <TextInput
      id={form.idOf('title')}
      label="Title"
      required
      maxLength={limitOf(ResourceInput, 'title')}
      autoComplete="off"
      data-autofocus
      value={form.draft.title}
      error={form.errors.title}
      onChange={({ currentTarget }) => form.set({ title: currentTarget.value })}
      onKeyDown={onKeyDown}
    />
  );
}

export function DescriptionField({ form, onKeyDown }: FieldProps) {
  return (
    <LongText
      id={form.idOf('description')}
      label="Description"
      maxLength={limitOf(ResourceInput, 'description')}
      autosize
      minRows={2}
      maxRows={8}
      value={form.draft.description}
      error={form.errors.description}
      onChange={({ currentTarget }) => form.set({ description: currentTarget.value })}
      onKeyDown={onKeyDown}
    />
  );
}

export function FileUrlField({ form, onKeyDown }: FieldProps) {
  return (
    <WholeLine
      id={form.idOf('fileUrl')}
      type="url"
      inputMode="url"
      label="File URL"
      placeholder="https://"
      required
      maxLength={limitOf(ResourceInput, 'fileUrl')}
      autoComplete="off"
      value={form.draft.fileUrl}
      error={form.errors.fileUrl}
      onChange={({ currentTarget }) => form.set({ fileUrl: currentTarget.value })}
      onKeyDown={onKeyDown}
    />
  );
}

/** RES-16 */
export function FileTypeField({ form, isInColumn }: FieldProps) {
  return (
    <Select
      id={form.idOf('fileType')}
      {...labelled('File Type', 97, isInColumn)}
      required
      data={optionsOf(typeNames)}
      value={form.draft.fileType}
      onChange={(chosen) => form.set({ fileType: ResourceType.parse(chosen) })}
      allowDeselect={false}
    />
  );
}

/** The kind of participants, in the words of the program that the resource is for alone. */
export function ProgramField({ form, isInColumn, programs }: FieldProps & { programs: Programs }) {
  return (
    <Select
      id={form.idOf('program')}
      {...labelled('Program', 120, isInColumn)}
      required
      data={optionsOf(programs.find(form.draft.programmeId)?.kindLabels ?? programNames)}
      value={form.draft.program}
      onChange={(chosen) => form.set({ program: TrackType.parse(chosen) })}
      allowDeselect={false}
    />
  );
}

const everyProgram = 'every';

/** Nothing if there is one program alone, and the resource is for all. */
export function OnlyForField({ form, isInColumn, programs }: FieldProps & { programs: Programs }) {
  const { programmeId } = form.draft;
  if (!(programs.isChoice || programmeId)) return null;
  return (
    <Select
      id={form.idOf('programmeId')}
      {...labelled('Only for', 120, isInColumn)}
      data={[{ value: everyProgram, label: 'All programs' }, ...programs.options]}
      value={programmeId ?? everyProgram}
      description={programs.notLoaded}
      error={form.errors.programmeId}
      onChange={(chosen) => form.set({ programmeId: chosen === everyProgram ? null : chosen })}
      allowDeselect={false}
    />
  );
}

/** Takes any words, and suggests the known modules. */
export function CourseModuleField({ form, isInColumn, knownModules }: FieldProps & { knownModules: string[] }) {
  return (
    <Autocomplete
      id={form.idOf('courseModule')}
      {...labelled('Course Module', 108, isInColumn)}
      placeholder="No module"
      data={knownModules}
      limit={30}
      maxLength={limitOf(ResourceInput, 'courseModule')}
      value={form.draft.courseModule}
      error={form.errors.courseModule}
      onChange={(courseModule) => form.set({ courseModule })}
    />
  );
}
