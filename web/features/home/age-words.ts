import { counted } from '../../ui/counted.ts';

const hourInMs = 60 * 60 * 1000;

/** How long something waits: 'Under an hour', '5 hours', '3 days'. */
export function ageInWords(since: string, now: Date): string {
  const hours = Math.floor((now.getTime() - new Date(since).getTime()) / hourInMs);
  if (hours < 1) return 'Under an hour';
  return hours < 24 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day');
}
