import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { Progress } from '#contract/fellowship.ts';
import { completionLabels, programmeStanding } from '#contract/standing.ts';
import { Meter } from '../../ui/Meter.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

/** FELL-03: how much is complete. The badge compares with the calendar. The status is named as the share that it is. */
export function ProgressCard({ progress }: { progress: Progress }) {
  const { color, label, sentence } = programmeStanding(progress);
  const percentage = Math.round(progress.overallPercentage);
  return (
    <Card component="section" aria-labelledby="progress">
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id="progress">
            Progress
          </Title>
          <StatusBadge tone={color}>{label}</StatusBadge>
        </Group>
        <Meter
          label="Overall completion"
          percentage={percentage}
          text={
            <Text span fz={28} fw={650} lh={1}>
              {percentage}%
            </Text>
          }
          note="Required activities you attended and required assignments we accepted, across all weeks of the program."
        />
        <Text size="sm">
          {progress.daysAheadBehind === null ? sentence : `Status: ${completionLabels[progress.status]}.`}
        </Text>
      </Stack>
    </Card>
  );
}
