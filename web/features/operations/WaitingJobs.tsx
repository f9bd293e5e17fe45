import { Box, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readStatus } from '#contract/operations.ts';
import { queueInWords, stateInWords, waitInWords } from './status-words.ts';

type Queue = ResponseOf<typeof readStatus>['queues'][number];

/** Is work piling up? */
export function WaitingJobs({ queues }: { queues: Queue[] }) {
  return (
    <Card component="section" aria-labelledby="waiting-jobs">
      <Title order={2} id="waiting-jobs" mb="sm">
        Background work
      </Title>
      {queues.length === 0 ? (
        <Text size="sm" c="dimmed">
          No work is waiting. Emails, imports and whatever else runs by itself is listed here.
        </Text>
      ) : (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {queues.map((queue) => (
            <WaitingQueue key={queue.name} queue={queue} />
          ))}
        </Stack>
      )}
    </Card>
  );
}

function WaitingQueue({ queue }: { queue: Queue }) {
  return (
    <Group component="li" justify="space-between" gap="sm" align="flex-start" wrap="nowrap">
      <Box style={{ minWidth: 0 }}>
        <Text>{queueInWords(queue.name)}</Text>
        <Text size="sm" c="dimmed">
          {stateInWords(queue)}
        </Text>
      </Box>
      {queue.waiting > 0 ? (
        <Text size="sm" ta="right" style={{ flexShrink: 0 }}>
          Longest wait {waitInWords(queue.oldestSeconds)}
        </Text>
      ) : null}
    </Group>
  );
}
