import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { StipendOrder, StipendRow } from '#contract/stipends.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { TextInRow } from '../../ui/TextInRow.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import type { Selection } from '../../ui/table-selection.tsx';
import { useDensity } from '../../ui/use-density.ts';
import { StipendPayee } from '../payments/StipendPayee.tsx';
import { StipendPayment } from '../payments/StipendPayment.tsx';
import type { ChangedFacts } from './changed-facts.ts';
import { eligibilityOf } from './row-standing.ts';
import { StipendAmount } from './StipendAmount.tsx';
import { StipendCriteria } from './StipendCriteria.tsx';
import { StipendDecision } from './StipendDecision.tsx';
import classes from './StipendTable.module.css';

interface StipendTableProps {
  rows: StipendRow[];
  /** By row, the changes since the page was opened, in words. */
  changes: ReadonlyMap<string, ChangedFacts>;
  onOpen: (stipendId: string) => void;
  order?: StipendOrder;
  onOrder?: (order: StipendOrder) => void;
  selection?: Selection<StipendRow>;
}

/** STIP-13 to STIP-20 */
export function StipendTable({ rows, changes, onOpen, order, onOrder, selection }: StipendTableProps) {
  return (
    <DataTable
      label="Stipends of the week"
      columns={columnsFor(changes, onOpen)}
      rows={rows}
      keyOf={({ id }) => id}
      minWidth={900}
      {...(order ? { order } : {})}
      {...(onOrder ? { onOrder } : {})}
      {...(selection ? { selection } : {})}
    />
  );
}

function columnsFor(
  changes: StipendTableProps['changes'],
  onOpen: (stipendId: string) => void,
): Column<StipendRow, StipendOrder>[] {
  return [
    {
      key: 'participant',
      label: 'Participant',
      orders: [
        { order: 'name', direction: 'ascending' },
        { order: 'nameFromZ', direction: 'descending' },
      ],
      onPhone: 'first',
      cell: (row) => (
        <>
          <Participant row={row} onOpen={() => onOpen(row.id)} />
          <Changed facts={changes.get(row.id)?.person} />
        </>
      ),
    },
    {
      key: 'criteria',
      label: 'Eligibility Criteria',
      width: 96,
      onPhone: 'second',
      cell: (row) => (
        <>
          <StipendCriteria row={row} onOpen={() => onOpen(row.id)} />
          <Changed facts={changes.get(row.id)?.criteria} />
        </>
      ),
    },
    {
      key: 'overall',
      label: 'Overall Status',
      orders: [{ order: 'eligible', direction: 'descending' }],
      width: 182,
      onPhone: 'secondRest',
      cell: (row) => <OverallStatus row={row} />,
    },
    {
      key: 'amount',
      label: 'Amount',
      orders: [
        { order: 'largest', direction: 'descending' },
        { order: 'smallest', direction: 'ascending' },
      ],
      isNumber: true,
      width: 116,
      onPhone: 'firstEnd',
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
      orders: [{ order: 'status', direction: 'ascending' }],
      width: 148,
      cell: (row) => (
        <>
          <StipendPayment row={row} isInRow />
          <StipendPayee row={row} />
          <Changed facts={changes.get(row.id)?.status} />
        </>
      ),
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 170,
      onPhone: 'secondEnd',
      cell: (row) => <StipendDecision row={row} />,
    },
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

/** STIP-14 */
function Participant({ row, onOpen }: { row: StipendRow; onOpen: () => void }) {
  const coach = row.coachName === noCoach ? noCoach : `Coach: ${row.coachName}`;
  return (
    <TwoLines
      first={
        <>
          <Anchor component="button" type="button" fw={600} onClick={onOpen} title={row.participantName}>
            {row.participantName}
          </Anchor>
          {row.openQuestion ? (
            <Anchor component={Link} to={paths.stipendQuestions} fw={550} ml={8} title={row.openQuestion}>
              Asks: {row.openQuestion}
            </Anchor>
          ) : null}
        </>
      }
      second={
        <span className={classes.person}>
          <span>{row.participantEmail}</span>
          <span>{coach}</span>
        </span>
      }
      secondInFull={`${row.participantEmail}, ${coach}`}
    />
  );
}

/** STIP-16 */
function OverallStatus({ row }: { row: StipendRow }) {
  const [density] = useDensity();
  const { state, color, label, sentence } = eligibilityOf(row);
  const reasons = [state === 'eligible' ? null : sentence, row.membershipNote].filter((reason) => reason !== null);
  return (
    <>
      <StatusBadge tone={color}>{label}</StatusBadge>
      {reasons.length > 0 ? (
        <TextInRow name={`the status of ${row.participantName}`} lines={density === 'compact' ? 1 : 3} isDimmed>
          {reasons.join(' · ')}
        </TextInRow>
      ) : null}
    </>
  );
}
