import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { type GivenUpDelivery, retryDelivery } from '#contract/deliveries.ts';
import { useAction } from '../../api/use-action.ts';
import { counted } from '../../ui/counted.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { formatDay, formatLocalTime, formatTime } from '../../ui/dates.ts';
import { DetailsButton, useOpenRows } from '../../ui/RowDetails.tsx';
import { TitleOnPhone, TwoLines } from '../../ui/TwoLines.tsx';
import { channelWords, kindInWords } from './delivery-words.ts';

interface DeliveryTableProps {
  rows: GivenUpDelivery[];
  /** Runs after a retry, when the row that was pressed is gone. */
  onRetried: () => void;
}

/** A message has two lines. The whole reason opens on demand. */
export function DeliveryTable({ rows, onRetried }: DeliveryTableProps) {
  const { isOpen, toggle } = useOpenRows();
  const details = (delivery: GivenUpDelivery) => (
    <DetailsButton
      of={`${kindInWords(delivery.kind)} to ${recipientOf(delivery)}`}
      isOpen={isOpen(delivery.id)}
      onToggle={() => toggle(delivery.id)}
    />
  );
  const columns: Column<GivenUpDelivery>[] = [
    {
      key: 'recipient',
      label: 'To',
      width: 216,
      onPhone: 'first',
      cellOnPhone: (delivery) => <TitleOnPhone>{recipientOf(delivery)}</TitleOnPhone>,
      cell: ({ recipientName, address }) => (
        <TwoLines
          first={<b title={recipientName ?? undefined}>{recipientName ?? 'Nobody with an account'}</b>}
          second={address ?? 'A browser'}
        />
      ),
    },
    {
      key: 'kind',
      label: 'What',
      width: 170,
      onPhone: 'secondRest',
      cell: ({ kind, channel }) => <TwoLines first={kindInWords(kind)} second={channelWords[channel]} />,
      cellOnPhone: ({ kind, channel, reason }) => (
        <TwoLines first={`${kindInWords(kind)} · ${channelWords[channel]}`} second={reason} />
      ),
    },
    {
      key: 'reason',
      label: 'Reason',
      onPhone: 'below',
      cell: (delivery) => <Reason delivery={delivery} isWhole={isOpen(delivery.id)} />,
      cellOnPhone: (delivery) => (isOpen(delivery.id) ? <EverythingOf delivery={delivery} /> : null),
    },
    {
      key: 'at',
      label: 'Given up',
      width: 164,
      cell: ({ givenUpAt, attempts }) => (
        <Box component="time" display="block" dateTime={givenUpAt} title={formatLocalTime(givenUpAt) ?? undefined}>
          <TwoLines
            first={formatDay(givenUpAt)}
            second={`${formatTime(givenUpAt)} · ${counted(attempts, 'try', 'tries')}`}
          />
        </Box>
      ),
    },
    {
      key: 'retry',
      label: 'Try again',
      width: 104,
      onPhone: 'firstEnd',
      cell: (delivery) => <Retry delivery={delivery} onRetried={onRetried} />,
      cellOnPhone: (delivery) => (
        <Group gap={6} wrap="nowrap">
          <Retry delivery={delivery} onRetried={onRetried} />
          {details(delivery)}
        </Group>
      ),
    },
    { key: 'details', label: 'Details', width: 88, cell: details },
  ];
  return (
    <DataTable
      label="What could not be delivered, the latest first"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      minWidth={920}
    />
  );
}

function recipientOf({ recipientName, address }: GivenUpDelivery): string {
  return recipientName ?? address ?? 'A browser';
}

function Reason({ delivery: { reason }, isWhole }: { delivery: GivenUpDelivery; isWhole: boolean }) {
  return (
    <Text size="sm" lh="18px" lineClamp={isWhole ? undefined : 2} title={reason} data-whole={isWhole || undefined}>
      {reason}
    </Text>
  );
}

function EverythingOf({ delivery }: { delivery: GivenUpDelivery }) {
  const { address, reason, attempts, givenUpAt } = delivery;
  return (
    <Stack gap={2} data-whole>
      <Text size="sm">{reason}</Text>
      <Text size="sm" c="dimmed">
        {address ?? 'A browser'} · given up <DateTime value={givenUpAt} /> after {counted(attempts, 'try', 'tries')}
      </Text>
    </Stack>
  );
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
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={retry.isRunning}
      aria-label={`Try again to reach ${recipientOf(delivery)}: ${kindInWords(delivery.kind)}`}
      onClick={() => retry.run({ params: { id: delivery.id } })}
    >
      Try again
    </Button>
  );
}
