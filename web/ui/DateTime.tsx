import { Tooltip } from '@mantine/core';
import { formatDateTime, formatLocalTime } from './dates.ts';

/** Shows an instant in programme time. The tooltip has the person's own time if it differs. */
export function DateTime({ value }: { value: string | null }) {
  const shown = <time dateTime={value ?? undefined}>{formatDateTime(value)}</time>;
  const local = formatLocalTime(value);
  return local ? <Tooltip label={local}>{shown}</Tooltip> : shown;
}
