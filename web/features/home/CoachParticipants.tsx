import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CoachDashboard } from '#contract/home.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { formatDay } from '../../ui/dates.ts';
import { EmptyState } from '../../ui/states.tsx';
import { HomePanel } from './HomePanel.tsx';

type Participant = CoachDashboard['participants'][number];

const columns: Column<Participant>[] = [
  {
    key: 'name',
    label: 'Participant',
    cell: ({ firstName, lastName, email }) => (
      <>
        <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
          {firstName} {lastName}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
      </>
    ),
  },
  { key: 'course', label: 'Course', cell: ({ courseTitle }) => courseTitle },
  { key: 'status', label: 'Status', cell: ({ status }) => status },
  { key: 'track', label: 'Track', cell: ({ trackType }) => trackType?.replace('_', ' ') ?? 'none' },
  { key: 'start', label: 'Start', cell: ({ startDate }) => formatDay(startDate, { withYear: true }) },
  { key: 'submitted', label: 'Submissions', isNumber: true, cell: ({ totalSubmissions }) => totalSubmissions },
  { key: 'graded', label: 'Reviewed', isNumber: true, cell: ({ gradedSubmissions }) => gradedSubmissions },
  {
    key: 'details',
    label: 'Details',
    cell: ({ firstName, lastName }) => (
      <Anchor component={Link} to={paths.submissions} size="sm" aria-label={`View Details of ${firstName} ${lastName}`}>
        View Details
      </Anchor>
    ),
  },
];

/** COACH-08, COACH-09 */
export function CoachParticipants({ participants }: { participants: Participant[] }) {
  return (
    <HomePanel title="My participants">
      {participants.length === 0 ? (
        <EmptyState title="No participants yet">
          Participants whom an admin assigns to you will be listed here.
        </EmptyState>
      ) : (
        <DataTable label="My participants" columns={columns} rows={participants} keyOf={({ id }) => id} />
      )}
    </HomePanel>
  );
}
