import { formatDateTime, formatLocalTime, formatTime } from './dates.ts';
import { Hint } from './Hint.tsx';

interface DateTimeProps {
  value: string | null;
  /** Leaves out the day, which stands above. */
  isTimeAlone?: boolean;
}

/** Shows an instant in programme time. The hint has the person's own time if it differs. */
export function DateTime({ value, isTimeAlone = false }: DateTimeProps) {
  const shown = <time dateTime={value ?? undefined}>{isTimeAlone ? formatTime(value) : formatDateTime(value)}</time>;
  const local = formatLocalTime(value);
  return local ? <Hint label={local}>{shown}</Hint> : shown;
}
