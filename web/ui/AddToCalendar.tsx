import { Button } from '@mantine/core';
import { CalendarPlus } from 'lucide-react';
import type { calendarItemKinds } from '#contract/calendar-feeds.ts';
import { downloadCalendarItem } from '#contract/calendar-feeds.ts';
import { addressOf } from '../api/call.ts';

interface AddToCalendarProps {
  kind: (typeof calendarItemKinds)[number];
  id: string;
  /** Names the item for people who cannot see what the button stands beside. */
  name: string;
  /** For one of several buttons in a list. It is as high as they are. */
  isQuiet?: boolean;
}

/** Downloads one dated item as a file that any calendar program reads. */
export function AddToCalendar({ kind, id, name, isQuiet = false }: AddToCalendarProps) {
  return (
    <Button
      component="a"
      href={addressOf(downloadCalendarItem, { params: { kind, id } })}
      download
      variant={isQuiet ? 'subtle' : 'default'}
      size="sm"
      w="fit-content"
      leftSection={<CalendarPlus size={16} aria-hidden />}
      aria-label={`Add to calendar: ${name}`}
    >
      Add to calendar
    </Button>
  );
}
