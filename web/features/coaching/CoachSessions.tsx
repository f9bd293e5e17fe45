import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listCoachSessions } from '#contract/coach-sessions.ts';
import { queryFor } from '../../api/query-for.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { CoachSessionRows } from './CoachSessionRows.tsx';
import { UpcomingSessions } from './UpcomingSessions.tsx';

const lookAgainInMs = 60_000;

/** COACH-29 to COACH-42 */
export function CoachSessions() {
  // The server decides what begins, what has ended, and what a coach can do then.
  const sessions = useQuery({ ...queryFor(listCoachSessions), refetchInterval: lookAgainInMs });
  return (
    <Loaded
      read={sessions}
      failure="Failed to load coaching sessions"
      loading={{ label: 'Loading your sessions', rows: 5 }}
    >
      {({ olderOverdue, olderOverdueCount, upcoming, upcomingCount, cancelled, past }) => (
        <Stack gap="lg">
          {olderOverdue.length > 0 ? (
            <CoachSessionRows title="Older sessions that are still open" sessions={olderOverdue} emptyText="">
              <MoreOverdue count={olderOverdueCount} shown={olderOverdue.length} />
            </CoachSessionRows>
          ) : null}
          <UpcomingSessions first={upcoming} count={upcomingCount} />
          {cancelled.length > 0 ? (
            <CoachSessionRows title="Upcoming sessions that were cancelled" sessions={cancelled} emptyText="" />
          ) : null}
          <CoachSessionRows title="Past sessions" sessions={past} emptyText="No session has taken place yet." />
        </Stack>
      )}
    </Loaded>
  );
}

function MoreOverdue({ count, shown }: { count: number; shown: number }) {
  if (count <= shown) return null;
  return (
    <Text size="sm" c="dimmed" mt="md">
      And {count - shown} more. They appear as you complete these.
    </Text>
  );
}
