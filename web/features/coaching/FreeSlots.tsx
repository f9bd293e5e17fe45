import { Button, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { dayAt } from '#contract/weeks.ts';
import { shownZone } from '../../api/shown-zone.ts';
import { formatDateTime, formatDay, formatTime } from '../../ui/dates.ts';
import { type BookingDay, bookingDays, chosenDay } from './booking-days.ts';
import { DayStrip } from './DayStrip.tsx';
import { SlotButtons } from './SlotButtons.tsx';
import { SlotDialog } from './SlotDialog.tsx';
import { useNow } from './use-now.ts';
import { type BookedSession, useSlotDialog } from './use-slot-dialog.ts';

interface FreeSlotsProps {
  coachId: string;
  slots: string[];
  /** The participant's own, with any coach. */
  sessions: BookedSession[];
  /** The session that gets another time. Null to book a new one. */
  moved: BookedSession | null;
  /** The day that the address names. */
  day: string | undefined;
  onDay: (day: string) => void;
  onDone: () => void;
}

/** Shows the days, and the free times of the chosen one. */
export function FreeSlots({ coachId, slots, sessions, moved, day, onDay, onDone }: FreeSlotsProps) {
  const today = dayAt(useNow(), shownZone());
  const { choose, dialog } = useSlotDialog({ coachId, moved, onDone });
  const days = bookingDays({ slots, sessions, today });
  const chosen = chosenDay(days, day);
  return (
    <Stack gap="md">
      {moved ? (
        <Group gap="sm">
          <Text>
            Your session on <b>{formatDateTime(moved.scheduledAt)}</b> keeps its time until you book the new one.
          </Text>
          <Button variant="default" size="sm" onClick={onDone}>
            Keep the time
          </Button>
        </Group>
      ) : null}
      {slots.length === 0 || !chosen ? (
        <Text c="dimmed">
          No time is free in the next 4 weeks. Write to your coach, or look again later: new times appear here.
        </Text>
      ) : (
        <Tabs variant="unstyled" value={chosen.day} onChange={(next) => next && onDay(next)}>
          <DayStrip days={days} chosen={chosen.day} />
          <Tabs.Panel value={chosen.day} pt="md">
            <ChosenDay chosen={chosen} onChoose={choose} />
          </Tabs.Panel>
        </Tabs>
      )}
      <SlotDialog {...dialog} />
    </Stack>
  );
}

function ChosenDay({ chosen, onChoose }: { chosen: BookingDay; onChoose: (startsAt: string) => void }) {
  const { day, slots, holiday, sessions } = chosen;
  return (
    <Stack gap="xs">
      <Title order={3}>{formatDay(day)}</Title>
      {holiday ? <Text size="sm">This day is a holiday: {holiday}.</Text> : null}
      {sessions.map(({ scheduledAt }) => (
        <Text key={scheduledAt} size="sm">
          You have a session at {formatTime(scheduledAt)}.
        </Text>
      ))}
      {slots.length > 0 ? (
        <SlotButtons slots={slots} onChoose={onChoose} />
      ) : (
        <Text c="dimmed">No time is free on this day. Choose another day.</Text>
      )}
    </Stack>
  );
}
