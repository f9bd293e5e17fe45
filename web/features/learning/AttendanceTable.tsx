import { Button, Group, Menu } from '@mantine/core';
import type { AttendanceRow } from '#contract/activities.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { formatDateTime } from '../../ui/dates.ts';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { TextInRow } from '../../ui/TextInRow.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';

interface AttendanceTableProps {
  rows: AttendanceRow[];
  onCorrect: (row: AttendanceRow) => void;
  onExcuse: (row: AttendanceRow) => void;
}

export function AttendanceTable({ rows, onCorrect, onExcuse }: AttendanceTableProps) {
  return (
    <DataTable
      label="Participants of this activity"
      columns={columnsFor(onCorrect, onExcuse)}
      rows={rows}
      keyOf={({ participantId }) => participantId}
      minWidth={820}
    />
  );
}

function columnsFor(
  onCorrect: AttendanceTableProps['onCorrect'],
  onExcuse: AttendanceTableProps['onExcuse'],
): Column<AttendanceRow>[] {
  return [
    {
      key: 'participant',
      label: 'Participant',
      onPhone: 'first',
      cell: ({ name, email }) => <TwoLines first={name} second={email} />,
    },
    {
      key: 'attendance',
      label: 'Attendance',
      width: 140,
      onPhone: 'second',
      cell: (row) => <Recorded row={row} />,
    },
    {
      key: 'record',
      label: 'Record',
      width: '32%',
      onPhone: 'secondRest',
      cell: (row) => {
        const words = recordInWords(row);
        return words ? (
          <TextInRow name={`the record of ${row.name}`} isDimmed>
            {words}
          </TextInRow>
        ) : null;
      },
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 254,
      onPhone: 'firstEnd',
      cell: (row) => (
        <Group gap={6} wrap="nowrap">
          <Correct row={row} onCorrect={onCorrect} />
          {mayExcuse(row) ? (
            <Button
              size="compact-md"
              fz="sm"
              variant="subtle"
              onClick={() => onExcuse(row)}
              aria-label={`${excuseVerbFor(row)} of ${row.name}`}
            >
              {row.excusedBecause === null ? 'Excuse' : excuseVerbFor(row)}
            </Button>
          ) : null}
        </Group>
      ),
      cellOnPhone: (row) => <ActsOnPhone row={row} onCorrect={onCorrect} onExcuse={onExcuse} />,
    },
  ];
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

/** The column beside it says what is recorded. */
function Correct({ row, onCorrect }: { row: AttendanceRow } & Pick<AttendanceTableProps, 'onCorrect'>) {
  if (row.refusal) return null;
  return (
    <Button
      size="compact-md"
      fz="sm"
      variant="default"
      onClick={() => onCorrect(row)}
      aria-label={`${verbFor(row)} of ${row.name}`}
    >
      {row.attended ? 'Remove' : 'Record'}
    </Button>
  );
}

function ActsOnPhone({ row, onCorrect, onExcuse }: { row: AttendanceRow } & Omit<AttendanceTableProps, 'rows'>) {
  return (
    <Group gap={6} wrap="nowrap">
      <Correct row={row} onCorrect={onCorrect} />
      {mayExcuse(row) ? (
        <RowMenu name={row.name}>
          <Menu.Item aria-label={`${excuseVerbFor(row)} of ${row.name}`} onClick={() => onExcuse(row)}>
            {excuseVerbFor(row)}
          </Menu.Item>
        </RowMenu>
      ) : null}
    </Group>
  );
}

function Recorded({ row: { attended, excusedBecause } }: { row: AttendanceRow }) {
  const [tone, words]: [Tone, string] = attended
    ? ['success', 'Attended']
    : excusedBecause === null
      ? ['neutral', 'Not attended']
      : ['info', 'Excused'];
  return <StatusBadge tone={tone}>{words}</StatusBadge>;
}

/** Says where the record comes from, and why nobody can correct it. */
function recordInWords(row: AttendanceRow): string {
  return [sourceInWords(row), row.refusal].filter(Boolean).join('\n');
}

function sourceInWords({ attended, excusedBecause, recordedBy, recordedAt, reason }: AttendanceRow): string | null {
  if (!attended) return excusedBecause;
  const source = `${recordedBy ? `Recorded by ${recordedBy}, ` : 'Completed '}${formatDateTime(recordedAt)}`;
  return reason ? `${source}: ${reason}` : source;
}
