import { formatDateTime, formatLocalTime } from './dates.ts';
import { Hint } from './Hint.tsx';

/** Shows an instant in programme time. The hint has the person's own time if it differs. */
export function DateTime({ value }: { value: string | null }) {
  const shown = <time dateTime={value ?? undefined}>{formatDateTime(value)}</time>;
  const local = formatLocalTime(value);
  return local ? <Hint label={local}>{shown}</Hint> : shown;
}
