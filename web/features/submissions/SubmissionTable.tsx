import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { SubmissionOrder, SubmissionRow } from '#contract/submissions.ts';
import { returnedLabel } from '#contract/work-standing.ts';
import { downloadStoredFile } from '../../api/download.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { NameLink } from '../../ui/NameLink.tsx';
import { SubmissionStatusBadge } from '../../ui/SubmissionStatusBadge.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import { FeedbackInList } from './FeedbackInList.tsx';
import { ActsOnPhone, WorkOnPhone } from './SubmissionOnPhone.tsx';
import { statusNames } from './status-names.ts';
import { VerdictRound } from './VerdictRound.tsx';

interface SubmissionTableProps {
  rows: SubmissionRow[];
  isReviewer: boolean;
  order: SubmissionOrder;
  onOrder: (order: SubmissionOrder) => void;
  onOpen: (submissionId: string) => void;
}

/** SUBM-23 */
export function SubmissionTable({ rows, isReviewer, order, onOrder, onOpen }: SubmissionTableProps) {
  const columns = isReviewer
    ? reviewerColumns(onOpen)
    : [
        assignmentColumn,
        statusColumn,
        submittedColumn,
        { ...feedbackColumn, width: '30%' },
        actionColumn(isReviewer, onOpen),
      ];
  return (
    <DataTable
      label="Submissions"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      order={order}
      onOrder={onOrder}
    />
  );
}

type SubmissionColumn = Column<SubmissionRow, SubmissionOrder>;

/** On a phone, reviewers read whose work it is and how it stands, and below it which work and since when. */
function reviewerColumns(onOpen: SubmissionTableProps['onOpen']): SubmissionColumn[] {
  return [
    { ...assignmentColumn, onPhone: 'secondRest', cellOnPhone: (row) => <WorkOnPhone row={row} /> },
    participantColumn,
    {
      ...statusColumn,
      onPhone: 'firstEnd',
      cellOnPhone: ({ status }) => <SubmissionStatusBadge status={status}>{statusNames[status]}</SubmissionStatusBadge>,
    },
    submittedColumn,
    feedbackColumn,
    {
      ...actionColumn(true, onOpen),
      onPhone: 'secondEnd',
      cellOnPhone: (row) => <ActsOnPhone row={row} onOpen={onOpen} />,
    },
  ];
}

const assignmentColumn: SubmissionColumn = {
  key: 'assignment',
  label: 'Assignment',
  width: '27%',
  cell: (row) => (
    <div>
      <Anchor component={Link} to={paths.assignment(row.assignmentId)} fw={550}>
        {row.assignmentTitle}
      </Anchor>
      <Text size="sm" c="dimmed">
        Week {row.weekNumber} · {row.activityTitle}
      </Text>
    </div>
  ),
};

const participantColumn: SubmissionColumn = {
  key: 'participant',
  label: 'Participant',
  width: '14%',
  onPhone: 'first',
  cell: (row) => <Participant row={row} />,
  cellOnPhone: (row) => <TwoLines first={<Participant row={row} fw={600} />} />,
};

function Participant({ row: { participantId, participantName, can }, ...look }: { row: SubmissionRow; fw?: number }) {
  return <NameLink name={participantName} to={can.openPerson ? paths.person(participantId) : null} {...look} />;
}

const statusColumn: SubmissionColumn = {
  key: 'status',
  label: 'Status',
  width: 216,
  cell: ({ status, can, claim, hasOwnDraft }) => (
    <Stack gap={4} align="flex-start" miw={188}>
      <SubmissionStatusBadge status={status} />
      {can.resubmit ? <Text size="sm">{returnedLabel}</Text> : null}
      {claim && !claim.isOwn ? <Text size="sm">{claim.reviewerName} is reviewing it</Text> : null}
      {hasOwnDraft ? <Text size="sm">You have a draft</Text> : null}
    </Stack>
  ),
};

const submittedColumn: SubmissionColumn = {
  key: 'submitted',
  label: 'Submitted',
  orders: [
    { order: 'newest', direction: 'descending' },
    { order: 'oldest', direction: 'ascending' },
  ],
  width: 120,
  cell: ({ submittedAt, roundNumber }) => (
    <>
      <DateTime value={submittedAt} />
      {roundNumber > 1 ? (
        <Text size="sm" c="dimmed">
          Round {roundNumber}
        </Text>
      ) : null}
    </>
  ),
};

const feedbackColumn: SubmissionColumn = {
  key: 'feedback',
  label: 'Feedback',
  width: '16%',
  cell: ({ feedback, assignmentTitle, pointsEarned, maxPoints, status, roundNumber }) =>
    feedback ? (
      <>
        <VerdictRound status={status} roundNumber={roundNumber} />
        {pointsEarned === null ? null : (
          <Text size="sm" fw={600}>
            {pointsEarned} of {maxPoints} points
          </Text>
        )}
        <FeedbackInList feedback={feedback} about={assignmentTitle} />
      </>
    ) : (
      'None yet'
    ),
};

function actionColumn(isReviewer: boolean, onOpen: (submissionId: string) => void): SubmissionColumn {
  return {
    key: 'actions',
    label: 'Actions',
    cell: (row) => {
      if (!isReviewer && !row.can.resubmit && !row.fileId) return null;
      const whose = isReviewer ? `${row.assignmentTitle} by ${row.participantName}` : row.assignmentTitle;
      return (
        <Group gap="xs">
          {isReviewer ? (
            <Button
              size="compact-md"
              fz="sm"
              variant={row.can.review ? 'filled' : 'default'}
              onClick={() => onOpen(row.id)}
              aria-label={`${row.can.review ? 'Review' : 'View'} ${whose}`}
            >
              {row.can.review ? 'Review' : 'View'}
            </Button>
          ) : null}
          {row.can.resubmit ? (
            <Button
              size="compact-md"
              fz="sm"
              renderRoot={(props) => (
                <Link {...props} to={paths.assignment(row.assignmentId)} search={{ resubmit: row.id }} />
              )}
              aria-label={`Resubmit ${whose}`}
            >
              Resubmit
            </Button>
          ) : null}
          {row.fileId ? (
            <Button
              size="compact-md"
              fz="sm"
              variant="default"
              leftSection={<Download size={14} aria-hidden />}
              onClick={() => void downloadStoredFile(row.fileId)}
              aria-label={`Download the file of ${whose}`}
            >
              Download
            </Button>
          ) : null}
        </Group>
      );
    },
  };
}
