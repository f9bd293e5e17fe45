import { Box, Text } from '@mantine/core';
import type { StipendRow } from '#contract/stipends.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { formatStipendInstant } from './stipend-dates.ts';
import { handoverWords, paymentWords } from './stipend-words.ts';

type PaymentFacts = Pick<StipendRow, 'paymentStatus' | 'approvedAt' | 'approvedByName' | 'handover'>;

/** STIP-17, with who decided and whether the payment system has it. */
export function StipendPayment({ row }: { row: PaymentFacts }) {
  const { label, tone } = paymentWords[row.paymentStatus];
  return (
    <Box miw={115}>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      {row.approvedAt ? (
        <Text size="sm" c="dimmed" mt={4}>
          <time dateTime={row.approvedAt}>{formatStipendInstant(row.approvedAt)}</time>
          {row.approvedByName ? ` by ${row.approvedByName}` : ''}
        </Text>
      ) : null}
      {row.handover ? (
        <Text size="sm" c={row.handover === 'sent' || row.handover === 'queued' ? 'dimmed' : 'var(--status-danger)'}>
          {handoverWords[row.handover]}
        </Text>
      ) : null}
    </Box>
  );
}
