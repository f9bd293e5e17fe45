import { ActionIcon, Button, Card, Group, Stack, Title, VisuallyHidden } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { CalendarActivity } from '#contract/learning.ts';
import { formatDay } from '../../ui/dates.ts';
import { ActivityList } from './ActivityList.tsx';
import { DayItems } from './DayItems.tsx';
import classes from './MonthGrid.module.css';
import { addMonths, monthInWords, weeksOfMonth } from './month-days.ts';

interface MonthGridProps {
  activities: CalendarActivity[];
  /** The US Eastern day, `YYYY-MM-DD`. */
  today: string;
  /** `YYYY-MM` */
  month: string;
  onMonth: (month: string) => void;
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export function MonthGrid({ activities, today, month, onMonth }: MonthGridProps) {
  const byDay = Map.groupBy(activities, ({ sessionDate }) => sessionDate);
  const undated = byDay.get(null) ?? [];
  return (
    <Stack gap="lg">
      <Card padding={0}>
        <Group justify="space-between" p="md" gap="sm">
          <Title order={2} aria-live="polite">
            {monthInWords(month)}
          </Title>
          <Group gap="xs" wrap="nowrap">
            <ActionIcon
              variant="default"
              size={36}
              aria-label="Previous month"
              onClick={() => onMonth(addMonths(month, -1))}
            >
              <ChevronLeft size={18} aria-hidden />
            </ActionIcon>
            <Button variant="default" onClick={() => onMonth(today.slice(0, 7))}>
              Today
            </Button>
            <ActionIcon
              variant="default"
              size={36}
              aria-label="Next month"
              onClick={() => onMonth(addMonths(month, 1))}
            >
              <ChevronRight size={18} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <section className={classes.frame} tabIndex={0} aria-label={`Activities in ${monthInWords(month)}`}>
          <table className={classes.grid}>
            <thead>
              <tr>
                {weekdays.map((name) => (
                  <th key={name} scope="col" className={classes.weekday}>
                    <abbr title={name}>{name.slice(0, 3)}</abbr>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeksOfMonth(month).map((week) => (
                <tr key={week[0]}>
                  {week.map((day) => (
                    <td
                      key={day}
                      className={classes.day}
                      data-outside={!day.startsWith(month) || undefined}
                      data-today={day === today || undefined}
                      aria-current={day === today ? 'date' : undefined}
                    >
                      <time dateTime={day} className={classes.number}>
                        <span aria-hidden>{Number(day.slice(8))}</span>
                        <VisuallyHidden>{formatDay(day)}</VisuallyHidden>
                      </time>
                      <DayItems day={day} activities={byDay.get(day) ?? []} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Card>
      {undated.length > 0 ? (
        <Stack gap="sm" component="section" aria-label="Not scheduled">
          <Title order={2}>Not scheduled</Title>
          <ActivityList activities={undated} currentWeek={null} />
        </Stack>
      ) : null}
    </Stack>
  );
}
