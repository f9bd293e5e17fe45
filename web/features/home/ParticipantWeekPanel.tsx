import { Stack, Text } from '@mantine/core';
import type { ParticipantDashboard } from '#contract/home.ts';
import { Meter } from '../../ui/Meter.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';

/** FELL-18, FELL-19 */
export function ParticipantWeekPanel({ dashboard }: { dashboard: ParticipantDashboard }) {
  const { thisWeek, week, cohort } = dashboard;
  const share = thisWeek.total === 0 ? 100 : (100 * thisWeek.done) / thisWeek.total;
  return (
    <HomePanel
      title={`Week ${week.number}`}
      aside={
        <StatusBadge tone={thisWeek.isOnTrack ? 'success' : 'warning'}>
          {thisWeek.isOnTrack ? 'On track' : 'Not on track'}
        </StatusBadge>
      }
    >
      <Stack gap="sm">
        <Meter label="Activities done" percentage={share} text={`${thisWeek.done} of ${thisWeek.total}`} />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {cohort?.name}
        </Text>
      </Stack>
    </HomePanel>
  );
}
