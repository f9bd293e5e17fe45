import { Text } from '@mantine/core';
import { formatCents } from '#contract/money.ts';
import type { StipendRow } from '#contract/stipends.ts';
import { formatInstantInRow, formatInstantWithYear } from '../../ui/dates.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { Facts } from '../../ui/TwoLines.tsx';
import { handoverWords, paymentWords } from './payment-words.ts';

type PaymentFacts = Pick<
  StipendRow,
  | 'today'
  | 'paymentStatus'
  | 'approvedAt'
  | 'approvedByName'
  | 'denialReason'
  | 'firstApproval'
  | 'handover'
  | 'handedCents'
  | 'amountCents'
  | 'payment'
  | 'amountAwaitsApproval'
  | 'dueCents'
  | 'restWaits'
>;

interface StipendPaymentProps {
  row: PaymentFacts;
  /** A row has less room for dates. */
  isInRow?: boolean;
}

/** STIP-17. Also says who decided, and whether the payment system has it. */
export function StipendPayment({ row, isInRow = false }: StipendPaymentProps) {
  const when = (at: string) => (isInRow ? formatInstantInRow : formatInstantWithYear)(at, row.today);
  const { label, tone } = paymentWords[row.paymentStatus];
  return (
    <>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      <Facts>
        {row.approvedAt ? (
          <Text inherit>
            <time dateTime={row.approvedAt}>{when(row.approvedAt)}</time>
            {row.approvedByName ? ` by ${row.approvedByName}` : ''}
          </Text>
        ) : null}
        {row.denialReason ? (
          <Text inherit c="var(--mantine-color-text)">
            Reason: {row.denialReason}
          </Text>
        ) : null}
        {row.firstApproval ? (
          <Text inherit>Approved by {row.firstApproval.byName}; a second approver is needed</Text>
        ) : null}
        {row.handover ? (
          <Text inherit c={row.handover === 'sent' || row.handover === 'queued' ? 'dimmed' : 'var(--status-danger)'}>
            {handoverWords[row.handover]}
            {row.handedCents === row.amountCents ? '' : ` with ${formatCents(row.handedCents)}`}
          </Text>
        ) : null}
        {row.payment ? (
          <Text inherit>
            {formatCents(row.payment.amountCents)} paid <time dateTime={row.payment.at}>{when(row.payment.at)}</time>
            {row.payment.byName ? `, noted by ${row.payment.byName}` : ''}
            {row.payment.reference ? `, ${row.payment.reference}` : ''}
          </Text>
        ) : null}
        {row.payment && row.payment.parts.length > 1
          ? row.payment.parts.map(({ amountCents, at }) => (
              <Text key={at} inherit>
                {formatCents(amountCents)} of it on <time dateTime={at}>{when(at)}</time>
              </Text>
            ))
          : null}
      </Facts>
      {row.amountAwaitsApproval ? (
        <Text size="sm" c="var(--status-warning)">
          Amount changed since: another admin has to approve {formatCents(row.amountCents)}
        </Text>
      ) : null}
      {row.payment && row.dueCents !== 0 ? (
        <Text size="sm" c="var(--status-danger)">
          {row.dueCents > 0
            ? `${formatCents(row.dueCents)} still to pay`
            : `${formatCents(-row.dueCents)} too much was paid`}
        </Text>
      ) : null}
      {row.restWaits ? (
        <Text size="sm" c="var(--status-warning)">
          The rest is on hold: the payment system may still pay it. Use 'Send all again' to send it
        </Text>
      ) : null}
    </>
  );
}
