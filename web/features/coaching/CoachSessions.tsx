import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listCoachSessions } from '#contract/coach-sessions.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { CoachSessionRows } from './CoachSessionRows.tsx';
import { UpcomingSessions } from './UpcomingSessions.tsx';

const lookAgainInMs = 60_000;

/** COACH-29 to COACH-42 */
export function CoachSessions() {
  // What begins and ends, and what can be done then, is the server's to say.
  const sessions = useQuery({ ...queryFor(listCoachSessions), refetchInterval: lookAgainInMs });
  if (sessions.isPending) return <LoadingState label="Loading your sessions" rows={5} />;
  return (
    <Stack gap="lg">
      {sessions.isError ? (
        <ErrorState
          title="Failed to load coaching sessions"
          message={messageOf(sessions.error)}
          onRetry={() => void sessions.refetch()}
          isRetrying={sessions.isFetching}
        />
      ) : null}
      {sessions.data ? (
        <>
          {sessions.data.olderOverdue.length > 0 ? (
            <CoachSessionRows
              title="Older sessions that are still open"
              sessions={sessions.data.olderOverdue}
              emptyText=""
            >
              <MoreOverdue count={sessions.data.olderOverdueCount} shown={sessions.data.olderOverdue.length} />
            </CoachSessionRows>
          ) : null}
          <UpcomingSessions first={sessions.data.upcoming} count={sessions.data.upcomingCount} />
          {sessions.data.cancelled.length > 0 ? (
            <CoachSessionRows title="Cancelled sessions to come" sessions={sessions.data.cancelled} emptyText="" />
          ) : null}
          <CoachSessionRows
            title="Past sessions"
            sessions={sessions.data.past}
            emptyText="No session has taken place yet."
          />
        </>
      ) : null}
    </Stack>
  );
}

function MoreOverdue({ count, shown }: { count: number; shown: number }) {
  if (count <= shown) return null;
  return (
    <Text size="sm" c="dimmed" mt="md">
      And {count - shown} more. They come up as you complete these.
    </Text>
  );
}
