import { Card, Text, Title } from '@mantine/core';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readStatus } from '#contract/operations.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { waitInWords } from './status-words.ts';

type Queue = ResponseOf<typeof readStatus>['queues'][number];

/** Counting stops there. */
const mostCounted = 1000;
const countOf = (count: number) => (count >= mostCounted ? `${mostCounted.toLocaleString('en-US')}+` : count);

const columns: Column<Queue>[] = [
  { key: 'name', label: 'Work', cell: ({ name }) => name },
  { key: 'waiting', label: 'Waiting', isNumber: true, cell: ({ waiting }) => countOf(waiting) },
  { key: 'running', label: 'Running', isNumber: true, cell: ({ running }) => countOf(running) },
  { key: 'oldest', label: 'Longest wait', isNumber: true, cell: ({ oldestSeconds }) => waitInWords(oldestSeconds) },
];

/** Is work piling up? */
export function WaitingJobs({ queues }: { queues: Queue[] }) {
  return (
    <Card component="section" aria-labelledby="waiting-jobs">
      <Title order={2} id="waiting-jobs" mb="sm">
        Background work
      </Title>
      {queues.length === 0 ? (
        <Text c="dimmed">No work is waiting. Emails, imports and other work that nobody waits for is listed here.</Text>
      ) : (
        <DataTable
          label="Background work that waits or runs"
          columns={columns}
          rows={queues}
          keyOf={({ name }) => name}
        />
      )}
    </Card>
  );
}
