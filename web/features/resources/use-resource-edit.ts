import { useState } from 'react';
import { listResources, type Resource, readResource, updateResource } from '#contract/resources.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { showInLists } from './resource-cache.ts';
import { draftOf, newDraft, useResourceForm } from './use-resource-form.ts';

export type ResourceEdit = ReturnType<typeof useResourceEdit>;

/** The one row that is in edit (RES-25 to RES-29). */
export function useResourceEdit() {
  /** As it was when the edit began. */
  const [base, setBase] = useState<Resource | null>(null);
  /** As somebody else has changed it since. */
  const [theirs, setTheirs] = useState<Resource | null>(null);
  const form = useResourceForm(newDraft);
  const end = () => {
    setBase(null);
    setTheirs(null);
    if (base) focusAfterDrawing(editButtonId(base.id));
  };
  const begin = (resource: Resource) => {
    setBase(resource);
    setTheirs(null);
    form.begin(draftOf(resource));
    focusAfterDrawing(form.idOf('title'));
  };
  const action = useAction(updateResource, {
    success: ({ title }) => ({ title: 'Resource Updated', message: title }),
    failureTitle: 'Update Failed',
    refreshes: [listResources],
    onSuccess: (resource) => {
      showInLists(resource.id, resource);
      end();
    },
    onError: (error) => {
      if (base && error instanceof ApiError && error.code === 'stale') void readTheirs(base.id);
    },
  });
  // Where this fails too, the next save is refused again, and asks again.
  const readTheirs = (id: string) => call(readResource, { params: { id } }).then(setTheirs, () => undefined);
  return {
    base,
    theirs,
    form,
    begin,
    /** RES-26 */
    cancel: end,
    isSaving: action.isRunning,
    isDirty: base !== null && form.differsFrom(draftOf(base)),
    save: () => {
      if (!base || theirs) return;
      const facts = form.check();
      if (facts) action.run({ params: { id: base.id }, body: { ...facts, version: base.version } });
    },
    keepOwn: () => {
      setBase(theirs);
      setTheirs(null);
    },
    takeTheirs: () => theirs && begin(theirs),
  };
}

export function editButtonId(resourceId: string): string {
  return `edit-${resourceId}`;
}

function focusAfterDrawing(elementId: string): void {
  requestAnimationFrame(() => document.getElementById(elementId)?.focus());
}
