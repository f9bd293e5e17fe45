import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { type Cell, cellAt, cellsADay } from './availability-cells.ts';

/** A drag paints everything between its start and its present cell. */
interface Painting {
  start: Cell;
  isOffered: boolean;
  before: ReadonlySet<Cell>;
}

/** A touch that is not decided yet. It becomes a tap, a swipe that scrolls, or, if the finger rests, a brush. */
interface Touch {
  x: number;
  y: number;
  rest: ReturnType<typeof setTimeout>;
}

interface Canvas {
  grid: RefObject<HTMLElement | null>;
  cells: ReadonlySet<Cell>;
  onChange: (cells: ReadonlySet<Cell>) => void;
  onStart: (cell: Cell) => void;
}

const restInMs = 250;
const swipeInPx = 10;
const edgeInPx = 56;
const scrollStepInPx = 14;

/**
 * Painting by mouse, pen and finger. A finger that moves at once scrolls the page. A finger that rests first paints.
 */
export function usePainting({ grid, cells, onChange, onStart }: Canvas) {
  const painting = useRef<Painting | null>(null);
  const touch = useRef<Touch | null>(null);

  // React's touch listeners are passive, and a passive listener cannot keep the page from scrolling.
  useEffect(() => {
    const element = grid.current;
    const keepPage = (event: Event) => {
      if (painting.current && event.cancelable) event.preventDefault();
    };
    element?.addEventListener('touchmove', keepPage, { passive: false });
    element?.addEventListener('contextmenu', keepPage);
    return () => {
      element?.removeEventListener('touchmove', keepPage);
      element?.removeEventListener('contextmenu', keepPage);
    };
  }, [grid]);
  useEffect(() => () => clearTimeout(touch.current?.rest), []);

  const begin = (cell: Cell) => {
    painting.current = { start: cell, isOffered: !cells.has(cell), before: cells };
    onStart(cell);
    onChange(painted(painting.current, cell));
  };
  const leave = () => {
    clearTimeout(touch.current?.rest);
    touch.current = null;
    painting.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      const cell = cellUnder(event);
      if (cell === null || event.button !== 0) return;
      if (event.pointerType !== 'touch') return begin(cell);
      leave();
      touch.current = { x: event.clientX, y: event.clientY, rest: setTimeout(() => begin(cell), restInMs) };
    },
    onPointerMove: (event: PointerEvent) => {
      if (event.buttons === 0) painting.current = null;
      if (!painting.current) {
        if (touch.current && isAway(touch.current, event)) leave();
        return;
      }
      const cell = cellUnder(event);
      if (cell !== null) onChange(painted(painting.current, cell));
      if (event.pointerType === 'touch') scrollAtEdge(event.clientY);
    },
    onPointerUp: (event: PointerEvent) => {
      const cell = touch.current && !painting.current ? cellUnder(event) : null;
      if (cell !== null) begin(cell);
      leave();
    },
    onPointerCancel: leave,
  };
}

function isAway({ x, y }: Touch, { clientX, clientY }: PointerEvent): boolean {
  return Math.hypot(clientX - x, clientY - y) > swipeInPx;
}

/** A day is longer than a phone's screen. */
function scrollAtEdge(y: number): void {
  if (y < edgeInPx) window.scrollBy(0, -scrollStepInPx);
  if (y > window.innerHeight - edgeInPx) window.scrollBy(0, scrollStepInPx);
}

function cellUnder({ clientX, clientY }: PointerEvent): Cell | null {
  const found = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-cell]');
  return found?.dataset.cell === undefined ? null : Number(found.dataset.cell);
}

function painted({ start, isOffered, before }: Painting, end: Cell): ReadonlySet<Cell> {
  const [firstDay = 0, lastDay = 0] = [start, end].map((cell) => Math.floor(cell / cellsADay)).sort((a, b) => a - b);
  const [first = 0, last = 0] = [start, end].map((cell) => cell % cellsADay).sort((a, b) => a - b);
  const cells = new Set(before);
  for (let day = firstDay; day <= lastDay; day += 1) {
    for (let halfHour = first; halfHour <= last; halfHour += 1) {
      if (isOffered) cells.add(cellAt(day, halfHour));
      else cells.delete(cellAt(day, halfHour));
    }
  }
  return cells;
}
