import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { openRequired, readActivityContent } from '#contract/activities.ts';
import { recordAttendance } from '#contract/documented-functions.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readActivity } from '#contract/learning.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { showToast } from '../../ui/toast.tsx';
import { AfterCompletion } from './AfterCompletion.tsx';
import { AttendanceCorrectionRequest } from './AttendanceCorrectionRequest.tsx';

type Activity = ResponseOf<typeof readActivity>;

const OpenItemsDialog = lazy(async () => ({ default: (await import('./OpenItemsDialog.tsx')).OpenItemsDialog }));

/** ACT-18 */
const recordedMinutes = 60;

export function CompleteActivity({ activity }: { activity: Activity }) {
  const { id, weekNumber, state, completion, completedAt, can, completionBlockedBecause } = activity;
  const failureTitle = 'Completion Failed';
  const [isAsking, setAsking] = useState(false);
  const [isJustDone, setJustDone] = useState(false);
  const contents = useQuery(queryFor(readActivityContent, { params: { id } }));
  const open = openRequired(contents.data?.items ?? []);
  const record = useAction(recordAttendance, {
    success: 'Activity Completed',
    failureTitle,
    onSuccess: () => setJustDone(true),
  });
  const heading = useRef<HTMLHeadingElement>(null);
  const isDone = completedAt !== null;
  // The button that had the focus is gone.
  useEffect(() => {
    if (!isJustDone || !isDone) return;
    heading.current?.focus();
    // What it brought stands below.
    heading.current?.scrollIntoView?.({ block: 'center' });
  }, [isJustDone, isDone]);
  const complete = () => {
    setAsking(false);
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
  const ask = () => {
    if (open.length === 0) return complete();
    setAsking(true);
  };
  // What was ticked a moment ago may still count as open when the button is pressed.
  const isAnswered = isAsking && open.length === 0;
  const goOn = useEffectEvent(complete);
  useEffect(() => {
    if (isAnswered) goOn();
  }, [isAnswered]);
  return (
    <Card component="section" aria-labelledby="completion">
      <Stack gap="sm">
        <Title order={2} id="completion" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          Complete This Activity
        </Title>
        {completedAt ? (
          <>
            <Group gap="sm" role="status">
              <StatusBadge tone="success">Completed</StatusBadge>
              <Text size="sm" c="dimmed" component="div">
                Recorded <DateTime value={completedAt} />
              </Text>
            </Group>
            {open.length > 0 ? <Text size="sm">Still open: {open.map(({ title }) => title).join(', ')}</Text> : null}
            {isJustDone ? <AfterCompletion weekNumber={weekNumber} /> : null}
          </>
        ) : (
          <>
            <Text id="completion-note">
              {completionBlockedBecause ?? 'Mark it complete when you have attended the session or done the work.'}
            </Text>
            <Button
              onClick={ask}
              // Before the contents are there, nobody knows what to ask about.
              loading={record.isRunning || contents.isPending}
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
      {isAsking && open.length > 0 ? (
        <Suspense>
          <OpenItemsDialog items={open} onConfirm={complete} onClose={() => setAsking(false)} />
        </Suspense>
      ) : null}
    </Card>
  );
}
