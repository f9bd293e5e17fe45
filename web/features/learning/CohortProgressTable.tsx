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
      cell: ({ participantId, firstName, lastName, email }) => (
        <Box miw={{ sm: 160 }}>
          <TwoLines
            first={
              <Anchor component="button" type="button" ta="left" fw={600} onClick={() => onOpen(participantId)}>
                {firstName} {lastName}
              </Anchor>
            }
            second={email}
          />
        </Box>
      ),
    },
    {
      key: 'progress',
      label: 'Completion',
      onPhone: 'secondRest',
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
      cell: (row) => {
        const { color, label } = programmeStanding(row);
        return (
          <TwoLines
            first={<StatusBadge tone={color}>{label}</StatusBadge>}
            second={row.daysAheadBehind === null ? undefined : completionLabels[row.status]}
          />
        );
      },
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
