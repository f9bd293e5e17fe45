import { Box, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { type readBooking, withdrawSession } from '#contract/booking.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { isConflict } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { AddToCalendar } from '../../ui/AddToCalendar.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { formatDateTime } from '../../ui/dates.ts';
import { JoinButton } from './JoinButton.tsx';
import classes from './SessionRows.module.css';

type Session = ResponseOf<typeof readBooking>['sessions'][number];

interface BookedSessionsProps {
  sessions: Session[];
  movedId: string | null;
  onMove: (session: Session) => void;
}

/** The participant's own sessions that are running or still to come. */
export function BookedSessions({ sessions, movedId, onMove }: BookedSessionsProps) {
  const [toCancel, setToCancel] = useState<Session | null>(null);
  const withdraw = useAction(withdrawSession, {
    success: 'Session Cancelled',
    failureTitle: 'Cancel Failed',
    onSuccess: () => setToCancel(null),
    onError: (error) => {
      if (!isConflict(error)) return;
      setToCancel(null);
    },
  });
  return (
    <Card component="section" aria-labelledby="own-sessions">
      <Title order={2} id="own-sessions" mb="md">
        Your sessions
      </Title>
      <Stack gap={0} component="ul" m={0} p={0} className={classes.list}>
        {sessions.map((session) => (
          <li key={session.id} className={classes.row}>
            <Box className={classes.facts}>
              <Text fw={600} component="div">
                <DateTime value={session.scheduledAt} />
              </Text>
              <Text size="sm" c="dimmed">
                {session.durationMinutes} minutes with {session.coachName}
              </Text>
              {session.agenda ? <Text className={classes.written}>{session.agenda}</Text> : null}
            </Box>
            <Group gap="sm" className={classes.acts}>
              <JoinButton session={session} />
              <AddToCalendar
                kind="session"
                id={session.id}
                name={`coaching session, ${formatDateTime(session.scheduledAt)}`}
                isSmall
              />
              {session.can.move ? (
                <Button
                  variant="default"
                  size="sm"
                  aria-pressed={movedId === session.id}
                  aria-label={`Move the session on ${formatDateTime(session.scheduledAt)}`}
                  onClick={() => onMove(session)}
                >
                  Move
                </Button>
              ) : null}
              {session.can.cancel ? (
                <Button
                  variant="default"
                  size="sm"
                  aria-label={`Cancel the session on ${formatDateTime(session.scheduledAt)}`}
                  onClick={() => setToCancel(session)}
                >
                  Cancel
                </Button>
              ) : null}
            </Group>
          </li>
        ))}
      </Stack>
      <ConfirmDialog
        isOpen={toCancel !== null}
        title="Cancel the session"
        confirmLabel="Cancel the session"
        isDestructive
        isRunning={withdraw.isRunning}
        onConfirm={() => toCancel && withdraw.run({ params: { id: toCancel.id } })}
        onClose={() => setToCancel(null)}
      >
        Your session with {toCancel?.coachName} on {formatDateTime(toCancel?.scheduledAt)} will be cancelled, and your
        coach is told.
      </ConfirmDialog>
    </Card>
  );
}
