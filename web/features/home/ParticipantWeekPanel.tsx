import { Stack, Text } from '@mantine/core';
import type { ParticipantDashboard } from '#contract/home.ts';
import { activitiesStanding, paceSentence } from '#contract/week-standing.ts';
import { formatDay } from '../../ui/dates.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';

interface ParticipantWeekPanelProps {
  thisWeek: ParticipantDashboard['thisWeek'];
  week: NonNullable<ParticipantDashboard['week']>;
  cohortName: string;
}

/** FELL-18, FELL-19: the week's activities. Its pay is judged in a panel of its own. */
export function ParticipantWeekPanel({ thisWeek, week, cohortName }: ParticipantWeekPanelProps) {
  const { color, label, sentence } = activitiesStanding(thisWeek);
  return (
    <HomePanel title={`Week ${week.number} status`} aside={<StatusBadge tone={color}>{label}</StatusBadge>}>
      <Stack gap={4}>
        <Text>{sentence}</Text>
        <Text size="sm">{paceSentence(thisWeek)}</Text>
        <Text size="sm" c="dimmed">
          {cohortName}, {formatDay(week.firstDay)} to {formatDay(week.lastDay)}
          {week.holiday ? `, with ${week.holiday}` : ''}
        </Text>
      </Stack>
    </HomePanel>
  );
}
