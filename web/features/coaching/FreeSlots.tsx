import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { bookSession, moveSession, type readBooking } from '#contract/booking.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { easternDay } from '#contract/weeks.ts';
import { ApiError } from '../../api/api-error.ts';
import { newKey } from '../../api/new-key.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDateTime, formatDay, formatTime } from '../../ui/dates.ts';
import classes from './FreeSlots.module.css';
import { SlotDialog } from './SlotDialog.tsx';

type Session = ResponseOf<typeof readBooking>['sessions'][number];

interface FreeSlotsProps {
  coachId: string;
  slots: string[];
  /** The session that gets another time. Null to book a new one. */
  moved: Session | null;
  onDone: () => void;
}

/** Shows every free half hour, day by day. One is chosen, confirmed with its agenda, and booked. */
export function FreeSlots({ coachId, slots, moved, onDone }: FreeSlotsProps) {
  const [chosen, setChosen] = useState<{ startsAt: string; newSessionId: string } | null>(null);
  const [agenda, setAgenda] = useState('');
  const close = () => setChosen(null);
  /** COACH-50: the times on the screen are outdated, or the session of a lost answer has changed since. */
  const onError = (error: unknown) => {
    if (!(error instanceof ApiError) || !['slot_taken', 'conflict'].includes(error.code)) return;
    close();
  };
  const onSuccess = () => {
    close();
    setAgenda('');
    onDone();
  };
  const book = useAction(bookSession, {
    success: 'Session booked',
    failureTitle: 'Booking failed',
    onSuccess,
    onError,
  });
  const move = useAction(moveSession, {
    success: 'Session moved',
    failureTitle: 'The session keeps its time',
    onSuccess,
    onError,
  });
  const confirm = () => {
    if (!chosen) return;
    const { startsAt, newSessionId } = chosen;
    if (moved) move.run({ params: { id: moved.id }, body: { startsAt } });
    else book.run({ body: { id: newSessionId, coachId, startsAt, agenda: agenda.trim() || null } });
  };
  return (
    <Stack gap="md" className={classes.days}>
      {moved ? (
        <Group gap="sm">
          <Text>
            Your session of <b>{formatDateTime(moved.scheduledAt)}</b> keeps its time until the new one is booked.
          </Text>
          <Button variant="default" size="sm" onClick={onDone}>
            Keep the time
          </Button>
        </Group>
      ) : null}
      {slots.length === 0 ? (
        <Text c="dimmed">
          No time is free in the coming four weeks. Write to your coach, or look again later: new times appear here.
        </Text>
      ) : null}
      {daysOf(slots).map(([day, times]) => (
        <section key={day} aria-label={formatDay(day, { withYear: true })} className={classes.day}>
          <Title order={3} className={classes.name}>
            {formatDay(day)}
          </Title>
          <Group gap={8}>
            {times.map((time) => (
              <Button
                key={time}
                variant="default"
                className={classes.slot}
                aria-label={formatDateTime(time)}
                onClick={() => setChosen({ startsAt: time, newSessionId: newKey() })}
              >
                {formatTime(time).replace(' ET', '')}
              </Button>
            ))}
          </Group>
        </section>
      ))}
      <SlotDialog
        startsAt={chosen?.startsAt ?? null}
        agenda={moved ? null : agenda}
        movedFrom={moved?.scheduledAt ?? null}
        isRunning={book.isRunning || move.isRunning}
        onAgenda={setAgenda}
        onConfirm={confirm}
        onClose={close}
      />
    </Stack>
  );
}

function daysOf(slots: string[]): [day: string, times: string[]][] {
  return [...Map.groupBy(slots, (slot) => easternDay(new Date(slot)))];
}
