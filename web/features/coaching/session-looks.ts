import type { Tone } from '../../ui/StatusBadge.tsx';

/** COACH-32. `overdue` is COACH-38. */
export const sessionLooks = {
  scheduled: { word: 'Scheduled', tone: 'info' },
  completed: { word: 'Completed', tone: 'success' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
  no_show: { word: 'No show', tone: 'danger' },
  overdue: { word: 'Overdue', tone: 'warning' },
} as const satisfies Record<string, { word: string; tone: Tone }>;
