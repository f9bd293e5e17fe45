import { counted } from '../../ui/counted.ts';

/** '40 seconds', '3 minutes', '2 hours', '4 days' */
export function waitInWords(seconds: number): string {
  if (seconds < 60) return counted(Math.round(seconds), 'second');
  if (seconds < 3600) return counted(Math.floor(seconds / 60), 'minute');
  if (seconds < 2 * 86_400) return counted(Math.floor(seconds / 3600), 'hour');
  return counted(Math.floor(seconds / 86_400), 'day');
}
