import { useQuery } from '@tanstack/react-query';
import { readCoachDashboard } from '#contract/home.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { CoachSessionList } from './CoachSessionList.tsx';

/** The next sessions; past ones and what can be done with a session come with the coaching screens. */
export function CoachSessions() {
  const dashboard = useQuery(queryFor(readCoachDashboard));
  if (dashboard.isPending) return <LoadingState label="Loading your sessions" rows={3} />;
  if (!dashboard.data) {
    return (
      <ErrorState
        title="Failed to load coaching sessions"
        message={messageOf(dashboard.error)}
        onRetry={() => void dashboard.refetch()}
        isRetrying={dashboard.isFetching}
      />
    );
  }
  return (
    <CoachSessionList
      title="Upcoming sessions"
      sessions={dashboard.data.upcomingSessions}
      emptyText="No session is booked."
    />
  );
}
