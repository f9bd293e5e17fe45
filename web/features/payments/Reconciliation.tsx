import { Anchor, Group, Menu, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatCents } from '#contract/money.ts';
import {
  ReconciliationKind as Kind,
  listReconciliation,
  type ReconciliationKind,
  type ReconciliationRow,
  reconciliationKinds,
} from '#contract/payments.ts';
import { pagesFor } from '../../api/query-for.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { ShowMore } from '../../ui/ShowMore.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import { MarkPaid } from './MarkPaid.tsx';
import { RecallHandover } from './RecallHandover.tsx';

const labels: Record<ReconciliationKind, string> = {
  approved_not_sent: 'Approved, not sent',
  sent_not_paid: 'Sent, not paid',
  paid_not_owed: 'Paid, but not what was owed',
  paid_twice: 'Paid twice or contradicted',
  adjusted: 'Adjusted',
};
const emptyWords: Record<ReconciliationKind, string> = {
  approved_not_sent: 'No approved stipend waits to be sent',
  sent_not_paid: 'Everything that was sent is paid',
  paid_not_owed: 'Every payment is what was owed',
  paid_twice: 'No stipend was paid twice, and no payment is contradicted',
  adjusted: 'Every amount is the one that was sent',
};

/** Beside an open sidebar, the names of the five lists would be cut off. */
const tooNarrowForARow = '(max-width: 77.99em)';

interface ReconciliationProps {
  kind: ReconciliationKind;
  /** Without it, the lists cover all cohorts. */
  cohort: string | undefined;
  /** Comes from the screen around this part. */
  cohortPicker: ReactNode;
  onKind: (kind: ReconciliationKind) => void;
  onOpen: (stipendId: string) => void;
}

/** Shows what was approved, sent and paid, and where the three differ. */
export function Reconciliation({ kind, cohort, cohortPicker, onKind, onOpen }: ReconciliationProps) {
  const isNarrow = useMediaQuery(tooNarrowForARow, undefined, { getInitialValueInEffect: false });
  const list = useInfiniteQuery({
    ...pagesFor(listReconciliation, { query: { kind, cohort } }),
    staleTime: 0,
  });
  const first = list.data?.pages[0];
  const choices = reconciliationKinds.map((value) => ({
    value,
    label: first ? `${labels[value]} (${first.counts[value].rows})` : labels[value],
  }));
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end">
        {cohortPicker}
        {isNarrow ? (
          <Select
            label="What to show"
            value={kind}
            onChange={(chosen) => onKind(Kind.parse(chosen))}
            data={choices}
            allowDeselect={false}
            w={{ base: '100%', xs: 300 }}
          />
        ) : (
          <SegmentedControl
            aria-label="What to show"
            value={kind}
            onChange={(chosen) => onKind(Kind.parse(chosen))}
            data={choices}
          />
        )}
      </Group>
      <LoadedRows
        list={list}
        failure="The reconciliation could not be loaded"
        loading={{ label: 'Loading the reconciliation', rows: 5 }}
        empty={<EmptyState title={emptyWords[kind]} />}
      >
        {(rows, { counts }) => (
          <Stack gap="md">
            <Text fw={550}>{formatCents(counts[kind].cents)} total</Text>
            <DataTable
              label={labels[kind]}
              columns={columnsFor(onOpen)}
              rows={rows}
              keyOf={({ stipendId }) => stipendId}
              minWidth={900}
            />
          </Stack>
        )}
      </LoadedRows>
      {list.hasNextPage ? (
        <ShowMore
          isRunning={list.isFetchingNextPage}
          hasFailed={list.isFetchNextPageError}
          onMore={() => void list.fetchNextPage()}
        />
      ) : null}
    </Stack>
  );
}

const money = (key: 'owedCents' | 'handedCents' | 'paidCents', label: string): Column<ReconciliationRow> => ({
  key,
  label,
  width: key === 'handedCents' ? 108 : 76,
  isNumber: true,
  cell: (row) => formatCents(row[key]),
});

