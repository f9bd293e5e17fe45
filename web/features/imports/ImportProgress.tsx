import { Progress, Stack, Text } from '@mantine/core';
import type { z } from 'zod';
import type { ImportItem } from '#contract/imports.ts';
import { counted } from '../../ui/counted.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

type Item = z.output<typeof ImportItem>;

const looks = {
  processing: { tone: 'info', label: 'Processing' },
  completed: { tone: 'success', label: 'Completed' },
  failed: { tone: 'danger', label: 'Failed' },
} as const;

export function ImportStatus({ status, isUndone }: { status: Item['status']; isUndone: boolean }) {
  if (isUndone) return <StatusBadge tone="neutral">Undone</StatusBadge>;
  const { tone, label } = looks[status];
  return <StatusBadge tone={tone}>{label}</StatusBadge>;
}

/** How far an upload has come, in words, and also as a bar while it runs. */
export function ImportProgress({ item }: { item: Item }) {
  const done = item.successfulRecords + item.failedRecords;
  const isRunning = item.status === 'processing';
  return (
    <Stack gap={6} role="status">
      {isRunning ? (
        <Progress value={(100 * done) / item.totalRecords} size="lg" aria-label={`Progress of ${item.filename}`} />
      ) : null}
      <Text style={{ fontVariantNumeric: 'tabular-nums' }}>
        {isRunning
          ? `${done.toLocaleString('en-US')} of ${counted(item.totalRecords, 'record')} done: `
          : `${counted(item.totalRecords, 'record')}: `}
        <b>{item.successfulRecords.toLocaleString('en-US')} created</b>,{' '}
        <b>{item.failedRecords.toLocaleString('en-US')} failed</b>.
      </Text>
    </Stack>
  );
}
