import { Stack, Text } from '@mantine/core';
import type { ParticipantDashboard } from '#contract/home.ts';
import { formatDay } from '../../ui/dates.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';

interface ParticipantWeekPanelProps {
  thisWeek: ParticipantDashboard['thisWeek'];
  week: NonNullable<ParticipantDashboard['week']>;
  cohortName: string;
}

/** FELL-18, FELL-19 */
export function ParticipantWeekPanel({ thisWeek, week, cohortName }: ParticipantWeekPanelProps) {
  const { done, total, isOnTrack } = thisWeek;
  const isBehindThisWeek = done * 2 < total;
  return (
    <HomePanel
      title={`Week ${week.number} status`}
      aside={
        <StatusBadge tone={isOnTrack ? 'success' : 'warning'}>{isOnTrack ? 'On track' : 'Not on track'}</StatusBadge>
      }
    >
      <Stack gap={4}>
        <Text>
          {total === 0 ? 'No activities this week.' : `${done} of ${total} activities of this week are done.`}
        </Text>
        {isOnTrack ? null : (
          <Text size="sm">
            {isBehindThisWeek
              ? 'Half of this week’s activities are needed to be on track.'
              : 'An activity of an earlier week is overdue.'}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {cohortName}, {formatDay(week.firstDay)} to {formatDay(week.lastDay)}
          {week.holiday ? `, with ${week.holiday}` : ''}
        </Text>
      </Stack>
    </HomePanel>
  );
}
