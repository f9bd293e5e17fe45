import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** A multiple of 2 and of 3, the numbers of columns in a grid of cards. A row of many cells is in a smaller part. */
const mostRowsOfPart = 24;
const mostCellsOfPart = 32;
/** The parts that are there before anybody scrolls. */
const partsAtFirst = 3;
/** A list of no more rows and cells than this is whole in the page, where the browser's own search finds it. */
const mostRowsAlwaysThere = partsAtFirst * mostRowsOfPart;
const mostCellsAlwaysThere = 300;
const margin = '1000px 0px';
/** Rows of many cells cost more than the space that they leave free. */
const marginOfCells = '60px 0px';

export interface PartOfList<Row> {
  rows: Row[];
  /** The place of its first row in the whole list. */
  start: number;
  isWatched: boolean;
  isThereAtFirst: boolean;
  /** How far from the visible area its rows enter the page. */
  margin: string;
}

/** A long list in parts. The rows of a part enter and leave the page together. */
export function partsOf<Row>(rows: Row[], cellsOfRow = 1): PartOfList<Row>[] {
  const rowsOfPart = Math.min(mostRowsOfPart, Math.max(1, Math.floor(mostCellsOfPart / cellsOfRow)));
  const isWatched = rows.length > mostRowsAlwaysThere || rows.length * cellsOfRow > mostCellsAlwaysThere;
  return Array.from({ length: Math.ceil(rows.length / rowsOfPart) }, (_, index) => {
    const start = index * rowsOfPart;
    return {
      rows: rows.slice(start, start + rowsOfPart),
      start,
      isWatched,
      isThereAtFirst: index < partsAtFirst,
      margin: cellsOfRow === 1 ? margin : marginOfCells,
    };
  });
}

/**
 * The height of the gap that a part leaves while it is far from the visible area. Null while its rows are in the page.
 * A part that has the focus stays. A part that was never there leaves the height that its rows probably have.
 */
export function usePartInSight<Part extends HTMLElement>(
  { rows, isWatched, isThereAtFirst, margin }: PartOfList<unknown>,
  rowHeight: number,
): { part: RefObject<Part | null>; gap: number | null } {
  const part = useRef<Part>(null);
  const [isThere, setThere] = useState(isThereAtFirst);
  const [measured, setMeasured] = useState<{ height: number; rowHeight: number } | null>(null);
  const leave = useEffectEvent((height: number) => {
    if (!isThere) return;
    setThere(false);
    setMeasured({ height, rowHeight });
  });
  useEffect(() => {
    const element = part.current;
    if (!isWatched || !element) return;
    const observer = new IntersectionObserver(
      (changes) => {
        const latest = changes.at(-1);
        if (!latest) return;
        if (latest.isIntersecting || element.contains(document.activeElement)) setThere(true);
        else leave(latest.boundingClientRect.height);
      },
      { rootMargin: margin, scrollMargin: margin },
    );
    const lookAgain = () => {
      observer.unobserve(element);
      observer.observe(element);
    };
    // On paper every row is in sight.
    const showForPrint = () => flushSync(() => setThere(true));
    observer.observe(element);
    window.addEventListener('beforeprint', showForPrint);
    window.addEventListener('afterprint', lookAgain);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', showForPrint);
      window.removeEventListener('afterprint', lookAgain);
    };
  }, [isWatched, margin]);
  // Rows of another height, as on a phone that was turned, take what was measured before out of force.
  const known = measured?.rowHeight === rowHeight ? measured.height : rows.length * rowHeight;
  return { part, gap: isWatched && !isThere ? known : null };
}

/** Marks the end of a list. Asks for more rows while the end is near the visible area and there are more to ask for. */
export function useEndInSight(onMore: (() => void) | null): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  const more = useEffectEvent(() => onMore?.());
  const isAsked = onMore !== null;
  useEffect(() => {
    if (!isAsked || !end.current) return;
    const observer = new IntersectionObserver(
      (changes) => {
        if (changes.at(-1)?.isIntersecting) more();
      },
      { rootMargin: margin, scrollMargin: margin },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isAsked]);
  return end;
}
