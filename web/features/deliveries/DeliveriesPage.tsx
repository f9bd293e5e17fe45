import { Button, Card, Group, Select, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { deliveryChannels, listGivenUpDeliveries, retryDeliveries } from '#contract/deliveries.ts';
import { pagesFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { counted } from '../../ui/counted.ts';
import { countOn, FilterBar } from '../../ui/FilterBar.tsx';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { SavedFilters } from '../saved-filters/SavedFilters.tsx';
import { DeliveryTable } from './DeliveryTable.tsx';
import { useDeliveryPlace } from './delivery-place.ts';
import { channelWords, kindInWords } from './delivery-words.ts';

/** Lists what could not be delivered to people outside the product, and tries it again. */
export function DeliveriesPage() {
  const { place, change, isFiltered, clear } = useDeliveryPlace();
  const [isAsking, setAsking] = useState(false);
  const count = useRef<HTMLParagraphElement>(null);
  const list = useInfiniteQuery({
    ...pagesFor(listGivenUpDeliveries, { query: place }),
    placeholderData: keepPreviousData,
  });
  const returnFocus = () => requestAnimationFrame(() => count.current?.focus());
  const retryAll = useAction(retryDeliveries, {
    success: ({ queuedCount }) => ({ title: 'Deliveries Queued', message: `${queuedCount} will be tried again.` }),
    failureTitle: 'Not Queued',
    onSuccess: () => {
      setAsking(false);
      returnFocus();
    },
  });
  const [first] = list.data?.pages ?? [];
  const kinds = first?.kinds ?? [];
  const knownKinds = place.kind && !kinds.includes(place.kind) ? [...kinds, place.kind] : kinds;

  return (
    <>
      <PageHeader
        title="Undelivered Messages"
        lead="Emails, push notifications and text messages that we could not deliver."
      >
        {first && first.retryable > 0 ? (
          <Button onClick={() => setAsking(true)}>
            {isFiltered ? `Try these ${first.retryable} again` : `Try all ${first.retryable} again`}
          </Button>
        ) : null}
      </PageHeader>
      <Stack gap="md">
        <FilterBar
          label="Filter undelivered messages"
          always={
            <SearchField
              label="Search"
              placeholder="Name or reason"
              value={place.search ?? ''}
              onSearch={(search) => change({ search })}
              flex="1 1 220px"
            />
          }
          on={countOn(place.channel, place.kind)}
          saved={<SavedFilters list="deliveries" of={['search', 'channel', 'kind']} />}
        >
          <Select
            label="Channel"
            placeholder="All channels"
            clearable
            data={deliveryChannels.map((channel) => ({ value: channel, label: channelWords[channel] }))}
            value={place.channel ?? null}
            onChange={(channel) => change({ channel: channel ?? undefined })}
            flex="1 1 160px"
          />
          <Select
            label="What"
            placeholder="Everything"
            clearable
            data={knownKinds.map((kind) => ({ value: kind, label: kindInWords(kind) }))}
            value={place.kind ?? null}
            onChange={(kind) => change({ kind: kind ?? undefined })}
            flex="1 1 160px"
          />
        </FilterBar>
        <LoadedRows
          list={list}
          failure="The undelivered messages could not be loaded"
          loading={{ label: 'Loading what could not be delivered', rows: 6 }}
          above={({ matching }) => (
            <Group gap="sm" mih={28}>
              <Text ref={count} size="sm" c="dimmed" role="status" tabIndex={-1} style={{ outline: 'none' }}>
                {counted(matching, 'undelivered message')}
              </Text>
              {isFiltered ? (
                <Button variant="subtle" size="compact-sm" onClick={clear}>
                  Clear filters
                </Button>
              ) : null}
            </Group>
          )}
          empty={
            <Card>
              {isFiltered ? (
                <EmptyState title="Nothing matches">Try other words, or clear the filters.</EmptyState>
              ) : (
                <EmptyState title="No undelivered messages">
                  What we cannot deliver is listed here, with the reason.
                </EmptyState>
              )}
            </Card>
          }
        >
          {(rows) => <DeliveryTable rows={rows} onRetried={returnFocus} />}
        </LoadedRows>
        <NextPageButton list={list} />
      </Stack>
      <ConfirmDialog
        isOpen={isAsking}
        title="Try again"
        confirmLabel={`Try ${first?.retryable ?? 0} again`}
        isRunning={retryAll.isRunning}
        onConfirm={() => retryAll.run({ body: place })}
        onClose={() => setAsking(false)}
      >
        We will send {isFiltered ? 'everything that matches your filters' : 'everything on this list'} again:{' '}
        {(first?.retryable ?? 0).toLocaleString('en-US')} messages. They will arrive late.
      </ConfirmDialog>
    </>
  );
}
