import { type RefObject, useEffect, useRef, useState } from 'react';

/** A multiple of 2 and of 3, which are the columns that a grid of cards has. */
const rowsOfPart = 24;
/** What a first page brings is always there. */
const rowsAlwaysThere = 3 * rowsOfPart;
const margin = '1000px 0px';

export interface PartOfList<Row> {
  rows: Row[];
  /** Where its first row stands in the whole list. */
  start: number;
  isWatched: boolean;
}

/** A long list in parts that come into the page, and leave it, together. */
export function partsOf<Row>(rows: Row[]): PartOfList<Row>[] {
  const isWatched = rows.length > rowsAlwaysThere;
  return Array.from({ length: Math.ceil(rows.length / rowsOfPart) }, (_, index) => {
    const start = index * rowsOfPart;
    return { rows: rows.slice(start, start + rowsOfPart), start, isWatched };
  });
}

/**
 * How high the gap is that a part leaves while it is far from what is seen; null while its rows are in the page. What has
 * the focus stays.
 */
export function usePartInSight<Part extends HTMLElement>(
  { rows, start, isWatched }: PartOfList<unknown>,
  rowHeight: number,
): { part: RefObject<Part | null>; gap: number | null } {
  const part = useRef<Part>(null);
  const [away, setAway] = useState<number | null>(start < rowsAlwaysThere ? null : rows.length * rowHeight);
  useEffect(() => {
    const element = part.current;
    if (!isWatched || !element) return;
    const observer = new IntersectionObserver(
      (changes) => {
        const latest = changes.at(-1);
        if (!latest) return;
        const isThere = latest.isIntersecting || element.contains(document.activeElement);
        setAway(isThere ? null : latest.boundingClientRect.height);
      },
      { rootMargin: margin, scrollMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isWatched]);
  return { part, gap: isWatched ? away : null };
}
