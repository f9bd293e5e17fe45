import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ParticipantDashboard } from '#contract/home.ts';
import type { Standing } from '#contract/standing.ts';
import { daysBetween } from '#contract/weeks.ts';
import { type WorkState, workStanding } from '#contract/work-standing.ts';
import { paths } from '../../app/paths.ts';
import { formatDay } from '../../ui/dates.ts';
import { inDays } from '../../ui/due-words.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';

interface ParticipantDeadlinesProps {
  deadlines: ParticipantDashboard['deadlines'];
  /** Assignments decide about this week's pay, so returned and overdue ones come first. */
  assignments: ParticipantDashboard['openAssignments'];
  today: string;
  isFolded?: boolean;
}

const mostUpcoming = 5;

/** FELL-22, FELL-23 */
export function ParticipantDeadlines({ deadlines, assignments, today, isFolded = false }: ParticipantDeadlinesProps) {
  const whenOf = (day: string) => `${formatDay(day)}, ${inDays(daysBetween(today, day))}`;
  const works = assignments.map((assignment) => ({ assignment, standing: workStanding({ ...assignment, today }) }));
  const apart = works.filter(({ standing }) => isApart(standing));
  const upcoming = [
    ...works
      .filter(({ standing }) => !isApart(standing))
      .map(({ assignment, standing }) => ({
        id: assignment.id,
        dueDate: assignment.dueDate,
        name: <AssignmentLink assignment={assignment} />,
        kind: 'Assignment of this week',
        badge:
          standing.state === 'to_hand_in' ? null : <StatusBadge tone={standing.color}>{standing.label}</StatusBadge>,
      })),
    ...deadlines
      .filter((deadline) => !isNamedBy(assignments, deadline))
      .map(({ id, title, type, dueDate, isDueSoon }) => ({
        id,
        dueDate,
        name: <Text>{title}</Text>,
        kind: `${type.charAt(0).toUpperCase()}${type.slice(1)}`,
        badge: isDueSoon ? <StatusBadge tone="warning">Due soon</StatusBadge> : null,
      })),
  ].toSorted((one, other) => one.dueDate.localeCompare(other.dueDate));
  const figure = figureOf(
    apart.map(({ standing }) => standing.state),
    upcoming.slice(0, mostUpcoming),
  );
  return (
    <HomePanel title="Upcoming deadlines" fold={isFolded ? { name: 'deadlines', figure } : null}>
      <Stack gap="md">
        {apart.map(({ assignment, standing }) => (
          <Apart key={assignment.id} assignment={assignment} standing={standing} whenOf={whenOf} />
        ))}
        {upcoming.length === 0 ? <Text c="dimmed">You have no upcoming deadlines.</Text> : null}
        <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {upcoming.slice(0, mostUpcoming).map(({ id, name, kind, dueDate, badge }) => (
            <Deadline key={id} title={name} facts={`${kind} · ${whenOf(dueDate)}`} badge={badge} />
          ))}
        </Stack>
      </Stack>
    </HomePanel>
  );
}

function figureOf(apart: WorkState[], upcoming: { dueDate: string }[]): string {
  const count = (state: WorkState, word: string) => {
    const number = apart.filter((one) => one === state).length;
    return number > 0 ? [`${number} ${word}`] : [];
  };
  const [next] = upcoming;
  const coming = next ? `${upcoming.length} coming, the next on ${formatDay(next.dueDate)}` : 'None coming';
  return [...count('overdue', 'overdue'), ...count('returned', 'returned'), coming].join('\u00a0· ');
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

type Work = Standing<WorkState>;

/** What is returned or overdue is no upcoming deadline, and has a line of its own. */
function isApart({ state }: Work): boolean {
  return state === 'returned' || state === 'overdue';
}

interface ApartProps {
  assignment: Assignment;
  standing: Work;
  whenOf: (day: string) => string;
}

function Apart({ assignment, standing: { state, color, label }, whenOf }: ApartProps) {
  return (
    <Stack gap={4} align="flex-start" data-state={state}>
      <StatusBadge tone={color}>{state === 'overdue' ? 'Overdue assignment' : label}</StatusBadge>
      <div>
        <AssignmentLink assignment={assignment} />
        <Text size="sm" c="dimmed">
          {state === 'overdue'
            ? whenOf(assignment.dueDate)
            : `Your coach asks for changes. It was due ${formatDay(assignment.dueDate)}.`}
        </Text>
      </div>
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
