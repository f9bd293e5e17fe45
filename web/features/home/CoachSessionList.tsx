import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CoachDashboard } from '#contract/home.ts';
import { paths } from '../../app/paths.ts';
import { AddToCalendar } from '../../ui/AddToCalendar.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { JoinButton } from '../coaching/JoinButton.tsx';
import { hasEnded } from '../coaching/join-times.ts';
import { sessionLooks } from '../coaching/session-looks.ts';
import { useNow } from '../coaching/use-now.ts';
import { HomePanel } from './HomePanel.tsx';

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
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {sessions.map((session) => (
          <li key={session.id}>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Box style={{ minWidth: 0 }}>
                <Anchor component={Link} to={paths.person(session.participantId)} fw={550} c="inherit" display="block">
                  {session.firstName} {session.lastName}
                </Anchor>
                <Text size="sm" c="dimmed" component="div">
                  <DateTime value={session.scheduledAt} /> · {session.durationMinutes} minutes
                </Text>
                {session.agenda ? <Text size="sm">{session.agenda}</Text> : null}
                {session.status === 'scheduled' && !hasEnded(session, now) ? (
                  <Group gap="sm" mt={4}>
                    <JoinButton session={session} />
                    <AddToCalendar
                      kind="session"
                      id={session.id}
                      name={`session with ${session.firstName} ${session.lastName}`}
                      isSmall
                    />
                  </Group>
                ) : null}
              </Box>
              <Box style={{ flex: '0 0 auto' }}>
                <SessionState session={session} now={now} />
              </Box>
            </Group>
          </li>
        ))}
      </Stack>
    </HomePanel>
  );
}

/** COACH-38 */
function SessionState({ session, now }: { session: Session; now: Date }) {
  const isOverdue = session.status === 'scheduled' && hasEnded(session, now);
  const { tone, word } = sessionLooks[isOverdue ? 'overdue' : session.status];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}
