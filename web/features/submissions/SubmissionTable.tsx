import { ActionIcon, Anchor, Box, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SubmissionOrder, SubmissionRow } from '#contract/submissions.ts';
import { returnedLabel } from '#contract/work-standing.ts';
import { downloadStoredFile } from '../../api/download.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { formatDay } from '../../ui/dates.ts';
import { NameLink } from '../../ui/NameLink.tsx';
import { SubmissionStatusBadge } from '../../ui/SubmissionStatusBadge.tsx';
import { TextInRow } from '../../ui/TextInRow.tsx';
import { Facts, TitleOnPhone, TwoLines } from '../../ui/TwoLines.tsx';
import { ActsOnPhone, OwnActsOnPhone, WorkOnPhone } from './SubmissionOnPhone.tsx';
import { statusNames } from './status-names.ts';
import { verdictRound } from './VerdictRound.tsx';

interface SubmissionTableProps {
  rows: SubmissionRow[];
  isReviewer: boolean;
  order: SubmissionOrder;
  onOrder: (order: SubmissionOrder) => void;
  onOpen: (submissionId: string) => void;
}

/** SUBM-23 */
export function SubmissionTable({ rows, isReviewer, order, onOrder, onOpen }: SubmissionTableProps) {
  const columns = isReviewer ? reviewerColumns(onOpen) : ownColumns(onOpen);
  return (
    <DataTable
      label="Submissions"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      order={order}
      onOrder={onOrder}
      minWidth={900}
    />
  );
}

type SubmissionColumn = Column<SubmissionRow, SubmissionOrder>;

/** On a phone, participants read which work it is and how it stands. Only what they have to revise says why, too. */
function ownColumns(onOpen: SubmissionTableProps['onOpen']): SubmissionColumn[] {
  return [
    {
      ...assignmentColumn,
      onPhone: 'first',
      cellOnPhone: (row) => (
        <TwoLines
          first={<AssignmentOnPhone row={row} />}
          second={row.can.resubmit ? formatDay(row.submittedAt) : null}
        />
      ),
    },
    {
      ...statusColumn,
      width: 316,
      onPhone: 'second',
      cellOnPhone: ({ status, can }) => (
        <Box pt={can.resubmit ? 8 : 0}>
          <SubmissionStatusBadge status={status} />
        </Box>
      ),
    },
    {
      ...submittedColumn,
      onPhone: 'secondEnd', // What is to be revised has a status as wide as the line, and its date below its title.
      cellOnPhone: ({ submittedAt, can }) => (can.resubmit ? null : formatDay(submittedAt)),
    },
    {
      ...feedbackColumn,
      onPhone: 'below',
      cellOnPhone: ({ feedback, assignmentTitle, can }) =>
        feedback && can.resubmit ? (
          <TextInRow name={`the feedback on ${assignmentTitle}`} lines={3}>
            {feedback}
          </TextInRow>
        ) : null,
    },
    {
      ...actionColumn(false, onOpen),
      onPhone: 'firstEnd',
      cellOnPhone: (row) => <OwnActsOnPhone row={row} />,
    },
  ];
}

/** On a phone, reviewers read whose work it is and how it stands, and below it which work and since when. */
function reviewerColumns(onOpen: SubmissionTableProps['onOpen']): SubmissionColumn[] {
  return [
    { ...assignmentColumn, onPhone: 'secondRest', cellOnPhone: (row) => <WorkOnPhone row={row} /> },
    participantColumn,
    {
      ...statusColumn,
      width: 168,
      onPhone: 'firstEnd',
      cell: (row) => <Status row={row}>{statusNames[row.status]}</Status>,
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
  cell: (row) => <TwoLines first={<Assignment row={row} />} second={`Week ${row.weekNumber} · ${row.activityTitle}`} />,
};

function Assignment({ row }: { row: SubmissionRow }) {
  return (
    <Anchor component={Link} to={paths.assignment(row.assignmentId)} title={row.assignmentTitle} fw={550}>
      {row.assignmentTitle}
    </Anchor>
  );
}

/** The whole title, on two lines where it needs them. */
function AssignmentOnPhone({ row: { assignmentId, assignmentTitle } }: { row: SubmissionRow }) {
  return (
    <Anchor component={Link} to={paths.assignment(assignmentId)} title={assignmentTitle}>
      <TitleOnPhone>{assignmentTitle}</TitleOnPhone>
    </Anchor>
  );
}

const participantColumn: SubmissionColumn = {
  key: 'participant',
  label: 'Participant',
  width: '16%',
  onPhone: 'first',
  cell: (row) => (
    <Text size="sm" lineClamp={2} title={row.participantName}>
      <Participant row={row} />
    </Text>
  ),
  cellOnPhone: (row) => <TwoLines first={<Participant row={row} fw={600} />} />,
};

function Participant({ row: { participantId, participantName, can }, ...look }: { row: SubmissionRow; fw?: number }) {
  return <NameLink name={participantName} to={can.openPerson ? paths.person(participantId) : null} {...look} />;
}

const statusColumn: SubmissionColumn = {
  key: 'status',
  label: 'Status',
  cell: (row) => <Status row={row} />,
};

function Status({
  row: { status, can, claim, hasOwnDraft, roundNumber },
  children,
}: {
  row: SubmissionRow;
  children?: ReactNode;
}) {
  return (
    <>
      <SubmissionStatusBadge status={status}>{children}</SubmissionStatusBadge>
      <Facts>
        {can.resubmit ? <span>{returnedLabel}</span> : null}
        {roundNumber > 1 ? <span>Round {roundNumber}</span> : null}
        {claim && !claim.isOwn ? <span>{claim.reviewerName} is reviewing it</span> : null}
        {hasOwnDraft ? <span>You have a draft</span> : null}
      </Facts>
    </>
  );
}

const submittedColumn: SubmissionColumn = {
  key: 'submitted',
  label: 'Submitted',
  orders: [
    { order: 'newest', direction: 'descending' },
    { order: 'oldest', direction: 'ascending' },
  ],
  width: 112,
  cell: ({ submittedAt }) => <DateTime value={submittedAt} />,
};

const feedbackColumn: SubmissionColumn = {
  key: 'feedback',
  label: 'Feedback',
  width: '16%',
  cell: ({ feedback, pointsEarned, maxPoints, status, roundNumber }) => {
    if (!feedback) return 'None yet';
    const round = verdictRound({ status, roundNumber });
    const points = pointsEarned === null ? null : `${pointsEarned} of ${maxPoints} points`;
    const head = [round, points].filter(Boolean).join(': ');
    return head ? <TwoLines first={head} second={feedback} /> : <TwoLines first={feedback} />;
  },
};

function actionColumn(isReviewer: boolean, onOpen: (submissionId: string) => void): SubmissionColumn {
  return {
    key: 'actions',
    label: 'Actions',
    width: 140,
    cell: (row) => {
      if (!isReviewer && !row.can.resubmit && !row.fileId) return null;
      const whose = isReviewer ? `${row.assignmentTitle} by ${row.participantName}` : row.assignmentTitle;
      return (
        <Group gap={6} wrap="nowrap">
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
            <ActionIcon
              size={30}
              variant="default"
              onClick={() => void downloadStoredFile(row.fileId)}
              aria-label={`Download the file of ${whose}`}
              title="Download"
            >
              <Download size={15} aria-hidden />
            </ActionIcon>
          ) : null}
        </Group>
      );
    },
  };
}
