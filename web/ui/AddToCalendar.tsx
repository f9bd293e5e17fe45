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
}

/** One dated thing as a file that any calendar program takes. */
export function AddToCalendar({ kind, id, name }: AddToCalendarProps) {
  return (
    <Button
      component="a"
      href={addressOf(downloadCalendarItem, { params: { kind, id } })}
      download
      variant="default"
      w="fit-content"
      leftSection={<CalendarPlus size={16} aria-hidden />}
      aria-label={`Add to calendar: ${name}`}
    >
      Add to calendar
    </Button>
  );
}
