import { Button, Group, Text } from '@mantine/core';
import type { AttendanceRow } from '#contract/activities.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

interface AttendanceTableProps {
  rows: AttendanceRow[];
  onCorrect: (row: AttendanceRow) => void;
  onExcuse: (row: AttendanceRow) => void;
}

export function AttendanceTable({ rows, onCorrect, onExcuse }: AttendanceTableProps) {
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
      cell: (row) => (
        <Group gap="xs">
          {row.refusal ? (
            <Text size="sm" c="dimmed">
              {row.refusal}
            </Text>
          ) : (
            <ActButton verb={verbFor(row)} name={row.name} variant="default" onClick={() => onCorrect(row)} />
          )}
          {mayExcuse(row) ? (
            <ActButton verb={excuseVerbFor(row)} name={row.name} variant="subtle" onClick={() => onExcuse(row)} />
          ) : null}
        </Group>
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

/** An absence is excused only once it is one: what is still to come cannot be recorded either. */
function mayExcuse({ attended, refusal, excuseRefusal }: AttendanceRow): boolean {
  return !attended && refusal === null && excuseRefusal === null;
}

export function excuseVerbFor({ excusedBecause }: Pick<AttendanceRow, 'excusedBecause'>): string {
  return excusedBecause === null ? 'Excuse absence' : 'Take excuse back';
}

interface ActButtonProps {
  verb: string;
  name: string;
  variant: 'default' | 'subtle';
  onClick: () => void;
}

function ActButton({ verb, name, variant, onClick }: ActButtonProps) {
  return (
    <Button size="compact-md" fz="sm" variant={variant} onClick={onClick} aria-label={`${verb} of ${name}`}>
      {verb}
    </Button>
  );
}

function Recorded({ row }: { row: AttendanceRow }) {
  if (!row.attended && row.excusedBecause !== null) {
    return (
      <>
        <StatusBadge tone="info">Excused</StatusBadge>
        <Text size="sm" c="dimmed" mt={4}>
          {row.excusedBecause}
        </Text>
      </>
    );
  }
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
