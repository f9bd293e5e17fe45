import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ResponseOf } from '#contract/endpoint.ts';
import { type PayPeriod, periodWords } from '#contract/pay-periods.ts';
import type { readStipend } from '#contract/stipends.ts';
import type { CriterionState } from '#contract/week-standing.ts';
import { dayAt } from '#contract/weeks.ts';
import { shownZone } from '../../api/shown-zone.ts';
import { formatShortDay, formatShortInstant } from '../../ui/dates.ts';
import { CriterionIcon } from './StipendCriteria.tsx';

type Attendance = ResponseOf<typeof readStipend>['attendance'];

/** STIP-53 */
export function StipendAttendance({ attendance, payPeriod }: { attendance: Attendance; payPeriod: PayPeriod }) {
  const { one, present } = periodWords[payPeriod];
  return (
    <Box component="section" aria-label={`Attendance of the ${one}`}>
      <Title order={3} mb="xs">
        Attendance
      </Title>
      {attendance.length === 0 ? <Text c="dimmed">No activities {present}</Text> : null}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {attendance.map(({ activityId, title, sessionDate, accessedAt, counts }) => (
          <li key={activityId}>
            <Group gap={8} wrap="nowrap" align="flex-start">
              <CriterionIcon state={stateOf({ sessionDate, accessedAt })} />
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

/** Nobody has missed what is still to come. */
function stateOf({ sessionDate, accessedAt }: Pick<Attendance[number], 'sessionDate' | 'accessedAt'>): CriterionState {
  if (accessedAt !== null) return 'met';
  return sessionDate !== null && sessionDate < dayAt(new Date(), shownZone()) ? 'not_met' : 'so_far';
}
