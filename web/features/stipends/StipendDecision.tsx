import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { formatCents } from '#contract/money.ts';
import { approveStipend, approveStipendAmount, type StipendRow } from '#contract/stipends.ts';
import { useAction } from '../../api/use-action.ts';
import { paymentWords } from '../payments/payment-words.ts';
import { DenyStipend } from './DenyStipend.tsx';
import classes from './StipendTable.module.css';

/** STIP-19, STIP-20, STIP-37, STIP-38. A refused decision shows the row as it is now. */
export function StipendDecision({ row }: { row: StipendRow }) {
  const approve = useAction(approveStipend, {
    success: ({ paymentStatus }) =>
      paymentStatus === 'approved'
        ? { title: 'Stipend Approved' }
        : { title: 'First Approval Noted', message: 'A second admin has to approve it too.' },
    failureTitle: 'Approval Failed',
  });
  const [isDenying, setDenying] = useState(false);
  if (row.amountAwaitsApproval) return <NewAmount row={row} />;
  if (!row.can.approve && !row.can.deny) {
    return (
      <Text size="sm" c="dimmed">
        {row.paymentStatus === 'pending'
          ? (row.approvalRefusal ?? 'Not eligible')
          : paymentWords[row.paymentStatus].label}
      </Text>
    );
  }
  return (
    <Group gap={6} className={classes.decision}>
      {row.can.approve ? (
        <Button
          size="xs"
          variant="light"
          aria-label={`Approve ${row.participantName}`}
          loading={approve.isRunning}
          disabled={isDenying}
          onClick={() => approve.run({ params: { id: row.id }, body: { version: row.version } })}
        >
          Approve
        </Button>
      ) : null}
      {row.can.deny ? <DenyStipend row={row} isDisabled={approve.isRunning} onRunning={setDenying} /> : null}
      {row.approvalRefusal ? (
        <Text size="sm" c="dimmed">
          {row.approvalRefusal}
        </Text>
      ) : null}
    </Group>
  );
}

/** The amount changed after the approval. It is neither sent nor paid before another admin has approved it. */
function NewAmount({ row }: { row: StipendRow }) {
  const approve = useAction(approveStipendAmount, {
    success: ({ participantName, amountCents }) => ({
      title: 'Amount Approved',
      message: `${participantName}: ${formatCents(amountCents)}`,
    }),
    failureTitle: 'Approval Failed',
  });
  if (!row.can.approveAmount) {
    return (
      <Text size="sm" c="dimmed">
        {row.approvalRefusal}
      </Text>
    );
  }
  return (
    <Group gap={6} className={classes.decision}>
      <Button
        size="xs"
        variant="light"
        h="auto"
        mih={30}
        py={4}
        styles={{ label: { whiteSpace: 'normal' } }}
        aria-label={`Approve the new amount of ${row.participantName}, ${formatCents(row.amountCents)}`}
        loading={approve.isRunning}
        onClick={() => approve.run({ params: { id: row.id }, body: { version: row.version } })}
      >
        Approve amount
      </Button>
    </Group>
  );
}
