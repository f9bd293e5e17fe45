import { Button, Text } from '@mantine/core';
import type { AttendanceRow } from '#contract/activities.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

interface AttendanceTableProps {
  rows: AttendanceRow[];
  onCorrect: (row: AttendanceRow) => void;
}

export function AttendanceTable({ rows, onCorrect }: AttendanceTableProps) {
  const columns: Column<AttendanceRow>[] = [
    {
      key: 'participant',
      label: 'Participant',
      width: '32%',
      cell: ({ name, email }) => (
        <div>
          <Text fw={550}>{name}</Text>
          <Text size="sm" c="dimmed">
            {email}
          </Text>
        </div>
      ),
    },
    { key: 'attendance', label: 'Attendance', cell: (row) => <Recorded row={row} /> },
    {
      key: 'actions',
      label: 'Actions',
      width: '28%',
      cell: (row) =>
        row.refusal ? (
          <Text size="sm" c="dimmed">
            {row.refusal}
          </Text>
        ) : (
          <Button
            size="compact-md"
            fz="sm"
            variant="default"
            onClick={() => onCorrect(row)}
            aria-label={`${verbFor(row)} of ${row.name}`}
          >
            {verbFor(row)}
          </Button>
        ),
    },
  ];
  return (
    <DataTable
      label="Participants of this activity"
      columns={columns}
      rows={rows}
      keyOf={({ participantId }) => participantId}
    />
  );
}

export function verbFor({ attended }: Pick<AttendanceRow, 'attended'>): string {
  return attended ? 'Remove attendance' : 'Record attendance';
}

function Recorded({ row }: { row: AttendanceRow }) {
  if (!row.attended) return <StatusBadge tone="neutral">Not attended</StatusBadge>;
  return (
    <>
      <StatusBadge tone="success">Attended</StatusBadge>
      <Text size="sm" c="dimmed" component="div" mt={4}>
        {row.recordedBy ? `Recorded by ${row.recordedBy}, ` : 'Completed '}
        <DateTime value={row.recordedAt} />
        {row.reason ? `: ${row.reason}` : ''}
      </Text>
    </>
  );
}
