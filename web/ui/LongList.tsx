import type { ReactNode } from 'react';
import { type PartOfList, partsOf, usePartInSight } from './use-part-in-sight.ts';

interface LongListProps<Row> {
  label?: string;
  rows: Row[];
  /** The number of rows on all pages, if more can be read. For people who hear the list. */
  total?: number;
  keyOf: (row: Row) => string;
  /** An estimate in pixels. */
  rowHeight: number;
  className?: string | undefined;
  partClassName?: string | undefined;
  itemClassName?: string | undefined;
  children: (row: Row) => ReactNode;
}

/** A list that may have thousands of rows. Only the rows near the visible ones are in the page. */
export function LongList<Row>({ label, rows, total = rows.length, className, ...part }: LongListProps<Row>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: The rows stand in parts, and a ul cannot hold parts.
    <div role="list" aria-label={label} className={className}>
      {partsOf(rows).map((each) => (
        <Part key={each.start} {...part} part={each} total={total} />
      ))}
    </div>
  );
}

type PartProps<Row> = Omit<LongListProps<Row>, 'label' | 'rows' | 'total' | 'className'> & {
  part: PartOfList<Row>;
  total: number;
};

function Part<Row>({ part, total, keyOf, rowHeight, partClassName, itemClassName, children }: PartProps<Row>) {
  const { part: element, gap } = usePartInSight<HTMLDivElement>(part, rowHeight);
  if (gap !== null) return <div ref={element} style={{ height: gap }} />;
  return (
    <div ref={element} className={partClassName}>
      {part.rows.map((row, index) => (
        // biome-ignore lint/a11y/useSemanticElements: The list above has the reason.
        <div
          key={keyOf(row)}
          role="listitem"
          aria-setsize={total}
          aria-posinset={part.start + index + 1}
          className={itemClassName}
        >
          {children(row)}
        </div>
      ))}
    </div>
  );
}
