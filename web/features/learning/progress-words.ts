import type { ProgressStatus } from '#contract/fellowship.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

/** TRACK-14, with the meaning of each status. */
export const progressStatuses: Record<ProgressStatus, { tone: Tone; word: string; meaning: string }> = {
  ahead: { tone: 'success', word: 'Ahead', meaning: 'more than 75% of the whole programme' },
  on_track: { tone: 'success', word: 'On track', meaning: '25% to 75% of the whole programme' },
  behind: { tone: 'warning', word: 'Behind', meaning: 'less than 25% of the whole programme' },
  at_risk: { tone: 'danger', word: 'At risk', meaning: 'less than 10% of the whole programme' },
};

const daysOfWeek = 7;

/**
 * A person's progress against the cohort's calendar, in whole weeks, because a programme is planned by the week. In the
 * first weeks the status alone would tell everybody that they are at risk (docs/decisions).
 */
export function scheduleOf(daysAheadBehind: number | null): { tone: Tone; words: string } {
  if (daysAheadBehind === null) return { tone: 'info', words: 'Nothing counted yet' };
  const weeks = Math.trunc(Math.abs(daysAheadBehind) / daysOfWeek);
  if (weeks === 0) return { tone: 'success', words: 'On schedule' };
  const count = weeks === 1 ? '1 week' : `${weeks} weeks`;
  return daysAheadBehind > 0
    ? { tone: 'success', words: `${count} ahead of schedule` }
    : { tone: 'warning', words: `${count} behind schedule` };
}
