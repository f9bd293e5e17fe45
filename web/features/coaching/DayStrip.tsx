import { Tabs, Text } from '@mantine/core';
import { CalendarCheck, Flag } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { counted } from '../../ui/counted.ts';
import { formatDay } from '../../ui/dates.ts';
import type { BookingDay } from './booking-days.ts';
import classes from './DayStrip.module.css';

/** The days side by side, the chosen one in sight. It scrolls within its own frame. */
export function DayStrip({ days, chosen }: { days: BookingDay[]; chosen: string }) {
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = strip.current?.querySelector<HTMLElement>(`[data-day="${chosen}"]`);
    if (!strip.current || !tab) return;
    strip.current.scrollLeft = tab.offsetLeft - (strip.current.clientWidth - tab.offsetWidth) / 2;
  }, [chosen]);
  return (
    <Tabs.List ref={strip} aria-label="Days" className={classes.strip}>
      {days.map(({ day, slots, holiday, sessions }) => (
        <Tabs.Tab key={day} value={day} data-day={day} className={classes.day}>
          <Text span display="block" size="sm" fw={600}>
            {formatDay(day)}
          </Text>
          <Text span display="block" size="xs" className={classes.count}>
            {slots.length === 0 ? 'No times' : counted(slots.length, 'time')}
          </Text>
          {sessions.length > 0 ? (
            <DayMark icon={<CalendarCheck size={13} aria-hidden />}>
              {sessions.length === 1 ? 'Your session' : 'Your sessions'}
            </DayMark>
          ) : null}
          {holiday ? <DayMark icon={<Flag size={13} aria-hidden />}>Holiday</DayMark> : null}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}

function DayMark({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <Text span display="flex" size="xs" className={classes.mark}>
      {icon}
      {children}
    </Text>
  );
}
