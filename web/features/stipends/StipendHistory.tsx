import { Box, Stack, Text, Title } from '@mantine/core';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readStipend } from '#contract/stipends.ts';
import { formatStipendInstant } from './stipend-dates.ts';

const acts: Record<string, string> = {
  'stipend.approve': 'Approved',
  'stipend.deny': 'Denied',
  'stipend.change_amount': 'Amount changed',
  'stipend.hand_over': 'Handed over to the payment system',
  'stipend.hand_over_again': 'Handed over again',
  'stipend.mark_paid': 'Marked paid',
};

/** What was changed by whom, newest first. */
export function StipendHistory({ history }: { history: ResponseOf<typeof readStipend>['history'] }) {
  if (history.length === 0) return null;
  return (
    <Box component="section" aria-label="History">
      <Title order={3} mb="xs">
        History
      </Title>
      <Stack component="ul" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
        {history.map(({ at, action, actorName, detail }) => (
          <li key={`${at} ${action}`}>
            <Text size="sm">
              <b>{acts[action] ?? action}</b>
              {actorName ? ` by ${actorName}` : ''}, <time dateTime={at}>{formatStipendInstant(at)}</time>
            </Text>
            <Text size="sm" c="dimmed">
              {detail}
            </Text>
          </li>
        ))}
      </Stack>
    </Box>
  );
}
