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

interface Shown extends Pick<Scrolled, 'firstId' | 'lastId' | 'writtenKey'> {
  height: number;
}

/**
 * Keeps what is read in its place: older messages come in above it, new ones move the list only when its end is shown,
 * and a keyboard that comes up covers nothing. It opens at the line above the first unread message, else at the end.
 */
export function useThreadScroll({ firstId, lastId, isLastOwn, writtenKey, onNearStart, onNearEnd }: Scrolled) {
  const list = useRef<HTMLDivElement>(null);
  const unreadLine = useRef<HTMLDivElement>(null);
  const before = useRef<Shown>({ firstId: null, lastId: null, writtenKey: null, height: 0 });
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
      element.scrollTop += element.scrollHeight - former.height;
    } else if (isAtEnd.current || (writtenKey !== null && former.writtenKey !== writtenKey)) {
      toEnd();
    } else if (former.lastId !== lastId && !isLastOwn) {
      setHasNew(true);
    }
    before.current = { firstId, lastId, writtenKey, height: element.scrollHeight };
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
    if (element.scrollTop < nearInPx) onNearStart();
    if (restBelow(element) < nearInPx) onNearEnd();
  };
  return { list, unreadLine, onScroll, toEnd, isEndShown, hasNew };
}

function isEndIn(element: HTMLElement): boolean {
  return restBelow(element) <= endInPx;
}

function restBelow(element: HTMLElement): number {
  return element.scrollHeight - element.scrollTop - element.clientHeight;
}
