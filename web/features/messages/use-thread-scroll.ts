import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface Scrolled {
  /** Null until something is loaded. */
  firstId: string | null;
  lastId: string | null;
  /** True if the last message is the reader's own. */
  isLastOwn: boolean;
  /** The newest message that was written here and is not in the conversation yet. */
  writtenKey: string | null;
  onNearStart: () => void;
  onNearEnd: () => void;
}

const nearInPx = 240;
const endInPx = 48;

type Shown = Pick<Scrolled, 'firstId' | 'lastId' | 'writtenKey'>;

/**
 * The first visible message, and the distance of its end from the upper edge. Its start would not do, because the
 * sender's name above it may go.
 */
interface Anchor {
  id: string;
  end: number;
}

/**
 * Keeps the messages in view in their place while others come in and go above them. New messages move the list only if
 * its end shows, and a keyboard that comes up covers nothing. The list opens at the line above the first unread
 * message, or at the end if all are read.
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

/** Measured from the upper edge of the list. A place is kept to fractions of a pixel. */
function endOf(message: HTMLElement, element: HTMLElement): number {
  return message.getBoundingClientRect().bottom - element.getBoundingClientRect().top;
}

function isEndIn(element: HTMLElement): boolean {
  return restBelow(element) <= endInPx;
}

function restBelow(element: HTMLElement): number {
  return element.scrollHeight - element.scrollTop - element.clientHeight;
}
