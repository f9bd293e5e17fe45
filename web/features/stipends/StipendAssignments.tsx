import { Badge, Box, Text, Title } from '@mantine/core';
import type { ResponseOf } from '#contract/endpoint.ts';
import { type PayPeriod, periodWords } from '#contract/pay-periods.ts';
import type { readStipend } from '#contract/stipends.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { formatShortDay, formatShortInstant } from '../../ui/dates.ts';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';

type Assignment = ResponseOf<typeof readStipend>['assignments'][number];

const tones: Record<string, Tone> = {
  accepted: 'success',
  submitted: 'info',
  needs_revision: 'warning',
  rejected: 'danger',
};

/** STIP-51, STIP-52 */
export function StipendAssignments({ assignments, payPeriod }: { assignments: Assignment[]; payPeriod: PayPeriod }) {
  const { one, present } = periodWords[payPeriod];
  return (
    <Box component="section" aria-label={`Assignments of the ${one}`}>
      <Title order={3} mb="xs">
        Assignments
      </Title>
      {assignments.length === 0 ? (
        <Text c="dimmed">No assignments {present}</Text>
      ) : (
        <DataTable label="Assignments" columns={columns} rows={assignments} keyOf={({ id }) => id} />
      )}
    </Box>
  );
}

const columns: Column<Assignment>[] = [
  {
    key: 'title',
    label: 'Assignment',
    cell: ({ title, isRequired, counts }) => (
      <Box miw={140}>
        {title}{' '}
        {isRequired ? (
          <Badge color="indigo" size="sm">
            Required
          </Badge>
        ) : null}
        {counts ? null : (
          <Text size="sm" c="dimmed">
            Due before joining, does not count
          </Text>
        )}
      </Box>
    ),
  },
  { key: 'due', label: 'Due Date', cell: ({ dueDate }) => formatShortDay(dueDate) },
  {
    key: 'status',
    label: 'Status',
    cell: ({ status }) => <StatusBadge tone={tones[status ?? ''] ?? 'neutral'}>{statusWords(status)}</StatusBadge>,
  },
  {
    key: 'submitted',
    label: 'Submitted',
    cell: ({ submittedAt }) =>
      submittedAt ? <time dateTime={submittedAt}>{formatShortInstant(submittedAt)}</time> : 'Not submitted',
  },
  {
    key: 'feedback',
    label: 'Feedback',
    cell: ({ feedback, status }) => (
      <Text size="sm" miw={140} style={{ whiteSpace: 'pre-wrap' }}>
        {feedback && status === 'submitted' ? 'On the last round: ' : ''}
        {feedback ?? 'None'}
      </Text>
    ),
  },
];

/** STIP-36: 'Needs revision' for needs_revision, 'None' without a submission. */
function statusWords(status: string | null): string {
  const words = (status ?? 'none').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
