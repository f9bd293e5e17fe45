import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface Scrolled {
  /** Null until something is loaded. */
  firstId: string | null;
  lastId: string | null;
  /** The last one is the reader's own. */
  isLastOwn: boolean;
  /** The newest of those that were written here and are not in the conversation yet. */
  writtenKey: string | null;
  onNearStart: () => void;
  onNearEnd: () => void;
}

const nearInPx = 240;
const endInPx = 48;

type Shown = Pick<Scrolled, 'firstId' | 'lastId' | 'writtenKey'>;

/** The first message that is seen, and where it ends below the upper edge: its beginning may lose the sender's name. */
interface Anchor {
  id: string;
  end: number;
}

/**
 * Keeps what is read in its place: messages come in and go above it, new ones move the list only when its end is shown,
 * and a keyboard that comes up covers nothing. It opens at the line above the first unread message, else at the end.
 */
export function useThreadScroll({ firstId, lastId, isLastOwn, writtenKey, onNearStart, onNearEnd }: Scrolled) {
  const list = useRef<HTMLDivElement>(null);
  const unreadLine = useRef<HTMLDivElement>(null);
  const before = useRef<Shown>({ firstId: null, lastId: null, writtenKey: null });
  const anchor = useRef<Anchor | null>(null);
  const isAtEnd = useRef(true);
  const [isEndShown, setEndShown] = useState(true);
  const [hasNew, setHasNew] = useState(false);

  const noteEnd = useCallback((isShown: boolean) => {
    isAtEnd.current = isShown;
    setEndShown(isShown);
    if (isShown) setHasNew(false);
  }, []);
  const toEnd = useCallback(() => {
    const element = list.current;
    if (!element) return;
    element.scrollTop = element.scrollHeight;
    noteEnd(true);
  }, [noteEnd]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element || firstId === null) return;
    const former = before.current;
    if (former.firstId === null) {
      if (unreadLine.current) element.scrollTop = unreadLine.current.offsetTop - element.clientHeight / 3;
      else element.scrollTop = element.scrollHeight;
      noteEnd(isEndIn(element));
    } else if (former.firstId !== firstId) {
      returnTo(anchor.current, element);
    } else if (isAtEnd.current || (writtenKey !== null && former.writtenKey !== writtenKey)) {
      toEnd();
    } else if (former.lastId !== lastId && !isLastOwn) {
      setHasNew(true);
    }
    before.current = { firstId, lastId, writtenKey };
    anchor.current = anchorIn(element);
  });

  const isShown = firstId !== null;
  useEffect(() => {
    const element = list.current;
    if (!element || !isShown) return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isShown]);

  const onScroll = () => {
    const element = list.current;
    if (!element) return;
    noteEnd(isEndIn(element));
    anchor.current = anchorIn(element);
    if (element.scrollTop < nearInPx) onNearStart();
    if (restBelow(element) < nearInPx) onNearEnd();
  };
  return { list, unreadLine, onScroll, toEnd, isEndShown, hasNew };
}

function anchorIn(element: HTMLElement): Anchor | null {
  for (const message of element.querySelectorAll<HTMLElement>('[data-message]')) {
    const end = endOf(message, element);
    if (end > 0) return { id: message.dataset.message ?? '', end };
  }
  return null;
}

function returnTo(anchor: Anchor | null, element: HTMLElement): void {
  const message = anchor && element.querySelector<HTMLElement>(`[data-message="${anchor.id}"]`);
  if (message) element.scrollTop += endOf(message, element) - anchor.end;
}

/** Below the upper edge of the list, with the fractions of a pixel that a place is kept by. */
function endOf(message: HTMLElement, element: HTMLElement): number {
  return message.getBoundingClientRect().bottom - element.getBoundingClientRect().top;
}

function isEndIn(element: HTMLElement): boolean {
  return restBelow(element) <= endInPx;
}

function restBelow(element: HTMLElement): number {
  return element.scrollHeight - element.scrollTop - element.clientHeight;
}
