import { Card, Stack } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../api/api-error.ts';
import { NextPageButton } from './NextPageButton.tsx';
import { EmptyState, ErrorState, LoadingState } from './states.tsx';

interface PagedRowsProps<Row> {
  list: UseInfiniteQueryResult<InfiniteData<{ rows: Row[] }>>;
  /** 'questions' */
  things: string;
  empty: { title: string; words: string };
  children: (rows: Row[]) => ReactNode;
}

/** A list that is read page by page, with what stands in its place while it loads, fails or has nothing. */
export function PagedRows<Row>({ list, things, empty, children }: PagedRowsProps<Row>) {
  if (list.isPending) return <LoadingState label={`Loading the ${things}`} rows={6} />;
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Stack gap="md">
      {list.isError ? (
        <ErrorState
          title={`The ${things} could not be loaded`}
          message={messageOf(list.error)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      ) : null}
      {list.data && rows.length === 0 ? (
        <Card>
          <EmptyState title={empty.title}>{empty.words}</EmptyState>
        </Card>
      ) : null}
      {rows.length > 0 ? children(rows) : null}
      <NextPageButton list={list} />
    </Stack>
  );
}
