import { Box, Stack } from '@mantine/core';
import type { InfiniteData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../api/api-error.ts';
import classes from './Loaded.module.css';
import { ErrorState, LoadingState } from './states.tsx';

/** What useQuery and useInfiniteQuery tell of a read. */
export interface Read<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  isError: boolean;
  isFetching: boolean;
  /** Shown until the answer to another search is there. */
  isPlaceholderData?: boolean;
  refetch: () => Promise<unknown>;
  isFetchNextPageError?: boolean;
  fetchNextPage?: () => Promise<unknown>;
}

/** The title, or with it words that take the place of the server's. */
type Failure = string | { title: string; words?: string | undefined; looks?: Looks };
type Looks = { color: string; icon: ReactNode };

interface ReadFailureProps {
  read: Read<unknown>;
  failure: Failure;
  /** Said where there is no older data: what stands in its place. */
  instead?: string | undefined;
}

/** Says that a read failed, and whether what is shown is older; nothing where it did not fail. Try again reads it again. */
export function ReadFailure({ read, failure, instead }: ReadFailureProps) {
  if (!read.isError) return null;
  const { title, words = messageOf(read.error), looks } = typeof failure === 'string' ? { title: failure } : failure;
  // Where the next page failed, those before it are as they are.
  const next = read.isFetchNextPageError ? read.fetchNextPage : undefined;
  const standing = read.data === undefined ? instead : next ? undefined : 'What you see below is from before.';
  return (
    <ErrorState
      title={title}
      message={[words, standing].filter(Boolean).join(' ')}
      onRetry={() => void (next ?? read.refetch)()}
      isRetrying={read.isFetching}
      {...looks}
    />
  );
}

interface FrameProps {
  failure: Failure;
  /** What is said while it loads, and the shape of what comes. */
  loading: { label: string; rows?: number; cards?: number };
}

interface LoadedProps<Data> extends FrameProps {
  read: Read<Data>;
  /** What is shown where the first read has failed, and the words that mark it as standing for nothing. */
  instead?: { words: string; shown: ReactNode };
  children: (data: Data) => ReactNode;
}

/** What was read, and what stands in its place or above it while it loads or has failed. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  return (
    <Stack gap="md" className={classes.frame}>
      <LoadedParts {...props} />
    </Stack>
  );
}

/** The same where what is around them spaces the parts. */
export function LoadedParts<Data>({ read, failure, loading, instead, children }: LoadedProps<Data>) {
  return (
    <>
      <ReadFailure read={read} failure={failure} instead={instead?.words} />
      {read.isPending ? <LoadingState {...loading} /> : null}
      {read.data === undefined ? null : children(read.data)}
      {read.isError && read.data === undefined ? instead?.shown : null}
    </>
  );
}

interface PageOfRows {
  rows: readonly unknown[];
}

interface LoadedRowsProps<Page extends PageOfRows> extends FrameProps {
  /** One page, or all that were read one after the other. */
  list: Read<Page | InfiniteData<Page>>;
  /** In the place of the rows where there are none. */
  empty: ReactNode;
  /** Shown although there are no rows: one of them is being written. */
  isKept?: boolean;
  /** What is known of the whole list. */
  above?: (first: Page) => ReactNode;
  children: (rows: Page['rows'], first: Page) => ReactNode;
}

/** A list in all its states. */
export function LoadedRows<Page extends PageOfRows>(props: LoadedRowsProps<Page>) {
  const { list, failure, loading, empty, isKept = false, above, children } = props;
  return (
    <Loaded read={list} failure={failure} loading={loading}>
      {(data) => {
        const pages = 'pages' in data ? data.pages : [data];
        const [first] = pages;
        if (!first) return empty;
        const rows = pages.flatMap((page) => page.rows);
        return (
          <>
            {above?.(first)}
            {rows.length === 0 && !isKept ? (
              empty
            ) : (
              <Box aria-busy={list.isPlaceholderData} style={{ opacity: list.isPlaceholderData ? 0.6 : 1 }}>
                {children(rows, first)}
              </Box>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
