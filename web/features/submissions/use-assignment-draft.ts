import { useEffect, useRef, useState } from 'react';
import { discardAssignmentDraft, saveAssignmentDraft } from '#contract/assignment-drafts.ts';
import { readAssignment } from '#contract/submissions.ts';
import { ApiError } from '../../api/api-error.ts';
import { readDeviceCopy, removeDeviceCopy, writeDeviceCopy } from '../../api/device-copy.ts';
import { queryClient, queryFor, refresh } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import type { Assignment } from './assignment-state.ts';
import { DeviceDraft, draftKey, hasSameContent, presentDraft, type ServerDraft } from './draft-copies.ts';

const pauseInTypingMs = 1000;
const pauseAfterFailureMs = 5000;

type Content = Pick<DeviceDraft, 'text' | 'file'>;

/**
 * Work that is not handed in yet. This device keeps it with every key, and the server after a pause in typing. `other`
 * is the version that another device has saved meanwhile. Nothing is overwritten until the person has chosen.
 */
export function useAssignmentDraft(assignment: Pick<Assignment, 'id' | 'submission' | 'draft'>, userId: string) {
  const { id, submission: earlier } = assignment;
  const key = draftKey({ kind: 'assignment', userId, subjectId: id });
  const [device, setDevice] = useState(() => readDeviceCopy(key, DeviceDraft));
  const [isKept, setKept] = useState(true);
  // The server's answer may come after further key presses.
  const latest = useRef(device);
  const { draft, other } = presentDraft({ device, server: assignment.draft, earlier });
  // An upload ends long after the render that began it.
  const shown = useRef(draft);
  useEffect(() => {
    shown.current = draft;
  });

  const keep = (changed: DeviceDraft) => {
    latest.current = changed;
    shown.current = changed;
    setDevice(changed);
    setKept(writeDeviceCopy(key, changed));
  };
  const forget = () => {
    latest.current = null;
    removeDeviceCopy(key);
  };

  const thrownAway = useAction(discardAssignmentDraft, {
    success: 'Draft Discarded',
    failureTitle: 'Discarding Failed',
    onSuccess: () => {
      queryClient.setQueryData(keyOf(id), (known) => known && { ...known, draft: null });
      forget();
      setDevice(null);
    },
  });

  const { save, isSaving } = useSaving(id, {
    draft,
    isBlocked: other !== null || thrownAway.isRunning,
    onSaved: (sent, updatedAt) => {
      void queryClient.invalidateQueries({ queryKey: keyOf(id), refetchType: 'none' });
      const present = latest.current;
      if (present?.round === sent.round) {
        keep({ ...present, basedOn: updatedAt, isSaved: hasSameContent(present, sent) });
      }
    },
  });
  useSaveOnLeaving(() => {
    if (latest.current && !latest.current.isSaved) save();
  });

  return {
    draft,
    other,
    isKept,
    isSaving,
    hasDraft: assignment.draft !== null || device?.round === draft.round,
    change: (changed: Partial<Content>) => keep({ ...shown.current, ...changed, isSaved: false }),
    /** Ends a conflict. The chosen content goes on from the other device's version. */
    settle: (chosen: Content, seen: ServerDraft) =>
      keep({ ...draft, ...chosen, basedOn: seen.updatedAt, isSaved: hasSameContent(chosen, seen) }),
    /** Call it after handing in. The screen keeps what it shows until it is read again. */
    forget,
    discard: () => thrownAway.run({ params: { id } }),
    isDiscarding: thrownAway.isRunning,
  };
}

interface Saving {
  draft: DeviceDraft;
  /** True while the person has to choose between two versions, or discards the draft. */
  isBlocked: boolean;
  onSaved: (sent: DeviceDraft, updatedAt: string) => void;
}

function useSaving(assignmentId: string, { draft, isBlocked, onSaved }: Saving) {
  const [hasFailed, setFailed] = useState(false);
  // The server refuses this for good, so it is sent again only after a change.
  const [refused, setRefused] = useState<DeviceDraft | null>(null);
  const sent = useRef<DeviceDraft | null>(null);
  const { run, isRunning } = useAction(saveAssignmentDraft, {
    onSuccess: ({ updatedAt }) => {
      setFailed(false);
      if (sent.current) onSaved(sent.current, updatedAt);
      sent.current = null;
    },
    onError: (error) => {
      setFailed(true);
      if (!isPassing(error)) {
        setRefused(sent.current);
        // Another device has saved or handed in. The screen shows the present version.
        void refresh([readAssignment]);
      }
      sent.current = null;
    },
  });
  const isRefused = refused !== null && refused.basedOn === draft.basedOn && hasSameContent(refused, draft);
  const isDue = !draft.isSaved && !isBlocked && !isRefused;

  const save = () => {
    if (!isDue || sent.current) return;
    sent.current = draft;
    const { text, file, round, basedOn } = draft;
    run({ params: { id: assignmentId }, body: { text, fileId: file?.id ?? null, basedOnRound: round, basedOn } });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each change of the content begins the pause anew.
  useEffect(() => {
    if (!isDue || isRunning) return;
    const timer = setTimeout(save, hasFailed ? pauseAfterFailureMs : pauseInTypingMs);
    return () => clearTimeout(timer);
  }, [draft.text, draft.file?.id, draft.basedOn, isDue, isRunning, hasFailed]);
  return { save, isSaving: isRunning };
}

/** Saves when the tab is hidden or closed, and when the person goes to another screen. */
function useSaveOnLeaving(save: () => void) {
  const present = useRef(save);
  useEffect(() => {
    present.current = save;
  });
  useEffect(() => {
    const saveWhenHidden = () => {
      if (document.visibilityState === 'hidden') present.current();
    };
    document.addEventListener('visibilitychange', saveWhenHidden);
    return () => {
      document.removeEventListener('visibilitychange', saveWhenHidden);
      present.current();
    };
  }, []);
}

function keyOf(assignmentId: string) {
  return queryFor(readAssignment, { params: { id: assignmentId } }).queryKey;
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'network' || error.status >= 500 || error.status === 401 || error.status === 429;
}
