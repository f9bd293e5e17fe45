import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { Progress } from '#contract/fellowship.ts';
import { Meter } from '../../ui/Meter.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { progressStatuses, scheduleOf } from './progress-words.ts';

/** FELL-03: how much is complete. Compares with the calendar first, because the status counts the whole programme. */
export function ProgressCard({ progress }: { progress: Progress }) {
  const { word, meaning } = progressStatuses[progress.status];
  const schedule = scheduleOf(progress.daysAheadBehind);
  const percentage = Math.round(progress.overallPercentage);
  return (
    <Card component="section" aria-labelledby="progress">
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id="progress">
            Progress
          </Title>
          <StatusBadge tone={schedule.tone}>{schedule.words}</StatusBadge>
        </Group>
        <Meter
          label="Overall completion"
          percentage={percentage}
          text={
            <Text span fz={28} fw={650} lh={1}>
              {percentage}%
            </Text>
          }
          note="Required activities you attended and required assignments that were accepted, of all sixteen weeks."
        />
        <Text size="sm">
          Status: <b>{word}</b>
          {progress.daysAheadBehind === null ? '. It follows your first activity.' : `, for ${meaning}.`}
        </Text>
      </Stack>
    </Card>
  );
}
