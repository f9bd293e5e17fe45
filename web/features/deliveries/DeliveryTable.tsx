import { Box, Button, Text } from '@mantine/core';
import { type GivenUpDelivery, retryDelivery } from '#contract/deliveries.ts';
import { useAction } from '../../api/use-action.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { channelWords, kindInWords } from './delivery-words.ts';

interface DeliveryTableProps {
  rows: GivenUpDelivery[];
  /** Runs after a retry, when the row that was pressed is gone. */
  onRetried: () => void;
}

export function DeliveryTable({ rows, onRetried }: DeliveryTableProps) {
  return (
    <DataTable
      label="What could not be delivered, the latest first"
      columns={columnsFor(onRetried)}
      rows={rows}
      keyOf={({ id }) => id}
    />
  );
}

function columnsFor(onRetried: () => void): Column<GivenUpDelivery>[] {
  return [
    {
      key: 'recipient',
      label: 'To',
      cell: ({ recipientName, address }) => (
        <Box>
          <Text fw={600}>{recipientName ?? 'Nobody with an account'}</Text>
          <Text size="sm" c="dimmed">
            {address ?? 'A browser'}
          </Text>
        </Box>
      ),
    },
    { key: 'kind', label: 'What', cell: ({ kind }) => kindInWords(kind) },
    { key: 'channel', label: 'Channel', cell: ({ channel }) => channelWords[channel] },
    {
      key: 'reason',
      label: 'Reason',
      cell: ({ reason }) => (
        <Text size="sm" lineClamp={4} title={reason}>
          {reason}
        </Text>
      ),
    },
    { key: 'attempts', label: 'Tries', isNumber: true, cell: ({ attempts }) => attempts },
    { key: 'at', label: 'Given up', cell: ({ givenUpAt }) => <DateTime value={givenUpAt} /> },
    { key: 'retry', label: 'Try again', cell: (delivery) => <Retry delivery={delivery} onRetried={onRetried} /> },
  ];
}

function Retry({ delivery, onRetried }: { delivery: GivenUpDelivery; onRetried: () => void }) {
  const retry = useAction(retryDelivery, {
    success: 'Delivery Queued',
    failureTitle: 'Not Queued',
    onSuccess: onRetried,
  });
  if (!delivery.can.retry) {
    return (
      <Text size="sm" c="dimmed">
        No longer useful
      </Text>
    );
  }
  const name = delivery.recipientName ?? delivery.address ?? 'a browser';
  return (
    <Button
      variant="default"
      size="xs"
      loading={retry.isRunning}
      aria-label={`Try again to reach ${name}: ${kindInWords(delivery.kind)}`}
      onClick={() => retry.run({ params: { id: delivery.id } })}
    >
      Try again
    </Button>
  );
}
