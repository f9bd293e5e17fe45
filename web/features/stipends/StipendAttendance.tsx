import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readStipend } from '#contract/stipends.ts';
import { formatShortDay, formatShortInstant } from '../../ui/dates.ts';
import { CriterionIcon } from './StipendCriteria.tsx';

type Attendance = ResponseOf<typeof readStipend>['attendance'];

/** STIP-53 */
export function StipendAttendance({ attendance }: { attendance: Attendance }) {
  return (
    <Box component="section" aria-label="Attendance of the week">
      <Title order={3} mb="xs">
        Attendance
      </Title>
      {attendance.length === 0 ? <Text c="dimmed">No activities this week</Text> : null}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {attendance.map(({ activityId, title, sessionDate, accessedAt, counts }) => (
          <li key={activityId}>
            <Group gap={8} wrap="nowrap" align="flex-start">
              <CriterionIcon isMet={accessedAt !== null} />
              <Box>
                <Text>
                  {title}
                  {sessionDate ? `, ${formatShortDay(sessionDate)}` : ''}
                </Text>
                <Text size="sm" c="dimmed">
                  {accessedAt ? `Accessed ${formatShortInstant(accessedAt)}` : 'Not accessed'}
                  {counts ? '' : '; held before joining, does not count'}
                </Text>
              </Box>
            </Group>
          </li>
        ))}
      </Stack>
    </Box>
  );
}
