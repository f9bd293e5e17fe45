import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useEffect } from 'react';
import { opensOn, readActivity } from '#contract/learning.ts';
import type { Role } from '#contract/roles.ts';
import { isMissing, messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { paths } from '../../app/paths.ts';
import { whyNotTaught } from '../../ui/not-there.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { LoadingState } from '../../ui/states.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ActivityAttendance } from './ActivityAttendance.tsx';
import { ActivityContents } from './ActivityContents.tsx';
import { ActivityStateBadge } from './ActivityStateBadge.tsx';
import { CompleteActivity } from './CompleteActivity.tsx';
import { SessionFacts } from './SessionFacts.tsx';

export function ActivityPage() {
  const { activityId = '' } = useParams({ strict: false });
  const { role } = useSignedInUser();
  const { data: activity, error } = useQuery(queryFor(readActivity, { params: { id: activityId } }));
  useReturnWhenMissing(activity ? null : error, role);

  if (!activity) return <LoadingState label="Loading the activity" rows={6} />;
  const { title, weekNumber, moduleName, state, sessionDate } = activity;
  const opens = state === 'locked' ? opensOn(sessionDate) : null;
  return (
    <>
      <Anchor component={Link} to={paths.trainingCalendar} size="sm" mb="xs" display="inline-flex">
        <ArrowLeft size={16} aria-hidden style={{ marginInlineEnd: 4 }} />
        Training Calendar
      </Anchor>
      <PageHeader title={title} lead={[`Week ${weekNumber}`, moduleName].filter(Boolean).join(' · ')}>
        {state ? <ActivityStateBadge state={state} /> : null}
        {opens ? <Text fw={550}>{opens}</Text> : null}
      </PageHeader>
      <Stack gap="lg">
        <SessionFacts activity={activity} />
        <ActivityContents activityId={activity.id} isParticipant={role === 'participant'} opens={opens} />
        {role === 'participant' ? (
          <CompleteActivity key={activity.id} activity={activity} />
        ) : (
          <ActivityAttendance activityId={activity.id} />
        )}
      </Stack>
    </>
  );
}

/** ACT-10 to ACT-12: says that the activity cannot be shown, and leads to the calendar. */
function useReturnWhenMissing(error: Error | null, role: Role) {
  const navigate = useNavigate();
  useEffect(() => {
    if (!error) return;
    showToast(
      isMissing(error)
        ? {
            type: 'info',
            title: 'Activity Not Found',
            message: whyNotTaught(role),
          }
        : { type: 'error', title: 'Failed to load activity details', message: messageOf(error) },
    );
    void navigate({ to: paths.trainingCalendar, replace: true });
  }, [error, navigate, role]);
}
