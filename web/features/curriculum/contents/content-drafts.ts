import { z } from 'zod';
import {
  AssignmentInput,
  type assignmentTypes,
  ContentInput,
  type ManagedAssignment,
  type ManagedContent,
} from '#contract/contents.ts';
import type { contentTypes } from '#contract/learning.ts';
import { optionsOf } from '../setup-words.ts';

type ContentType = (typeof contentTypes)[number];
type AssignmentType = (typeof assignmentTypes)[number];

export const contentTypeNames: Record<ContentType, string> = {
  reading: 'Reading',
  video: 'Video',
  assignment: 'Assignment',
  link_task: 'Link task',
  certificate: 'Certificate',
  quiz: 'Quiz',
  project: 'Project',
};

export const assignmentTypeNames: Record<AssignmentType, string> = {
  written_response: 'Written response',
  project_submission: 'Project submission',
  upload_certificate: 'Upload certificate',
  link_task: 'Link task',
  read_material: 'Read material',
  watch_video: 'Watch video',
};

type Options = { value: string; label: string }[];
export const contentTypeOptions: Options = optionsOf(contentTypeNames);
export const assignmentTypeOptions: Options = optionsOf(assignmentTypeNames);

export interface ContentDraft {
  title: string;
  contentType: string;
  orderIndex: number | '';
  estimatedMinutes: number | '';
  isRequired: boolean;
  contentUrl: string;
  contentText: string;
  dueDate: string;
  file: { id: string; name: string } | null;
  /** Says why the form cannot be sent yet. Empty if nothing is chosen, or if the upload is done. */
  uploadProblem: string;
}

export const contentFieldNames: Record<keyof ContentDraft, string> = {
  title: 'Title',
  contentType: 'Content type',
  orderIndex: 'Order',
  estimatedMinutes: 'Estimated minutes',
  isRequired: 'Required',
  contentUrl: 'URL',
  contentText: 'Text content',
  dueDate: 'Due date',
  file: 'File',
  uploadProblem: 'Upload',
};

/** CONT-09 to CONT-12 */
export const newContent: ContentDraft = {
  title: '',
  contentType: 'reading',
  orderIndex: 1,
  estimatedMinutes: 30,
  isRequired: true,
  contentUrl: '',
  contentText: '',
  dueDate: '',
  file: null,
  uploadProblem: '',
};

export function draftOfContent(item: ManagedContent): ContentDraft {
  const { title, contentType, orderIndex, estimatedMinutes, isRequired, contentUrl, contentText, dueDate, file } = item;
  return {
    title,
    contentType,
    orderIndex,
    estimatedMinutes,
    isRequired,
    contentUrl: contentUrl ?? '',
    contentText: contentText ?? '',
    dueDate: dueDate ?? '',
    file: file ? { id: file.id, name: file.name } : null,
    uploadProblem: '',
  };
}

/** CONT-24: nothing is sent while an upload runs, or after it failed. */
export const ContentFormInput: z.ZodType<ContentInput> = z.preprocess((given, context) => {
  const { uploadProblem } = z.looseObject({ uploadProblem: z.string() }).parse(given);
  if (uploadProblem) context.addIssue({ code: 'custom', path: ['uploadProblem'], message: uploadProblem });
  return given;
}, ContentInput);

export function contentInputOf({ file, contentUrl, contentText, dueDate, ...rest }: ContentDraft) {
  return {
    ...rest,
    contentUrl: contentUrl.trim() || null,
    contentText: contentText || null,
    dueDate: dueDate || null,
    fileId: file?.id ?? null,
  };
}

export function contentInWords(draft: ContentDraft, field: keyof ContentDraft): string {
  if (field === 'file') return draft.file?.name ?? 'Nothing';
  if (field === 'contentType') return labelOf(contentTypeOptions, draft.contentType);
  if (field === 'isRequired') return draft.isRequired ? 'Yes' : 'No';
  return String(draft[field]) || 'Nothing';
}

export interface AssignmentDraft {
  contentItemId: string;
  title: string;
  instructions: string;
  assignmentType: string;
  dueDate: string;
  isRequired: boolean;
}

export const assignmentFieldNames: Record<keyof AssignmentDraft, string> = {
  contentItemId: 'Content item',
  title: 'Title',
  instructions: 'Instructions',
  assignmentType: 'Assignment type',
  dueDate: 'Due date',
  isRequired: 'Required',
};

/** CONT-30, CONT-31 */
export const newAssignment: AssignmentDraft = {
  contentItemId: '',
  title: '',
  instructions: '',
  assignmentType: 'written_response',
  dueDate: '',
  isRequired: true,
};

export function draftOfAssignment(assignment: ManagedAssignment): AssignmentDraft {
  const { contentItemId, title, instructions, assignmentType, dueDate, isRequired } = assignment;
  return { contentItemId, title, instructions, assignmentType, dueDate: dueDate ?? '', isRequired };
}

export const AssignmentFormInput: z.ZodType<AssignmentInput> = AssignmentInput;

export function assignmentInputOf(draft: AssignmentDraft) {
  return { ...draft, dueDate: draft.dueDate || null };
}

export function assignmentInWords(items: ManagedContent[]) {
  return (draft: AssignmentDraft, field: keyof AssignmentDraft): string => {
    if (field === 'contentItemId') return items.find(({ id }) => id === draft.contentItemId)?.title ?? 'Nothing';
    if (field === 'assignmentType') return labelOf(assignmentTypeOptions, draft.assignmentType);
    if (field === 'isRequired') return draft.isRequired ? 'Yes' : 'No';
    return draft[field] || 'Nothing';
  };
}

function labelOf(options: Options, chosen: string): string {
  return options.find(({ value }) => value === chosen)?.label ?? 'Nothing';
}
