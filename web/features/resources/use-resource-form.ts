import { useId, useState } from 'react';
import { missingResourceFacts, type Resource, ResourceInput, type ResourceType } from '#contract/resources.ts';
import type { TrackType } from '#contract/roles.ts';
import { showToast } from '../../ui/toast.tsx';

/** The six facts as they stand in the fields. */
export interface ResourceDraft {
  title: string;
  description: string;
  fileUrl: string;
  fileType: ResourceType;
  courseModule: string;
  program: TrackType;
}
type Field = keyof ResourceDraft;

/** RES-15 */
export const newDraft: ResourceDraft = {
  title: '',
  description: '',
  fileUrl: '',
  fileType: 'material',
  courseModule: '',
  program: 'fellowship',
};

export function draftOf({ title, description, fileUrl, fileType, courseModule, program }: Resource): ResourceDraft {
  return { title, description: description ?? '', fileUrl, fileType, courseModule: courseModule ?? '', program };
}

export const resourceFields = Object.keys(newDraft) as Field[];

export type ResourceForm = ReturnType<typeof useResourceForm>;

export function useResourceForm(initial: ResourceDraft) {
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const formId = useId();
  const idOf = (field: Field) => `${formId}-${field}`;
  return {
    draft,
    errors,
    idOf,
    set: (changes: Partial<ResourceDraft>) => {
      setDraft((before) => ({ ...before, ...changes }));
      setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in changes))));
    },
    begin: (from: ResourceDraft) => {
      setDraft(from);
      setErrors({});
    },
    differsFrom: (other: ResourceDraft) => resourceFields.some((field) => draft[field] !== other[field]),
    /** What is to be sent; null, with each refusal at its field, when the server would refuse it (RES-17, RES-18). */
    check: (): ResourceInput | null => {
      const parsed = ResourceInput.safeParse(draft);
      if (parsed.success) return parsed.data;
      const found = refusalsOf(draft, parsed.error.issues);
      setErrors(found);
      if (!draft.title.trim() || !draft.fileUrl.trim()) {
        showToast({ type: 'error', title: 'Missing Information', message: missingResourceFacts });
      }
      const first = resourceFields.find((field) => found[field]);
      if (first) document.getElementById(idOf(first))?.focus();
      return null;
    },
  };
}

function refusalsOf(draft: ResourceDraft, issues: { path: PropertyKey[]; message: string }[]) {
  const found: Partial<Record<Field, string>> = {};
  for (const { path, message } of issues) found[path[0] as Field] ??= message;
  if (!draft.title.trim()) found.title = 'Enter a title.';
  if (!draft.fileUrl.trim()) found.fileUrl = 'Enter the address of the file.';
  return found;
}
