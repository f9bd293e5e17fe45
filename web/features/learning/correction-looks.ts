import type { OwnCorrection } from '#contract/attendance-corrections.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

export const correctionLooks: Record<OwnCorrection['status'], { tone: Tone; label: string }> = {
  open: { tone: 'warning', label: 'Waiting for an answer' },
  accepted: { tone: 'success', label: 'Accepted' },
  declined: { tone: 'danger', label: 'Declined' },
  withdrawn: { tone: 'neutral', label: 'Taken back' },
};
