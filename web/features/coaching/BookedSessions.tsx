import { Box, Button, Card, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import { type readBooking, withdrawSession } from '#contract/booking.ts';
import { downloadCalendarItem } from '#contract/calendar-feeds.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { isConflict } from '../../api/api-error.ts';
import { addressOf } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { AddToCalendar } from '../../ui/AddToCalendar.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { formatDateTime } from '../../ui/dates.ts';
import { RowMenu } from '../../ui/RowMenu.tsx';
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
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
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
          <li key={session.id} className={classes.row} data-compact={isPhone || undefined}>
            <Box className={classes.facts}>
              <Text fw={600} component="div" {...(isPhone ? { size: 'sm' } : {})}>
                <DateTime value={session.scheduledAt} />
              </Text>
              <Text size="sm" c="dimmed">
                {session.durationMinutes} minutes with {session.coachName}
              </Text>
              {session.agenda ? (
                <Text className={classes.written} {...(isPhone ? { size: 'sm', lineClamp: 1 } : {})}>
                  {session.agenda}
                </Text>
              ) : null}
            </Box>
            {isPhone ? (
              <Group gap={4} wrap="nowrap" align="flex-start" className={classes.acts}>
                <JoinButton session={session} />
                <ActsMenu session={session} onMove={onMove} onCancel={setToCancel} />
              </Group>
            ) : (
              <ActButtons session={session} isMoved={movedId === session.id} onMove={onMove} onCancel={setToCancel} />
            )}
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

interface ActsProps {
  session: Session;
  onMove: (session: Session) => void;
  onCancel: (session: Session) => void;
}

function ActButtons({ session, isMoved, onMove, onCancel }: ActsProps & { isMoved: boolean }) {
  const when = formatDateTime(session.scheduledAt);
  return (
    <Group gap="sm" align="flex-start" className={classes.acts}>
      <JoinButton session={session} />
      <AddToCalendar kind="session" id={session.id} name={`coaching session, ${when}`} isQuiet />
      {session.can.move ? (
        <Button
          variant="default"
          size="sm"
          aria-pressed={isMoved}
          aria-label={`Move the session on ${when}`}
          onClick={() => onMove(session)}
        >
          Move
        </Button>
      ) : null}
      {session.can.cancel ? (
        <Button
          variant="default"
          size="sm"
          aria-label={`Cancel the session on ${when}`}
          onClick={() => onCancel(session)}
        >
          Cancel
        </Button>
      ) : null}
    </Group>
  );
}

/** On a phone, the row is as high as its words. */
function ActsMenu({ session, onMove, onCancel }: ActsProps) {
  const { id, can, scheduledAt } = session;
  return (
    <RowMenu name={`the session on ${formatDateTime(scheduledAt)}`}>
      <Menu.Item
        component="a"
        href={addressOf(downloadCalendarItem, { params: { kind: 'session', id } })}
        download
        leftSection={<CalendarPlus size={16} aria-hidden />}
      >
        Add to calendar
      </Menu.Item>
      {can.move ? <Menu.Item onClick={() => onMove(session)}>Move</Menu.Item> : null}
      {can.cancel ? <Menu.Item onClick={() => onCancel(session)}>Cancel</Menu.Item> : null}
    </RowMenu>
  );
}
