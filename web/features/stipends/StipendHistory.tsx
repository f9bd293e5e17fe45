import { Box, Stack, Text, Title } from '@mantine/core';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readStipend } from '#contract/stipends.ts';
import { formatShortInstant } from '../../ui/dates.ts';

const acts: Record<string, string> = {
  first_approval: 'First approval',
  first_approval_lapsed: 'First approval lapsed',
  approval: 'Approved',
  denial: 'Denied',
  amount: 'Amount changed',
  adjustment: 'Amount changed after it was sent',
  amount_approval: 'New amount approved',
  payee: 'Name and email updated',
  handover: 'Sent to the payment system',
  recall: 'Batch recalled',
  payment: 'Paid',
  reversal: 'Payment taken back',
};

/** Says who changed what, newest first. */
export function StipendHistory({ history }: { history: ResponseOf<typeof readStipend>['history'] }) {
  if (history.length === 0) return null;
  return (
    <Box component="section" aria-label="History">
      <Title order={3} mb="xs">
        History
      </Title>
      <Stack component="ul" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
        {history.map(({ position, at, action, actorName, detail, reason }) => (
          <li key={position}>
            <Text size="sm">
              <b>{acts[action] ?? action}</b>
              {actorName ? ` by ${actorName}` : ''}, <time dateTime={at}>{formatShortInstant(at)}</time>
            </Text>
            <Text size="sm" c="dimmed">
              {detail}
            </Text>
            {reason ? <Text size="sm">Reason: {reason}</Text> : null}
          </li>
        ))}
      </Stack>
    </Box>
  );
}
