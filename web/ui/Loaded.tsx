import { Box, Stack } from '@mantine/core';
import type { InfiniteData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../api/api-error.ts';
import { readFailedAgain } from '../api/query-for.ts';
import { ErrorState, LoadingState } from './states.tsx';

/** The part of useQuery's and useInfiniteQuery's result that the screens need. */
export interface Read<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  isError: boolean;
  isFetching: boolean;
  /** True while the data of the former search stands in until the new answer is there. */
  isPlaceholderData?: boolean;
  refetch: () => Promise<unknown>;
  isFetchNextPageError?: boolean;
  fetchNextPage?: () => Promise<unknown>;
}

/** The title alone, or with words that replace the server's. Words that say what failed need no title. */
type Failure = string | { title: string; words?: string | undefined; looks?: Looks } | UntitledFailure;
interface UntitledFailure {
  title?: undefined;
  words: string;
  looks?: Looks;
}
type Looks = { color: string; icon: ReactNode };

interface ReadFailureProps {
  read: Read<unknown>;
  failure: Failure;
  /** Said first if there is no older data, so that a reference ends the words. It names what stands in its place. */
  instead?: string | undefined;
}

/**
 * Says that a read failed, and whether the data shown is older. Shows nothing if it did not fail. Try again repeats the
 * read, and with it all that failed on the screen.
 */
export function ReadFailure({ read, failure, instead }: ReadFailureProps) {
  if (!read.isError) return null;
  const { title, words = messageOf(read.error), looks } = typeof failure === 'string' ? { title: failure } : failure;
  // If the next page failed, the pages before it are still right.
  const next = read.isFetchNextPageError ? read.fetchNextPage : undefined;
  const isOlder = read.data !== undefined && !next;
  const message = isOlder ? `${words.replace(/\w$/, '$&.')} What you see below is from before.` : words;
  return (
    <ErrorState
      title={title}
      message={instead && read.data === undefined ? `${instead} ${message}` : message}
      onRetry={() => {
        void (next ?? read.refetch)();
        readFailedAgain();
      }}
      isRetrying={read.isFetching}
      {...looks}
    />
  );
}

/** Two reads that say something only together. One of them that fails is the failure of both. */
export function together<One, Other>(one: Read<One>, other: Read<Other>): Read<{ one: One; other: Other }> {
  const failed = [one, other].find(({ isError }) => isError);
  return {
    data: one.data === undefined || other.data === undefined ? undefined : { one: one.data, other: other.data },
    error: failed?.error ?? null,
    isPending: !failed && (one.isPending || other.isPending),
    isError: failed !== undefined,
    isFetching: one.isFetching || other.isFetching,
    refetch: () => Promise.all([one.refetch(), other.refetch()]),
  };
}

interface FrameProps {
  failure: Failure;
  /** The words while it loads, and the shape of what comes. */
  loading: { label: string; rows?: number; cards?: number };
}

interface LoadedProps<Data> extends FrameProps {
  read: Read<Data>;
  /** Stands in after the first read failed. It says itself, or in these words, that it has no meaning. */
  instead?: { words?: string; shown: ReactNode };
  children: (data: Data) => ReactNode;
}

/** Shows the data. While it loads or after it failed, says so in its place or above it. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  return (
    <Stack gap="md" className="frame-of-read">
      <LoadedParts {...props} />
    </Stack>
  );
}

/** The same without a frame, for a parent that spaces the parts. */
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
  /** One page, or all pages read so far. */
  list: Read<Page | InfiniteData<Page>>;
  /** Replaces the rows if there are none. */
  empty: ReactNode;
  /** Keeps the rows' place although there are none, because one is being written. */
  isKept?: boolean;
  /** Facts about the whole list. */
  above?: (first: Page) => ReactNode;
  children: (rows: Page['rows'], first: Page) => ReactNode;
}

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
