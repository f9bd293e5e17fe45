import { soonInDays } from '#contract/work-standing.ts';

/** The distance of a day from today in words. Negative days are past. */
export function inDays(days: number): string {
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  if (days === -1) return 'yesterday';
  return days > 0 ? `in ${days} days` : `${-days} days ago`;
}

export function isSoon(days: number): boolean {
  return days >= 0 && days <= soonInDays;
}
