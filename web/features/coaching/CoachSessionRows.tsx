import { Box, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import type { CoachSession } from '#contract/coach-sessions.ts';
import { paths } from '../../app/paths.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { NameLink } from '../../ui/NameLink.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { JoinButton } from './JoinButton.tsx';
import { CancelDialog, LinkDialog, NoShowDialog, NotesDialog } from './SessionDialogs.tsx';
import classes from './SessionRows.module.css';
import { sessionLooks } from './session-looks.ts';
import { useSessionUpdate } from './use-session-update.ts';

type Question = 'cancel' | 'notes' | 'link' | 'no-show';

interface CoachSessionRowsProps {
  title: string;
  sessions: CoachSession[];
  emptyText: string;
  /** Stands below the rows. */
  children?: ReactNode;
}

export function CoachSessionRows({ title, sessions, emptyText, children }: CoachSessionRowsProps) {
  const headingId = useId();
  return (
    <Card component="section" aria-labelledby={headingId}>
      <Title order={2} id={headingId} mb="md">
        {title}
      </Title>
      {sessions.length === 0 ? <Text c="dimmed">{emptyText}</Text> : null}
      <Stack gap={0} component="ul" m={0} p={0} className={classes.list}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Stack>
      {children}
    </Card>
  );
}

function SessionRow({ session }: { session: CoachSession }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => setQuestion(null);
  const dialog = { session, onClose: close };
  return (
    <li className={session.isOverdue ? `${classes.row} ${classes.overdue}` : classes.row}>
      <Facts session={session} />
      <Acts session={session} ask={setQuestion} />
      {question === 'cancel' ? <CancelDialog {...dialog} /> : null}
      {question === 'notes' ? <NotesDialog {...dialog} /> : null}
      {question === 'no-show' ? <NoShowDialog {...dialog} /> : null}
      {question === 'link' ? <LinkDialog {...dialog} /> : null}
    </li>
  );
}

/** COACH-30, COACH-38 */
function Facts({ session }: { session: CoachSession }) {
  const { word, tone } = session.isOverdue ? sessionLooks.overdue : sessionLooks[session.status];
  return (
    <Box className={classes.facts}>
      <Group gap="sm">
        <NameLink
          name={`${session.firstName} ${session.lastName}`}
          to={session.can.openPerson ? paths.person(session.participantId) : null}
          fw={600}
        />
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </Group>
      <Text size="sm" c="dimmed" truncate title={session.email}>
        {session.email}
      </Text>
      <Text size="sm" component="div">
        <DateTime value={session.scheduledAt} /> · {session.durationMinutes} minutes
      </Text>
      {session.agenda ? (
        <Text size="sm" className={classes.written}>
          <b>Agenda:</b> {session.agenda}
        </Text>
      ) : null}
      {session.notes ? (
        <Text size="sm" className={classes.written}>
          <b>Notes:</b> {session.notes}
        </Text>
      ) : null}
      {session.noShowReason ? (
        <Text size="sm" className={classes.written}>
          <b>No-show:</b> {session.noShowReason}
        </Text>
      ) : null}
      {session.cancelReason ? (
        <Text size="sm" className={classes.written}>
          {session.cancelReason}
        </Text>
      ) : null}
    </Box>
  );
}

function Acts({ session, ask }: { session: CoachSession; ask: (question: Question) => void }) {
  const update = useSessionUpdate();
  const { id, can } = session;
  const name = `${session.firstName} ${session.lastName}`;
  return (
    <Group gap={6} align="flex-start" className={classes.acts}>
      {session.status === 'scheduled' ? <JoinButton session={session} /> : null}
      {can.complete ? (
        <Button
          variant="default"
          size="sm"
          aria-label={`Complete the session with ${name}`}
          onClick={() => update.run({ params: { id }, body: { status: 'completed' } })}
        >
          Complete
        </Button>
      ) : null}
      {can.writeNotes ? (
        <Button
          variant="default"
          size="sm"
          aria-label={`${session.notes ? 'Edit notes' : 'Add notes'}, session with ${name}`}
          onClick={() => ask('notes')}
        >
          {session.notes ? 'Edit notes' : 'Add notes'}
        </Button>
      ) : null}
      {can.markNoShow ? (
        <Button variant="default" size="sm" aria-label={`No-show: ${name} did not come`} onClick={() => ask('no-show')}>
          No-show
        </Button>
      ) : null}
      {session.status === 'scheduled' && !session.isOverdue ? (
        <Button
          variant="default"
          size="sm"
          aria-label={`${session.teamsLink ? 'Edit link' : 'Add link'}, session with ${name}`}
          onClick={() => ask('link')}
        >
          {session.teamsLink ? 'Edit link' : 'Add link'}
        </Button>
      ) : null}
      {can.cancel ? (
        <Button
          variant="default"
          size="sm"
          aria-label={`Cancel the session with ${name}`}
          onClick={() => ask('cancel')}
        >
          Cancel
        </Button>
      ) : null}
    </Group>
  );
}
