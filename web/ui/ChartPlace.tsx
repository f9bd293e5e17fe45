import { Box } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import classes from './ChartPlace.module.css';

interface ChartPlaceProps {
  /** In pixels, with the legend. On a phone the legend needs more lines. */
  height: number;
  heightOnPhone?: number;
  children: () => ReactNode;
}

/** Keeps a chart's height free. What draws it, and its figures, are asked for when the place comes into sight. */
export function ChartPlace({ height, heightOnPhone = height + 40, children }: ChartPlaceProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (isSeen || !element) return;
    const observer = new IntersectionObserver((changes) => {
      if (changes.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    // Paper shows every place.
    const showForPrint = () => flushSync(() => setSeen(true));
    observer.observe(element);
    window.addEventListener('beforeprint', showForPrint);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', showForPrint);
    };
  }, [isSeen]);
  return (
    <Box
      ref={place}
      className={classes.place}
      __vars={{ '--height': `${height}px`, '--phone-height': `${heightOnPhone}px` }}
    >
      {isSeen ? children() : null}
    </Box>
  );
}
