import { Box, Group, Stack, Text } from '@mantine/core';
import type { ParticipantDashboard } from '#contract/home.ts';
import { daysBetween } from '#contract/weeks.ts';
import { formatDay } from '../../ui/dates.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { inDays } from './due-words.ts';
import { HomePanel } from './HomePanel.tsx';

interface ParticipantDeadlinesProps {
  deadlines: ParticipantDashboard['deadlines'];
  today: string;
}

/** FELL-22, FELL-23 */
export function ParticipantDeadlines({ deadlines, today }: ParticipantDeadlinesProps) {
  return (
    <HomePanel title="Upcoming deadlines">
      {deadlines.length === 0 ? <Text c="dimmed">No deadline is coming up.</Text> : null}
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {deadlines.map(({ id, title, type, dueDate, isDueSoon }) => (
          <li key={id}>
            <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
              <Box style={{ minWidth: 0 }}>
                <Text style={{ overflowWrap: 'anywhere' }}>{title}</Text>
                <Text size="sm" c="dimmed">
                  <Text span inherit tt="capitalize">
                    {type}
                  </Text>{' '}
                  · {formatDay(dueDate)}, {inDays(daysBetween(today, dueDate))}
                </Text>
              </Box>
              {isDueSoon ? (
                <Box style={{ flex: '0 0 auto' }}>
                  <StatusBadge tone="warning">Due soon</StatusBadge>
                </Box>
              ) : null}
            </Group>
          </li>
        ))}
      </Stack>
    </HomePanel>
  );
}
