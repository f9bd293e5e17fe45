import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import type { CoachDashboard } from '#contract/home.ts';
import { AddToCalendar } from '../../ui/AddToCalendar.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';

type Session = CoachDashboard['todaysSessions'][number];

const statusLooks: Record<Session['status'], { word: string; tone: Tone }> = {
  scheduled: { word: 'Scheduled', tone: 'info' },
  completed: { word: 'Completed', tone: 'success' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
  no_show: { word: 'No show', tone: 'warning' },
};

interface CoachSessionListProps {
  title: string;
  sessions: Session[];
  emptyText: string;
}

export function CoachSessionList({ title, sessions, emptyText }: CoachSessionListProps) {
  return (
    <HomePanel title={title}>
      {sessions.length === 0 ? <Text c="dimmed">{emptyText}</Text> : null}
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {sessions.map((session) => (
          <li key={session.id}>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Box style={{ minWidth: 0 }}>
                <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
                  {session.firstName} {session.lastName}
                </Text>
                <Text size="sm" c="dimmed" component="div">
                  <DateTime value={session.scheduledAt} /> · {session.durationMinutes} minutes
                </Text>
                {session.agenda ? (
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {session.agenda}
                  </Text>
                ) : null}
                {session.teamsLink ? (
                  <Anchor href={session.teamsLink} target="_blank" rel="noreferrer" size="sm">
                    Meeting link
                  </Anchor>
                ) : null}
                {session.status === 'scheduled' ? (
                  <AddToCalendar
                    kind="session"
                    id={session.id}
                    name={`session with ${session.firstName} ${session.lastName}`}
                    isSmall
                  />
                ) : null}
              </Box>
              <Box style={{ flex: '0 0 auto' }}>
                <StatusBadge tone={statusLooks[session.status].tone}>{statusLooks[session.status].word}</StatusBadge>
              </Box>
            </Group>
          </li>
        ))}
      </Stack>
    </HomePanel>
  );
}
