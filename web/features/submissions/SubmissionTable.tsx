import { Anchor, Button, Group, Spoiler, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { type SubmissionRow, submissionStatusLabels } from '#contract/submissions.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { downloadSubmittedFile } from './file-download.ts';
import { statusTones } from './status-names.ts';

interface SubmissionTableProps {
  rows: SubmissionRow[];
  isReviewer: boolean;
  onOpen: (submissionId: string) => void;
}

/** SUBM-23 */
export function SubmissionTable({ rows, isReviewer, onOpen }: SubmissionTableProps) {
  const columns = [
    assignmentColumn,
    ...(isReviewer ? [participantColumn] : []),
    statusColumn,
    submittedColumn,
    feedbackColumn,
    actionColumn(isReviewer, onOpen),
  ];
  return <DataTable label="Submissions" columns={columns} rows={rows} keyOf={({ id }) => id} />;
}

type SubmissionColumn = Column<SubmissionRow>;
const wrap = { overflowWrap: 'anywhere' } as const;

const assignmentColumn: SubmissionColumn = {
  key: 'assignment',
  label: 'Assignment',
  width: '24%',
  cell: (row) => (
    <div style={wrap}>
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
  width: '15%',
  cell: ({ participantName }) => <span style={wrap}>{participantName}</span>,
};

const statusColumn: SubmissionColumn = {
  key: 'status',
  label: 'Status',
  cell: ({ status }) => <StatusBadge tone={statusTones[status]}>{submissionStatusLabels[status]}</StatusBadge>,
};

const submittedColumn: SubmissionColumn = {
  key: 'submitted',
  label: 'Submitted',
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
  width: '24%',
  cell: ({ feedback }) =>
    feedback ? (
      <Spoiler maxHeight={66} showLabel="Read all" hideLabel="Read less">
        <Text size="sm" style={{ ...wrap, whiteSpace: 'pre-wrap' }}>
          {feedback}
        </Text>
      </Spoiler>
    ) : (
      'None yet'
    ),
};

function actionColumn(isReviewer: boolean, onOpen: (submissionId: string) => void): SubmissionColumn {
  return {
    key: 'actions',
    label: 'Actions',
    cell: (row) => {
      const whose = isReviewer ? `${row.assignmentTitle} by ${row.participantName}` : row.assignmentTitle;
      return (
        <Group gap="xs">
          {isReviewer ? (
            <Button
              size="compact-md"
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
              renderRoot={(props) => (
                <Link {...props} to={paths.assignment(row.assignmentId)} search={{ resubmit: row.id }} />
              )}
              aria-label={`Resubmit ${whose}`}
            >
              Resubmit
            </Button>
          ) : null}
          <Button
            size="compact-md"
            variant="default"
            leftSection={<Download size={14} aria-hidden />}
            onClick={() => void downloadSubmittedFile(row.fileId)}
            aria-label={`Download the file of ${whose}`}
          >
            Download
          </Button>
        </Group>
      );
    },
  };
}
