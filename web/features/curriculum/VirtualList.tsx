import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { LongList } from '../../ui/LongList.tsx';
import { useEndInSight } from '../../ui/use-part-in-sight.ts';

interface VirtualListProps<Row> {
  label: string;
  rows: Row[];
  keyOf: (row: Row) => string;
  /** The number of rows on all pages, for people who hear the list. */
  total: number;
  height: number | 'auto' | { base: number; md: number };
  /** An estimate in pixels. */
  rowHeight: number;
  /** Null at the end of the list, or while it is being read. */
  onMore: (() => void) | null;
  children: (row: Row) => ReactNode;
}

/** A long list that scrolls in its own box, and reads on as its end comes near. */
export function VirtualList<Row>({ height, onMore, children, ...list }: VirtualListProps<Row>) {
  const end = useEndInSight(onMore);
  return (
    <Box h={height} style={{ overflowY: 'auto' }}>
      <LongList {...list}>{children}</LongList>
      <div ref={end} />
    </Box>
  );
}
