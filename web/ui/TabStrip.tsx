import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './TabStrip.module.css';

/** More tabs than a phone is wide, in one line. It scrolls within its own frame and keeps the chosen tab in sight. */
export function TabStrip({ chosen, children }: { chosen: string; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: The chosen tab decides which element is selected.
  useEffect(() => {
    const strip = frame.current;
    const tab = strip?.querySelector<HTMLElement>('[aria-selected=true]');
    if (!strip || !tab) return;
    const observer = new ResizeObserver(() => {
      strip.scrollLeft = tab.offsetLeft - (strip.clientWidth - tab.offsetWidth) / 2;
    });
    observer.observe(strip);
    return () => observer.disconnect();
  }, [chosen]);
  return (
    <Tabs.List ref={frame} mb="lg" className={classes.strip}>
      {children}
    </Tabs.List>
  );
}
