import { missingResourceFacts, type Resource, ResourceInput, type ResourceType } from '#contract/resources.ts';
import type { TrackType } from '#contract/roles.ts';
import { showToast } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';

/** The facts as the fields hold them. */
export interface ResourceDraft {
  title: string;
  description: string;
  fileUrl: string;
  fileType: ResourceType;
  courseModule: string;
  program: TrackType;
  /** Null: for every program. */
  programmeId: string | null;
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
  programmeId: null,
};

export function draftOf({ description, courseModule, programme, ...resource }: Resource): ResourceDraft {
  const { title, fileUrl, fileType, program } = resource;
  return {
    ...{ title, fileUrl, fileType, program },
    ...{ description: description ?? '', courseModule: courseModule ?? '', programmeId: programme?.id ?? null },
  };
}

export type ResourceForm = ReturnType<typeof useResourceForm>;

export function useResourceForm(initial: ResourceDraft) {
  const form = useForm(initial);
  const { draft } = form;
  return {
    ...form,
    /**
     * Returns the facts to send. If the server would refuse them, shows each refusal at its field and returns null
     * (RES-17, RES-18).
     */
    check: (): ResourceInput | null => {
      const parsed = ResourceInput.safeParse(draft);
      if (parsed.success) return parsed.data;
      form.showErrors(refusalsOf(draft, parsed.error.issues));
      if (!draft.title.trim() || !draft.fileUrl.trim()) {
        showToast({ type: 'error', title: 'Missing Information', message: missingResourceFacts });
      }
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
