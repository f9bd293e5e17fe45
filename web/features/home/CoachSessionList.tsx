import { Group, Stack, Text } from '@mantine/core';
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
          <li key={session.id}>
            <Group justify="space-between" gap="4px 8px">
              <NameLink
                name={nameOf(session)}
                to={session.can.openPerson ? paths.person(session.participantId) : null}
                fw={550}
              />
              <SessionState session={session} now={now} />
            </Group>
            <Text size="sm" c="dimmed" component="div">
              <DateTime value={session.scheduledAt} /> · {session.durationMinutes} minutes
            </Text>
            {session.agenda ? (
              <Text size="sm" lineClamp={3}>
                {session.agenda}
              </Text>
            ) : null}
            {session.notes ? (
              <Text size="sm" c="dimmed" lineClamp={3}>
                Notes: {session.notes}
              </Text>
            ) : null}
            <Group gap="sm" mt={4} align="flex-start">
              {session.status === 'scheduled' && !hasEnded(session, now) ? (
                <>
                  <JoinButton session={session} />
                  <AddToCalendar kind="session" id={session.id} name={`session with ${nameOf(session)}`} isQuiet />
                </>
              ) : null}
              <SessionNotes session={session} />
            </Group>
          </li>
        ))}
      </Stack>
    </HomePanel>
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
