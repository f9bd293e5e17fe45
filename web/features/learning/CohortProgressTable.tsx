import { Anchor } from '@mantine/core';
import type { CohortProgressRow } from '#contract/cohort-progress.ts';
import { completionLabels, programmeStanding } from '#contract/standing.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { formatDay } from '../../ui/dates.ts';
import { Meter } from '../../ui/Meter.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { Facts, TwoLines } from '../../ui/TwoLines.tsx';

interface CohortProgressTableProps {
  rows: CohortProgressRow[];
  onOpen: (participantId: string) => void;
}

/** TRACK-15 */
export function CohortProgressTable({ rows, onOpen }: CohortProgressTableProps) {
  return (
    <DataTable
      label="Progress of the cohort"
      columns={columnsFor(onOpen)}
      rows={rows}
      keyOf={({ participantId }) => participantId}
      minWidth={860}
    />
  );
}

function columnsFor(onOpen: (participantId: string) => void): Column<CohortProgressRow>[] {
  return [
    {
      key: 'participant',
      label: 'Participant',
      onPhone: 'first',
      cellOnPhone: (row) => <TwoLines first={<Name row={row} onOpen={onOpen} />} second={modulesOf(row)} />,
      cell: (row) => <TwoLines first={<Name row={row} onOpen={onOpen} />} second={row.email} />,
    },
    {
      key: 'progress',
      label: 'Completion',
      onPhone: 'secondRest',
      cellOnPhone: (row) => <Completion row={row} text={percentageOf(row)} />,
      width: 190,
      cell: (row) => <Completion row={row} text={[percentageOf(row), modulesOf(row)].filter(Boolean).join(' · ')} />,
    },
    {
      key: 'standing',
      label: 'Status',
      onPhone: 'secondEnd', // Beside a name, a status has no room for its one line.
      cellOnPhone: (row) => <Standing row={row} />,
      width: 224,
      cell: (row) => (
        <>
          <Standing row={row} />
          <Facts>{row.daysAheadBehind === null ? null : <span>{completionLabels[row.status]}</span>}</Facts>
        </>
      ),
    },
    {
      key: 'track',
      label: 'Track',
      width: '18%',
      cell: ({ trackName, isTrackLocked }) => (
        <TwoLines first={trackName ?? 'None yet'} second={isTrackLocked ? 'Locked' : null} />
      ),
    },
    {
      key: 'last',
      label: 'Last activity',
      width: 116,
      cell: ({ lastActivityDate }) => (lastActivityDate ? formatDay(lastActivityDate) : 'None yet'),
    },
  ];
}

interface NameProps {
  row: CohortProgressRow;
  onOpen: (participantId: string) => void;
}

function Name({ row: { participantId, firstName, lastName }, onOpen }: NameProps) {
  return (
    <Anchor component="button" type="button" ta="left" fw={600} onClick={() => onOpen(participantId)}>
      {firstName} {lastName}
    </Anchor>
  );
}

function Completion({
  row: { overallPercentage, firstName, lastName },
  text,
}: {
  row: CohortProgressRow;
  text: string;
}) {
  return <Meter label={`${firstName} ${lastName}`} isLabelHidden percentage={overallPercentage} text={text} />;
}

function percentageOf({ overallPercentage }: CohortProgressRow): string {
  return `${Math.round(overallPercentage)}%`;
}

function modulesOf({ completedModules, totalModules }: CohortProgressRow): string | null {
  return totalModules > 0 ? `${completedModules} of ${totalModules} modules` : null;
}

function Standing({ row }: { row: CohortProgressRow }) {
  const { color, label } = programmeStanding(row);
  return <StatusBadge tone={color}>{label}</StatusBadge>;
}
