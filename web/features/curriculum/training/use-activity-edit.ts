import {
  readTrainingActivity,
  type TrainingActivity,
  TrainingActivityFacts,
  updateTrainingActivity,
} from '#contract/training-activities.ts';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../api/use-action.ts';
import { useForm } from '../../../ui/use-form.ts';
import { useRowEdit } from '../../../ui/use-row-edit.ts';
import { type SharedDraft, sharedFields } from '../ActivityField.tsx';
import { draftOf, emptyActivity, toInput } from '../activity-draft.ts';

export type ActivityEdit = ReturnType<typeof useActivityEdit>;

export const draftOfRow = (activity: TrainingActivity): SharedDraft => draftOf(activity, sharedFields);

/** The one row in edit (TRAIN-09 to TRAIN-16). */
export function useActivityEdit() {
  const form = useForm(draftOf(emptyActivity, sharedFields));
  const { end, showRefusal, ...edit } = useRowEdit({
    form,
    draftOf: draftOfRow,
    firstField: 'title',
    read: (id) => call(readTrainingActivity, { params: { id } }),
  });
  const action = useAction(updateTrainingActivity, {
    success: ({ title }) => ({ title: 'Activity Updated', message: title }),
    failureTitle: 'Update Failed',
    onSuccess: end,
    onError: showRefusal,
  });
  return {
    ...edit,
    form,
    /** TRAIN-16 */
    cancel: end,
    isSaving: action.isRunning,
    save: () => {
      const { base, theirs } = edit;
      if (!base || theirs) return;
      const facts = form.check(TrainingActivityFacts, toInput(form.draft));
      if (facts) action.run({ params: { id: base.id }, body: { ...facts, version: base.version } });
    },
  };
}
