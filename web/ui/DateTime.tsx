import { Tooltip } from '@mantine/core';
import { formatDateTime, formatLocalTime } from './dates.ts';

/** An instant in programme time; the person's own time in the tooltip where it differs. */
export function DateTime({ value }: { value: string | null }) {
  const shown = <time dateTime={value ?? undefined}>{formatDateTime(value)}</time>;
  const local = formatLocalTime(value);
  return local ? <Tooltip label={local}>{shown}</Tooltip> : shown;
}
