import { formatDateTime, formatLocalTime } from './dates.ts';
import { Hint } from './Hint.tsx';

/** Shows an instant in programme time. The hint has the person's own time if it differs. */
export function DateTime({ value }: { value: string | null }) {
  const shown = <time dateTime={value ?? undefined}>{breakingAfterDay(formatDateTime(value))}</time>;
  const local = formatLocalTime(value);
  return local ? <Hint label={local}>{shown}</Hint> : shown;
}

/** 'Tue 3 Nov, 2:00 PM ET' breaks into day and time, not within them. */
function breakingAfterDay(words: string): string {
  return words.replace(/(?<!,) /g, '\u00a0');
}
