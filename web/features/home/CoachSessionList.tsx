import { Box, Group, Stack, Text } from '@mantine/core';
import type { CoachDashboard } from '#contract/home.ts';
import { paths } from '../../app/paths.ts';
import { AddToCalendar } from '../../ui/AddToCalendar.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { NameLink } from '../../ui/NameLink.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { JoinButton } from '../coaching/JoinButton.tsx';
import { hasEnded } from '../coaching/join-times.ts';
import { sessionLooks } from '../coaching/session-looks.ts';
import { useNow } from '../coaching/use-now.ts';
import { HomePanel } from './HomePanel.tsx';
import classes from './HomeRows.module.css';
import { SessionNotes } from './SessionNotes.tsx';

type Session = CoachDashboard['todaysSessions'][number];

interface CoachSessionListProps {
  title: string;
  sessions: Session[];
  emptyText: string;
}

export function CoachSessionList({ title, sessions, emptyText }: CoachSessionListProps) {
  const now = useNow();
  return (
    <HomePanel title={title}>
      {sessions.length === 0 ? <Text c="dimmed">{emptyText}</Text> : null}
      <Stack gap="lg" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {sessions.map((session) => (
          <li key={session.id} className={classes.session}>
            <div className={classes.sessionName}>
              <NameLink
                name={nameOf(session)}
                to={session.can.openPerson ? paths.person(session.participantId) : null}
                fw={550}
              />
            </div>
            <Box className={classes.sessionFacts}>
              <Facts session={session} />
              <Group gap="sm" mt={4}>
                {session.status === 'scheduled' && !hasEnded(session, now) ? (
                  <>
                    <JoinButton session={session} />
                    <AddToCalendar kind="session" id={session.id} name={`session with ${nameOf(session)}`} isSmall />
                  </>
                ) : null}
                <SessionNotes session={session} />
              </Group>
            </Box>
            <div className={classes.sessionState}>
              <SessionState session={session} now={now} />
            </div>
          </li>
        ))}
      </Stack>
    </HomePanel>
  );
}

function Facts({ session: { scheduledAt, durationMinutes, agenda, notes } }: { session: Session }) {
  return (
    <>
      <Text size="sm" c="dimmed" component="div">
        <DateTime value={scheduledAt} /> · {durationMinutes} minutes
      </Text>
      {agenda ? (
        <Text size="sm" lineClamp={3}>
          {agenda}
        </Text>
      ) : null}
      {notes ? (
        <Text size="sm" c="dimmed" lineClamp={3}>
          Notes: {notes}
        </Text>
      ) : null}
    </>
  );
}

function nameOf({ firstName, lastName }: Session): string {
  return `${firstName} ${lastName}`;
}

/** COACH-38 */
function SessionState({ session, now }: { session: Session; now: Date }) {
  const isOverdue = session.status === 'scheduled' && hasEnded(session, now);
  const { tone, word } = sessionLooks[isOverdue ? 'overdue' : session.status];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}