function columnsFor(onOpen: (stipendId: string) => void): Column<ReconciliationRow>[] {
  return [
    {
      key: 'participant',
      label: 'Participant',
      onPhone: 'first',
      cellOnPhone: (row) => <TwoLines first={<Name row={row} onOpen={onOpen} />} />,
      cell: (row) => <TwoLines first={<Name row={row} onOpen={onOpen} />} second={weekOf(row)} />,
    },
    {
      key: 'since',
      label: 'Approved',
      width: 192,
      onPhone: 'secondRest',
      cellOnPhone: ({ handedCents, paidCents, ...row }) => (
        <TwoLines
          first={`${handedCents ? `Sent ${formatCents(handedCents)}` : 'Not sent'} · ${paidCents ? `paid ${formatCents(paidCents)}` : 'not paid'}`}
          second={weekOf(row)}
        />
      ),
      cell: ({ since }) => <TwoLines first={<DateTime value={since} />} />,
    },
    {
      ...money('owedCents', 'Owed'),
      onPhone: 'firstEnd',
      cellOnPhone: ({ owedCents }) => <Text fw={600}>{formatCents(owedCents)}</Text>,
    },
    money('handedCents', 'Handed over'),
    money('paidCents', 'Paid'),
    {
      key: 'handover',
      label: 'Hand-over',
      width: 150,
      onPhone: 'below',
      cell: ({ handover }) => <Handover handover={handover} />,
      // What was sent is in the line above.
      cellOnPhone: ({ handover }) => (handover && handover.status !== 'sent' ? <Handover handover={handover} /> : null),
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 132,
      onPhone: 'secondEnd',
      cell: (row) => (
        <Group gap={6} wrap="nowrap">
          <Pay row={row} />
          <Recall row={row}>
            {(onAsk) => (
              <RowMenu name={row.participantName}>
                <Menu.Item onClick={onAsk}>Recall batch</Menu.Item>
              </RowMenu>
            )}
          </Recall>
        </Group>
      ),
    },
  ];
}

/** The week comes first, because the line is cut at its end, and one person can have many weeks. */
function weekOf({ weekNumber, cohortName }: Pick<ReconciliationRow, 'weekNumber' | 'cohortName'>): string {
  return `Week ${weekNumber} · ${cohortName}`;
}

function Name({ row, onOpen }: { row: ReconciliationRow; onOpen: (stipendId: string) => void }) {
  return (
    <Anchor component="button" type="button" ta="left" fw={600} onClick={() => onOpen(row.stipendId)}>
      {row.participantName}
    </Anchor>
  );
}

function Pay({ row }: { row: ReconciliationRow }) {
  if (!row.can.markPaid) return null;
  return <MarkPaid stipend={{ ...row, id: row.stipendId, dueCents: row.owedCents - row.paidCents }} />;
}

function Recall({
  row: { can, handover },
  children,
}: {
  row: ReconciliationRow;
  children: (onAsk: () => void) => ReactNode;
}) {
  if (!can.recall || !handover) return null;
  return <RecallHandover handoverId={handover.id}>{children}</RecallHandover>;
}

const handoverWords: Record<string, string> = {
  queued: 'Waiting to be sent',
  sent: 'Sent',
  failed: 'Failed, will be tried again',
  given_up: 'Given up',
};

function Handover({ handover }: { handover: ReconciliationRow['handover'] }) {
  if (!handover) {
    const none = (
      <Text span inherit c="dimmed">
        None
      </Text>
    );
    return <TwoLines first={none} />;
  }
  return (
    <TwoLines
      first={
        handover.isBeingSent
          ? 'Being sent right now. If that fails, you can recall it in a minute'
          : (handoverWords[handover.status] ?? handover.status)
      }
      second={handover.status === 'sent' ? null : handover.lastError}
    />
  );
}
