import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ParticipantDashboard } from '#contract/home.ts';
import { daysBetween } from '#contract/weeks.ts';
import { paths } from '../../app/paths.ts';
import { formatDay } from '../../ui/dates.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { inDays, isSoon } from './due-words.ts';
import { HomePanel } from './HomePanel.tsx';

interface ParticipantDeadlinesProps {
  deadlines: ParticipantDashboard['deadlines'];
  /** They decide about this week's pay, so they stand first. */
  assignments: ParticipantDashboard['openAssignments'];
  today: string;
}

/** FELL-22, FELL-23 */
export function ParticipantDeadlines({ deadlines, assignments, today }: ParticipantDeadlinesProps) {
  const whenOf = (day: string) => `${formatDay(day)}, ${inDays(daysBetween(today, day))}`;
  return (
    <HomePanel title="Upcoming deadlines">
      {deadlines.length + assignments.length === 0 ? <Text c="dimmed">No deadline is coming up.</Text> : null}
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {assignments.map(({ id, submissionId, title, dueDate }) => (
          <Deadline
            key={id}
            title={
              <Anchor
                component={Link}
                to={submissionId ? paths.resubmit(id, submissionId) : paths.assignment(id)}
                style={{ overflowWrap: 'anywhere' }}
              >
                {title}
              </Anchor>
            }
            facts={`Assignment of this week · ${whenOf(dueDate)}`}
            badge={<Urgency days={daysBetween(today, dueDate)} />}
          />
        ))}
        {deadlines.map(({ id, title, type, dueDate, isDueSoon }) => (
          <Deadline
            key={id}
            title={<Text style={{ overflowWrap: 'anywhere' }}>{title}</Text>}
            facts={`${type.charAt(0).toUpperCase()}${type.slice(1)} · ${whenOf(dueDate)}`}
            badge={isDueSoon ? <StatusBadge tone="warning">Due soon</StatusBadge> : null}
          />
        ))}
      </Stack>
    </HomePanel>
  );
}

function Urgency({ days }: { days: number }) {
  if (days < 0) return <StatusBadge tone="danger">Overdue</StatusBadge>;
  return isSoon(days) ? <StatusBadge tone="warning">Due soon</StatusBadge> : null;
}

function Deadline({ title, facts, badge }: { title: ReactNode; facts: string; badge: ReactNode }) {
  return (
    <li>
      <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
        <Box style={{ minWidth: 0 }}>
          {title}
          <Text size="sm" c="dimmed">
            {facts}
          </Text>
        </Box>
        {badge ? <Box style={{ flex: '0 0 auto' }}>{badge}</Box> : null}
      </Group>
    </li>
  );
}
