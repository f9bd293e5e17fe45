import { Box } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';

interface VirtualListProps<Row> {
  label: string;
  rows: Row[];
  keyOf: (row: Row) => string;
  /** The number of rows on all pages, for people who hear the list. */
  total: number;
  height: number | { base: number; md: number };
  /** An estimate in pixels. */
  rowHeight: number;
  /** Null at the end of the list, or while it is being read. */
  onMore: (() => void) | null;
  children: (row: Row) => ReactNode;
}

const nearTheEnd = 20;

/** A list that scrolls in its own box. Of thousands of rows, only the visible ones are in the page. */
export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { label, rows, keyOf, total, height, rowHeight, onMore, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const row = rows[index];
      return row ? keyOf(row) : index;
    },
    overscan: 6,
  });
  const shown = virtualizer.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onMore && lastShown >= rows.length - nearTheEnd) onMore();
  }, [lastShown, rows.length, onMore]);
  return (
    <Box ref={box} h={height} style={{ overflowY: 'auto' }}>
      <ul
        aria-label={label}
        style={{ position: 'relative', height: virtualizer.getTotalSize(), margin: 0, padding: 0, listStyle: 'none' }}
      >
        {shown.map(({ key, index, start }) => {
          const row = rows[index];
          return row ? (
            <li
              key={String(key)}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={total}
              aria-posinset={index + 1}
              style={{ position: 'absolute', top: 0, left: 0, width: '100%', transform: `translateY(${start}px)` }}
            >
              {children(row)}
            </li>
          ) : null;
        })}
      </ul>
    </Box>
  );
}
