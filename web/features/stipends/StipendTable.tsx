import { Anchor, Box, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { StipendRow } from '#contract/stipends.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { StipendPayee } from '../payments/StipendPayee.tsx';
import { StipendPayment } from '../payments/StipendPayment.tsx';
import type { ChangedFacts } from './changed-facts.ts';
import { eligibilityOf } from './row-standing.ts';
import { StipendAmount } from './StipendAmount.tsx';
import { StipendCriteria } from './StipendCriteria.tsx';
import { StipendDecision } from './StipendDecision.tsx';

interface StipendTableProps {
  rows: StipendRow[];
  /** By row, the changes since the page was opened, in words. */
  changes: ReadonlyMap<string, ChangedFacts>;
  onOpen: (stipendId: string) => void;
}

/** STIP-13 to STIP-20 */
export function StipendTable({ rows, changes, onOpen }: StipendTableProps) {
  return (
    <DataTable label="Stipends of the week" columns={columnsFor(changes, onOpen)} rows={rows} keyOf={({ id }) => id} />
  );
}

function columnsFor(changes: StipendTableProps['changes'], onOpen: (stipendId: string) => void): Column<StipendRow>[] {
  return [
    {
      key: 'participant',
      label: 'Participant',
      width: '22%',
      cell: (row) => (
        <Box miw={180}>
          <Anchor component="button" type="button" ta="left" fw={600} py={2} onClick={() => onOpen(row.id)}>
            {row.participantName}
          </Anchor>
          <Text size="sm" c="dimmed">
            {row.participantEmail}
          </Text>
          <Changed facts={changes.get(row.id)?.person} />
          <Text size="sm" c="dimmed">
            {row.coachName === noCoach ? noCoach : `Coach: ${row.coachName}`}
          </Text>
          {row.openQuestion ? (
            <Text size="sm" mt={4} lineClamp={3}>
              <Anchor component={Link} to={paths.stipendQuestions} size="sm" fw={550}>
                Asks
              </Anchor>
              : {row.openQuestion}
            </Text>
          ) : null}
        </Box>
      ),
    },
    {
      key: 'criteria',
      label: 'Eligibility Criteria',
      width: '23%',
      cell: (row) => (
        <>
          <StipendCriteria row={row} />
          <Changed facts={changes.get(row.id)?.criteria} />
        </>
      ),
    },
    { key: 'overall', label: 'Overall Status', width: '13%', cell: (row) => <OverallStatus row={row} /> },
    {
      key: 'amount',
      label: 'Amount',
      isNumber: true,
      cell: (row) => (
        <>
          <StipendAmount row={row} />
          <Changed facts={changes.get(row.id)?.amount} />
        </>
      ),
    },
    {
      key: 'payment',
      label: 'Payment Status',
      width: '18%',
      cell: (row) => (
        <>
          <StipendPayment row={row} />
          <StipendPayee row={row} />
          <Changed facts={changes.get(row.id)?.status} />
        </>
      ),
    },
    { key: 'actions', label: 'Actions', width: '13%', cell: (row) => <StipendDecision row={row} /> },
  ];
}

function Changed({ facts = [] }: { facts: string[] | undefined }) {
  return facts.map((fact) => (
    <Text key={fact} size="sm" mt={4} fw={550} c="var(--status-warning)">
      Changed since you opened the page: {fact}
    </Text>
  ));
}

const noCoach = 'No coach assigned';

/** STIP-16 */
function OverallStatus({ row }: { row: StipendRow }) {
  const note = row.membershipNote ? (
    <Text size="sm" c="dimmed" mt={4} maw={200}>
      {row.membershipNote}
    </Text>
  ) : null;
  const { state, color, label, sentence } = eligibilityOf(row);
  return (
    <Box miw={110}>
      <StatusBadge tone={color}>{label}</StatusBadge>
      {state === 'eligible' ? null : (
        <Text size="sm" c="dimmed" mt={4}>
          {sentence}
        </Text>
      )}
      {note}
    </Box>
  );
}
