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
  /** Assignments decide about this week's pay, so overdue ones come first. */
  assignments: ParticipantDashboard['openAssignments'];
  today: string;
}

const mostUpcoming = 5;

/** FELL-22, FELL-23 */
export function ParticipantDeadlines({ deadlines, assignments, today }: ParticipantDeadlinesProps) {
  const whenOf = (day: string) => `${formatDay(day)}, ${inDays(daysBetween(today, day))}`;
  const overdue = assignments.filter(({ dueDate }) => dueDate < today);
  const upcoming = [
    ...assignments
      .filter(({ dueDate }) => dueDate >= today)
      .map((assignment) => ({
        id: assignment.id,
        dueDate: assignment.dueDate,
        name: <AssignmentLink assignment={assignment} />,
        kind: 'Assignment of this week',
        isSoon: isSoon(daysBetween(today, assignment.dueDate)),
      })),
    ...deadlines
      .filter((deadline) => !isNamedBy(assignments, deadline))
      .map(({ id, title, type, dueDate, isDueSoon }) => ({
        id,
        dueDate,
        name: <Text>{title}</Text>,
        kind: `${type.charAt(0).toUpperCase()}${type.slice(1)}`,
        isSoon: isDueSoon,
      })),
  ].toSorted((one, other) => one.dueDate.localeCompare(other.dueDate));
  return (
    <HomePanel title="Upcoming deadlines">
      <Stack gap="md">
        {overdue.length > 0 ? <Overdue assignments={overdue} whenOf={whenOf} /> : null}
        {upcoming.length === 0 ? <Text c="dimmed">No deadline is coming up.</Text> : null}
        <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {upcoming.slice(0, mostUpcoming).map(({ id, name, kind, dueDate, isSoon: isDueSoon }) => (
            <Deadline
              key={id}
              title={name}
              facts={`${kind} · ${whenOf(dueDate)}`}
              badge={isDueSoon ? <StatusBadge tone="warning">Due soon</StatusBadge> : null}
            />
          ))}
        </Stack>
      </Stack>
    </HomePanel>
  );
}

type Assignment = ParticipantDeadlinesProps['assignments'][number];

/** A cohort may list an assignment as a requirement too. The same title and day mean the same work. */
function isNamedBy(
  assignments: Assignment[],
  { title, dueDate }: ParticipantDeadlinesProps['deadlines'][number],
): boolean {
  const folded = foldedTitle(title);
  return assignments.some((assignment) => assignment.dueDate === dueDate && foldedTitle(assignment.title) === folded);
}

function foldedTitle(title: string): string {
  return title.trim().replace(/\s+/g, ' ').toLowerCase();
}

function Overdue({ assignments, whenOf }: { assignments: Assignment[]; whenOf: (day: string) => string }) {
  return (
    <Stack gap={4} align="flex-start" data-overdue>
      <StatusBadge tone="danger">Overdue</StatusBadge>
      {assignments.map((assignment) => (
        <div key={assignment.id}>
          <AssignmentLink assignment={assignment} />
          <Text size="sm" c="dimmed">
            {whenOf(assignment.dueDate)}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

function AssignmentLink({ assignment: { id, submissionId, title } }: { assignment: Assignment }) {
  return (
    <Anchor component={Link} to={submissionId ? paths.resubmit(id, submissionId) : paths.assignment(id)}>
      {title}
    </Anchor>
  );
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
