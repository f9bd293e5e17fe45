import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Check } from 'lucide-react';
import { recordAttendance } from '#contract/documented-functions.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readActivity } from '#contract/learning.ts';
import { useAction } from '../../api/use-action.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { showToast } from '../../ui/toast.tsx';
import { AttendanceCorrectionRequest } from './AttendanceCorrectionRequest.tsx';

type Activity = ResponseOf<typeof readActivity>;

/** ACT-18 */
const recordedMinutes = 60;

export function CompleteActivity({ activity }: { activity: Activity }) {
  const { id, weekNumber, state, completion, completedAt, can, completionBlockedBecause } = activity;
  const failureTitle = 'Completion Failed';
  const record = useAction(recordAttendance, { success: 'Activity Completed', failureTitle });
  const complete = () => {
    if (!completion) return showToast({ type: 'error', title: failureTitle, message: completionBlockedBecause });
    record.run({
      body: {
        fellow_id: completion.fellowId,
        cohort_id: completion.cohortId,
        week_number: weekNumber,
        content_type: 'live_session',
        content_id: id,
        duration_minutes: recordedMinutes,
      },
    });
  };
  return (
    <Card component="section" aria-labelledby="completion">
      <Stack gap="sm">
        <Title order={2} id="completion">
          Complete This Activity
        </Title>
        {completedAt ? (
          <Group gap="sm" role="status">
            <StatusBadge tone="success">Completed</StatusBadge>
            <Text size="sm" c="dimmed" component="div">
              Recorded <DateTime value={completedAt} />
            </Text>
          </Group>
        ) : (
          <>
            <Text id="completion-note">
              {completionBlockedBecause ?? 'Mark it complete when you have attended the session or done the work.'}
            </Text>
            <Button
              onClick={complete}
              loading={record.isRunning}
              disabled={completion !== null && !can.complete}
              leftSection={<Check size={16} aria-hidden />}
              aria-describedby="completion-note"
              w="fit-content"
            >
              Mark as complete
            </Button>
          </>
        )}
        <AttendanceCorrectionRequest
          activityId={id}
          isCompleted={completedAt !== null}
          canRecord={completedAt === null && can.complete}
          isToCome={state === 'locked' || state === 'upcoming'}
        />
      </Stack>
    </Card>
  );
}
