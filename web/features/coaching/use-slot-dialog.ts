import { useState } from 'react';
import { bookSession, moveSession, type readBooking } from '#contract/booking.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { ApiError } from '../../api/api-error.ts';
import { newKey } from '../../api/new-key.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDateTime } from '../../ui/dates.ts';

export type BookedSession = ResponseOf<typeof readBooking>['sessions'][number];

interface SlotBooking {
  coachId: string;
  /** The session that gets another time. Null to book a new one. */
  moved: BookedSession | null;
  onDone: () => void;
}

/** A chosen time is confirmed with its agenda in the dialog, and then booked. */
export function useSlotDialog({ coachId, moved, onDone }: SlotBooking) {
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
    success: (_, { body }) => ({ title: 'Session booked', message: formatDateTime(body.startsAt) }),
    failureTitle: 'Booking failed',
    onSuccess,
    onError,
  });
  const move = useAction(moveSession, {
    success: (_, { body }) => ({ title: 'Session moved', message: formatDateTime(body.startsAt) }),
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
  return {
    choose: (startsAt: string) => setChosen({ startsAt, newSessionId: newKey() }),
    dialog: {
      startsAt: chosen?.startsAt ?? null,
      agenda: moved ? null : agenda,
      movedFrom: moved?.scheduledAt ?? null,
      isRunning: book.isRunning || move.isRunning,
      onAgenda: setAgenda,
      onConfirm: confirm,
      onClose: close,
    },
  };
}
