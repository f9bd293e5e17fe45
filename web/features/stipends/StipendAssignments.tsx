import { Badge, Box, Text, Title } from '@mantine/core';
import type { ResponseOf } from '#contract/endpoint.ts';
import { type PayPeriod, periodWords } from '#contract/pay-periods.ts';
import type { readStipend } from '#contract/stipends.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { formatShortDay, formatShortInstant } from '../../ui/dates.ts';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { TextInRow } from '../../ui/TextInRow.tsx';
import { TitleOnPhone, TwoLines } from '../../ui/TwoLines.tsx';

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
        <DataTable label="Assignments" columns={columns} rows={assignments} keyOf={({ id }) => id} minWidth={780} />
      )}
    </Box>
  );
}

const columns: Column<Assignment>[] = [
  {
    key: 'title',
    label: 'Assignment',
    onPhone: 'first',
    cell: ({ title, isRequired, counts }) => (
      <TwoLines
        first={title}
        second={
          isRequired || !counts ? (
            <>
              {isRequired ? <RequiredTag /> : null} {counts ? null : notCounted}
            </>
          ) : null
        }
        secondInFull={counts ? undefined : notCounted}
      />
    ),
    cellOnPhone: ({ title }) => <TitleOnPhone>{title}</TitleOnPhone>,
  },
  {
    key: 'due',
    label: 'Due Date',
    width: 124,
    onPhone: 'secondRest',
    cell: ({ dueDate }) => formatShortDay(dueDate),
    cellOnPhone: ({ dueDate, submittedAt, counts }) => (
      <>
        <TwoLines first={submittedInWords(submittedAt)} second={dueDate ? `Due ${formatShortDay(dueDate)}` : null} />
        {counts ? null : <Text size="sm">{notCounted}</Text>}
      </>
    ),
  },
  {
    key: 'status',
    label: 'Status',
    width: 148,
    onPhone: 'firstEnd',
    cell: ({ status }) => <StatusBadge tone={tones[status ?? ''] ?? 'neutral'}>{statusWords(status)}</StatusBadge>,
  },
  {
    key: 'submitted',
    label: 'Submitted',
    width: 160,
    onPhone: 'secondEnd',
    cell: ({ submittedAt }) =>
      submittedAt ? <time dateTime={submittedAt}>{formatShortInstant(submittedAt)}</time> : 'Not submitted',
    cellOnPhone: ({ isRequired }) => (isRequired ? <RequiredTag /> : null),
  },
  {
    key: 'feedback',
    label: 'Feedback',
    width: '28%',
    onPhone: 'below',
    cell: (row) => <Feedback row={row} />,
    cellOnPhone: (row) => (row.feedback ? <Feedback row={row} /> : null),
  },
];

const notCounted = 'Due before joining, does not count';

function RequiredTag() {
  return (
    <Badge color="indigo" size="sm">
      Required
    </Badge>
  );
}

function Feedback({ row: { title, feedback, status } }: { row: Assignment }) {
  return (
    <TextInRow name={`the feedback on ${title}`}>
      {feedback && status === 'submitted' ? 'On the last round: ' : ''}
      {feedback ?? 'None'}
    </TextInRow>
  );
}

function submittedInWords(submittedAt: string | null): string {
  return submittedAt ? `Submitted ${formatShortInstant(submittedAt)}` : 'Not submitted';
}

/** STIP-36: 'Needs revision' for needs_revision, 'None' without a submission. */
function statusWords(status: string | null): string {
  const words = (status ?? 'none').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
