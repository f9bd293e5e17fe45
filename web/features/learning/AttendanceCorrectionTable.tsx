import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AttendanceCorrection } from '#contract/attendance-corrections.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import type { PendingAnswer } from './AnswerCorrectionDialog.tsx';
import { correctionLooks } from './correction-looks.ts';

interface AttendanceCorrectionTableProps {
  rows: AttendanceCorrection[];
  onAnswer: (answer: PendingAnswer) => void;
}

export function AttendanceCorrectionTable({ rows, onAnswer }: AttendanceCorrectionTableProps) {
  const columns: Column<AttendanceCorrection>[] = [
    {
      key: 'participant',
      label: 'Participant',
      width: '22%',
      cell: ({ participantId, participantName, askedAt }) => (
        <div>
          <Anchor component={Link} to={paths.person(participantId)} fw={550} c="inherit">
            {participantName}
          </Anchor>
          <Text size="sm" c="dimmed" component="div">
            Asked <DateTime value={askedAt} />
          </Text>
        </div>
      ),
    },
    {
      key: 'activity',
      label: 'Activity',
      width: '22%',
      cell: ({ activityId, activityTitle, weekNumber }) => (
        <div>
          <Anchor component={Link} to={paths.activity(activityId)}>
            {activityTitle}
          </Anchor>
          <Text size="sm" c="dimmed">
            Week {weekNumber}
          </Text>
        </div>
      ),
    },
    {
      key: 'reason',
      label: 'What they say',
      cell: ({ attended, reason }) => (
        <div>
          <Text fw={550}>{attended ? 'I attended' : 'I did not attend'}</Text>
          <Text size="sm">{reason}</Text>
        </div>
      ),
    },
    { key: 'answer', label: 'Answer', width: '24%', cell: (row) => <Answer row={row} onAnswer={onAnswer} /> },
  ];
  return <DataTable label="Requests for a correction" columns={columns} rows={rows} keyOf={({ id }) => id} />;
}

function Answer({ row, onAnswer }: { row: AttendanceCorrection } & Pick<AttendanceCorrectionTableProps, 'onAnswer'>) {
  const { status, answer, answeredBy, answeredAt, refusal, participantName } = row;
  if (status !== 'open') {
    const { tone, label } = correctionLooks[status];
    return (
      <div>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <Text size="sm" c="dimmed" component="div" mt={4}>
          {answeredBy}, <DateTime value={answeredAt} />
        </Text>
        {answer ? <Text size="sm">{answer}</Text> : null}
      </div>
    );
  }
  return (
    <>
      <Group gap="xs">
        {refusal ? null : (
          <Button
            size="compact-md"
            fz="sm"
            onClick={() => onAnswer({ request: row, accepts: true })}
            aria-label={`Accept the request of ${participantName}`}
          >
            Accept
          </Button>
        )}
        <Button
          size="compact-md"
          fz="sm"
          variant="default"
          onClick={() => onAnswer({ request: row, accepts: false })}
          aria-label={`Decline the request of ${participantName}`}
        >
          Decline
        </Button>
      </Group>
      {refusal ? (
        <Text size="sm" c="dimmed" mt={4}>
          {refusal}
        </Text>
      ) : null}
    </>
  );
}
