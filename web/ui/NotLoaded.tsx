import { Anchor, Box, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { readFailedAgain } from '../api/query-for.ts';

export interface Missing {
  /** Left out where another Try again on the screen reads it too. */
  onRetry?: (() => void) | undefined;
  isRetrying: boolean;
}

/** How a figure looks that stands in for one that could not be read. It must not pass for a true zero. */
export const standInLooks = { c: 'dimmed', fw: 400 } as const;

/**
 * Stands beside a figure that could not be read and has no meaning. `label` names the figure for people who only hear
 * it.
 */
export function NotLoaded({ label, missing: { onRetry, isRetrying } }: { label: string; missing: Missing }) {
  const words = (
    <Text size="sm" c="var(--status-danger)" span>
      Not loaded
    </Text>
  );
  if (!onRetry) return words;
  const retry = () => {
    onRetry();
    readFailedAgain();
  };
  return (
    <Box component="span" style={{ display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', gap: '0 8px' }}>
      {words}
      <Anchor component="button" type="button" size="sm" py={4} onClick={isRetrying ? undefined : retry}>
        {isRetrying ? 'Loading…' : 'Try again'}
        <VisuallyHidden> {label}</VisuallyHidden>
      </Anchor>
    </Box>
  );
}

interface Read {
  isError: boolean;
  isFetching: boolean;
  data: unknown;
  refetch: () => Promise<unknown>;
}

/**
 * For the `description` of a field whose choices could not be read, because what stands in the field is not wrong. Null
 * unless a read failed and has no data.
 */
export function choicesNotLoaded(label: string, ...reads: Read[]): ReactNode {
  const failed = reads.filter(({ isError, data }) => isError && data === undefined);
  if (failed.length === 0) return null;
  const onRetry = () => {
    for (const { refetch } of failed) void refetch();
  };
  return <NotLoaded label={label} missing={{ onRetry, isRetrying: failed.some(({ isFetching }) => isFetching) }} />;
}
