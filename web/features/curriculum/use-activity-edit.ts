import { useState } from 'react';
import {
  listTrainingActivities,
  readTrainingActivity,
  type TrainingActivity,
  TrainingActivityFacts,
  updateTrainingActivity,
} from '#contract/training-activities.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { draftOfActivity, emptyActivity, factsOfActivity } from './activity-draft.ts';
import { useDraft } from './use-draft.ts';

export type ActivityEdit = ReturnType<typeof useActivityEdit>;

/** The one row that is in edit (TRAIN-09 to TRAIN-16). */
export function useActivityEdit() {
  /** As it was when the edit began. */
  const [base, setBase] = useState<TrainingActivity | null>(null);
  /** As somebody else has changed it since. */
  const [theirs, setTheirs] = useState<TrainingActivity | null>(null);
  const form = useDraft(emptyActivity);
  const end = () => {
    setBase(null);
    setTheirs(null);
    if (base) focusAfterDrawing(editButtonId(base.id));
  };
  const begin = (activity: TrainingActivity) => {
    setBase(activity);
    setTheirs(null);
    form.begin(draftOfActivity(activity));
    focusAfterDrawing(form.idOf('title'));
  };
  const action = useAction(updateTrainingActivity, {
    success: ({ title }) => ({ title: 'Activity Updated', message: title }),
    failureTitle: 'Update Failed',
    refreshes: [listTrainingActivities],
    onSuccess: end,
    onError: (error) => {
      form.showRefusal(error);
      if (base && error instanceof ApiError && error.code === 'stale') void readTheirs(base.id);
    },
  });
  // Where this fails too, the next save is refused again, and asks again.
  const readTheirs = (id: string) => call(readTrainingActivity, { params: { id } }).then(setTheirs, () => undefined);
  return {
    base,
    theirs,
    form,
    begin,
    /** TRAIN-16 */
    cancel: end,
    isSaving: action.isRunning,
    isDirty: base !== null && form.differsFrom(draftOfActivity(base)),
    save: () => {
      if (!base || theirs) return;
      const facts = form.check(TrainingActivityFacts, factsOfActivity(form.draft));
      if (facts) action.run({ params: { id: base.id }, body: { ...facts, version: base.version } });
    },
    keepOwn: () => {
      setBase(theirs);
      setTheirs(null);
    },
    takeTheirs: () => theirs && begin(theirs),
  };
}

export function editButtonId(activityId: string): string {
  return `edit-${activityId}`;
}

function focusAfterDrawing(elementId: string): void {
  requestAnimationFrame(() => document.getElementById(elementId)?.focus());
}
