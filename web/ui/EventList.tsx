import { Stack, Text } from '@mantine/core';
import type { InfiniteData } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { DateTime } from './DateTime.tsx';
import { LoadedRows, type Read } from './Loaded.tsx';
import { NextPageButton } from './NextPageButton.tsx';

interface ListedEvent {
  id: string;
  at: string;
  title: string;
  note: string;
}

interface EventListProps<Row> {
  /** The list's name in running text: 'sign-ins'. */
  name: string;
  label: string;
  list: Read<InfiniteData<{ rows: Row[] }>> & ComponentProps<typeof NextPageButton>['list'];
  inWords: (row: Row) => ListedEvent;
}

/** Events, newest first, page by page. */
export function EventList<Row>({ name, label, list, inWords }: EventListProps<Row>) {
  return (
    <>
      <LoadedRows
        list={list}
        failure={`The ${name} could not be loaded`}
        loading={{ label: `Loading ${name}`, rows: 3 }}
        empty={<Text c="dimmed">Nothing in the last 90 days.</Text>}
      >
        {(rows) => (
          <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={label}>
            {rows.map(inWords).map(({ id, at, title, note }) => (
              <li key={id}>
                <Text fw={600}>{title}</Text>
                <Text size="sm" c="dimmed">
                  <DateTime value={at} /> · {note}
                </Text>
              </li>
            ))}
          </Stack>
        )}
      </LoadedRows>
      <NextPageButton list={list} mt="md" />
    </>
  );
}
