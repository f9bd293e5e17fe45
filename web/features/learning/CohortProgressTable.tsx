import { Anchor, Box, Group, Text } from '@mantine/core';
import { Lock } from 'lucide-react';
import type { CohortProgressRow } from '#contract/cohort-progress.ts';
import { completionLabels, programmeStanding } from '#contract/standing.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { formatDay } from '../../ui/dates.ts';
import { Meter } from '../../ui/Meter.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';

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
    />
  );
}

function columnsFor(onOpen: (participantId: string) => void): Column<CohortProgressRow>[] {
  return [
    {
      key: 'participant',
      label: 'Participant',
      onPhone: 'first',
      cellOnPhone: ({ participantId, firstName, lastName }) => (
        <TwoLines
          first={
            <Anchor component="button" type="button" fw={600} onClick={() => onOpen(participantId)}>
              {firstName} {lastName}
            </Anchor>
          }
        />
      ),
      cell: ({ participantId, firstName, lastName, email }) => (
        <Box miw={160}>
          <Anchor component="button" type="button" ta="left" fw={600} py={2} onClick={() => onOpen(participantId)}>
            {firstName} {lastName}
          </Anchor>
          <Text size="sm" c="dimmed">
            {email}
          </Text>
        </Box>
      ),
    },
    {
      key: 'progress',
      label: 'Completion',
      onPhone: 'secondRest',
      cellOnPhone: ({ overallPercentage, firstName, lastName, completedModules, totalModules }) => (
        <Box pb={6}>
          <Meter
            label={`${firstName} ${lastName}`}
            isLabelHidden
            percentage={overallPercentage}
            text={`${Math.round(overallPercentage)}%${totalModules > 0 ? ` · ${completedModules} of ${totalModules} modules` : ''}`}
          />
        </Box>
      ),
      width: 190,
      cell: ({ overallPercentage, firstName, lastName, completedModules, totalModules }) => (
        <Box miw={120}>
          <Meter
            label={`${firstName} ${lastName}`}
            isLabelHidden
            percentage={overallPercentage}
            text={`${Math.round(overallPercentage)}%`}
            note={totalModules > 0 ? `${completedModules} of ${totalModules} modules` : undefined}
          />
        </Box>
      ),
    },
    {
      key: 'standing',
      label: 'Status',
      onPhone: 'firstEnd',
      cellOnPhone: (row) => <Standing row={row} />,
      cell: (row) => (
        <Box miw={130}>
          <Standing row={row} />
          {row.daysAheadBehind === null ? null : (
            <Text size="sm" mt={4}>
              {completionLabels[row.status]}
            </Text>
          )}
        </Box>
      ),
    },
    {
      key: 'track',
      label: 'Track',
      cell: ({ trackName, isTrackLocked }) =>
        trackName === null ? (
          <Text size="sm" c="dimmed">
            None yet
          </Text>
        ) : (
          <Group gap={6} wrap="nowrap">
            {isTrackLocked ? <Lock size={14} aria-label="Locked:" style={{ flexShrink: 0 }} /> : null}
            <Text size="sm">{trackName}</Text>
          </Group>
        ),
    },
    {
      key: 'last',
      label: 'Last activity',
      cell: ({ lastActivityDate }) => (
        <Text size="sm" c={lastActivityDate ? undefined : 'dimmed'} style={{ whiteSpace: 'nowrap' }}>
          {lastActivityDate ? formatDay(lastActivityDate) : 'None yet'}
        </Text>
      ),
    },
  ];
}

function Standing({ row }: { row: CohortProgressRow }) {
  const { color, label } = programmeStanding(row);
  return <StatusBadge tone={color}>{label}</StatusBadge>;
}
