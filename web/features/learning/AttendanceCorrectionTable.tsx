import { Anchor, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AttendanceCorrection } from '#contract/attendance-corrections.ts';
import { paths } from '../../app/paths.ts';
import { answerColumns } from '../../ui/answer-columns.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { formatDay } from '../../ui/dates.ts';
import { TextInRow } from '../../ui/TextInRow.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import type { PendingAnswer } from './AnswerCorrectionDialog.tsx';
import { correctionLooks } from './correction-looks.ts';

interface AttendanceCorrectionTableProps {
  rows: AttendanceCorrection[];
  onAnswer: (answer: PendingAnswer) => void;
}

export function AttendanceCorrectionTable({ rows, onAnswer }: AttendanceCorrectionTableProps) {
  const isAnswered = rows.some(({ status }) => status !== 'open');
  const isRefused = rows.some(({ refusal }) => refusal !== null);
  return (
    <DataTable
      label="Requests for a correction"
      columns={[
        ...askedColumns,
        ...(isRefused ? [refusalColumn] : []),
        ...(isAnswered
          ? answerColumns<AttendanceCorrection>(({ status }) => correctionLooks[status])
          : [actsColumn(onAnswer)]),
      ]}
      rows={rows}
      keyOf={({ id }) => id}
      minWidth={860}
    />
  );
}

type CorrectionColumn = Column<AttendanceCorrection>;

const askedColumns: CorrectionColumn[] = [
  {
    key: 'participant',
    label: 'Participant',
    width: 190,
    onPhone: 'first',
    cell: (row) => <TwoLines first={<Asker row={row} />} second={<DateTime value={row.askedAt} />} />,
    cellOnPhone: (row) => <TwoLines first={<Asker row={row} />} />,
  },
  {
    key: 'activity',
    label: 'Activity',
    width: 190,
    onPhone: 'secondRest',
    cell: (row) => <TwoLines first={<Activity row={row} />} second={`Week ${row.weekNumber}`} />,
    cellOnPhone: (row) => (
      <TwoLines first={<Activity row={row} />} second={`Week ${row.weekNumber} · asked ${formatDay(row.askedAt)}`} />
    ),
  },
  {
    key: 'reason',
    label: 'What they say',
    onPhone: 'below',
    cell: ({ attended, reason, participantName }) => (
      <TextInRow name={`the request of ${participantName}`}>
        <b>{attended ? 'I attended' : 'I did not attend'}</b>: {reason}
      </TextInRow>
    ),
  },
];

const refusalColumn: CorrectionColumn = {
  key: 'refusal',
  label: 'Why it cannot be accepted',
  onPhone: 'below',
  cell: ({ refusal, participantName }) =>
    refusal ? (
      <TextInRow name={`why the request of ${participantName} cannot be accepted`} isDimmed>
        {refusal}
      </TextInRow>
    ) : null,
};

function actsColumn(onAnswer: AttendanceCorrectionTableProps['onAnswer']): CorrectionColumn {
  return {
    key: 'acts',
    label: 'Answer',
    width: 176,
    onPhone: 'firstEnd',
    cell: (row) => <Acts row={row} onAnswer={onAnswer} />,
  };
}

function Acts({ row, onAnswer }: { row: AttendanceCorrection } & Pick<AttendanceCorrectionTableProps, 'onAnswer'>) {
  return (
    <Group gap={6} wrap="nowrap">
      {row.refusal ? null : (
        <Button
          size="compact-md"
          fz="sm"
          onClick={() => onAnswer({ request: row, accepts: true })}
          aria-label={`Accept the request of ${row.participantName}`}
        >
          Accept
        </Button>
      )}
      <Button
        size="compact-md"
        fz="sm"
        variant="default"
        onClick={() => onAnswer({ request: row, accepts: false })}
        aria-label={`Decline the request of ${row.participantName}`}
      >
        Decline
      </Button>
    </Group>
  );
}

function Asker({ row: { participantId, participantName } }: { row: AttendanceCorrection }) {
  return (
    <Anchor component={Link} to={paths.person(participantId)} fw={600} c="inherit" title={participantName}>
      {participantName}
    </Anchor>
  );
}

function Activity({ row: { activityId, activityTitle } }: { row: AttendanceCorrection }) {
  return (
    <Anchor component={Link} to={paths.activity(activityId)} title={activityTitle}>
      {activityTitle}
    </Anchor>
  );
}
