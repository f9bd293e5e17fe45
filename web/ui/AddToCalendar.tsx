import { Button } from '@mantine/core';
import { CalendarPlus } from 'lucide-react';
import type { calendarItemKinds } from '#contract/calendar-feeds.ts';
import { downloadCalendarItem } from '#contract/calendar-feeds.ts';
import { addressOf } from '../api/call.ts';

interface AddToCalendarProps {
  kind: (typeof calendarItemKinds)[number];
  id: string;
  /** What is added, for those who can't see beside what the button stands. */
  name: string;
  /** As one of several in a list. */
  isSmall?: boolean;
}

/** One dated thing as a file that any calendar program takes. */
export function AddToCalendar({ kind, id, name, isSmall = false }: AddToCalendarProps) {
  return (
    <Button
      component="a"
      href={addressOf(downloadCalendarItem, { params: { kind, id } })}
      download
      variant={isSmall ? 'subtle' : 'default'}
      size={isSmall ? 'compact-sm' : 'sm'}
      w="fit-content"
      leftSection={<CalendarPlus size={16} aria-hidden />}
      aria-label={`Add to calendar: ${name}`}
    >
      Add to calendar
    </Button>
  );
}
