import { Stack, Text } from '@mantine/core';
import { messageOf } from '../api/api-error.ts';
import { DateTime } from './DateTime.tsx';
import { NextPageButton } from './NextPageButton.tsx';
import { ErrorState, LoadingState } from './states.tsx';

interface ListedEvent {
  id: string;
  at: string;
  title: string;
  note: string;
}

interface EventListProps {
  /** What the list is called in running text: 'sign-ins'. */
  name: string;
  label: string;
  events: ListedEvent[];
  /** Of useInfiniteQuery. */
  list: {
    isPending: boolean;
    isError: boolean;
    isFetching: boolean;
    error: unknown;
    refetch: () => Promise<unknown>;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
}

/** What happened, newest first, page after page. */
export function EventList({ name, label, events, list }: EventListProps) {
  if (list.isPending) return <LoadingState label={`Loading ${name}`} rows={3} />;
  if (list.isError && events.length === 0) {
    return (
      <ErrorState
        title={`The ${name} could not be read`}
        message={messageOf(list.error)}
        onRetry={() => void list.refetch()}
        isRetrying={list.isFetching}
      />
    );
  }
  if (events.length === 0) return <Text c="dimmed">Nothing in the last 90 days.</Text>;
  return (
    <>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={label}>
        {events.map(({ id, at, title, note }) => (
          <li key={id} style={{ overflowWrap: 'anywhere' }}>
            <Text fw={600}>{title}</Text>
            <Text size="sm" c="dimmed">
              <DateTime value={at} /> · {note}
            </Text>
          </li>
        ))}
      </Stack>
      <NextPageButton list={list} mt="md" />
    </>
  );
}
