import type { ImportRowState } from '#contract/import-results.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

/** Names the state of a row, or of its person's invitation. */
export const rowStates: Record<ImportRowState, { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'info' },
  failed: { label: 'Failed', tone: 'danger' },
  not_delivered: { label: 'Not delivered', tone: 'danger' },
  expired: { label: 'Invitation expired', tone: 'warning' },
  sent: { label: 'Invitation sent', tone: 'info' },
  accepted: { label: 'Accepted', tone: 'success' },
  undone: { label: 'Undone', tone: 'neutral' },
  deleted: { label: 'Account deleted', tone: 'neutral' },
};
