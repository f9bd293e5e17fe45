import { Box, Group, Stack, Text } from '@mantine/core';
import type { ParticipantDashboard } from '#contract/home.ts';
import { formatDay } from '../../ui/dates.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';

/** FELL-22, FELL-23 */
export function ParticipantDeadlines({ deadlines }: { deadlines: ParticipantDashboard['deadlines'] }) {
  return (
    <HomePanel title="Upcoming deadlines">
      {deadlines.length === 0 ? <Text c="dimmed">No deadline is coming up.</Text> : null}
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {deadlines.map((deadline) => (
          <li key={deadline.id}>
            <Group justify="space-between" wrap="nowrap">
              <Box style={{ minWidth: 0 }}>
                <Text style={{ overflowWrap: 'anywhere' }}>{deadline.title}</Text>
                <Text size="sm" c="dimmed">
                  {deadline.type} · {formatDay(deadline.dueDate)}
                </Text>
              </Box>
              {deadline.isDueSoon ? <StatusBadge tone="warning">Due soon</StatusBadge> : null}
            </Group>
          </li>
        ))}
      </Stack>
    </HomePanel>
  );
}
