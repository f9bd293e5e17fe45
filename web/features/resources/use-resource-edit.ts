import { readResource, updateResource } from '#contract/resources.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { useRowEdit } from '../../ui/use-row-edit.ts';
import { showInLists } from './resource-cache.ts';
import { draftOf, newDraft, useResourceForm } from './use-resource-form.ts';

export type ResourceEdit = ReturnType<typeof useResourceEdit>;

/** The one row in edit (RES-25 to RES-29). */
export function useResourceEdit() {
  const form = useResourceForm(newDraft);
  const { end, showRefusal, ...edit } = useRowEdit({
    form,
    draftOf,
    firstField: 'title',
    read: (id) => call(readResource, { params: { id } }),
  });
  const action = useAction(updateResource, {
    success: ({ title }) => ({ title: 'Resource Updated', message: title }),
    failureTitle: 'Update Failed',
    onSuccess: (resource) => {
      showInLists(resource.id, resource);
      end();
    },
    onError: showRefusal,
  });
  return {
    ...edit,
    form,
    /** RES-26 */
    cancel: end,
    isSaving: action.isRunning,
    save: () => {
      const { base, theirs } = edit;
      if (!base || theirs) return;
      const facts = form.check();
      if (facts) action.run({ params: { id: base.id }, body: { ...facts, version: base.version } });
    },
  };
}
