import { Card, VisuallyHidden } from '@mantine/core';
import type { CalendarActivity } from '#contract/learning.ts';
import { formatDay } from '../../ui/dates.ts';
import { DayItems } from './DayItems.tsx';
import classes from './MonthGrid.module.css';
import { MonthHeader } from './MonthHeader.tsx';
import { monthInWords, weekdays, weeksOfMonth } from './month-days.ts';

interface MonthGridProps {
  byDay: Map<string | null, CalendarActivity[]>;
  /** The program's day, `YYYY-MM-DD`. */
  today: string;
  /** `YYYY-MM` */
  month: string;
  /** Each item names its cohort. */
  namesCohorts: boolean;
  onMonth: (month: string) => void;
}

export function MonthGrid({ byDay, today, month, namesCohorts, onMonth }: MonthGridProps) {
  return (
    <Card padding={0}>
      <MonthHeader month={month} today={today} onMonth={onMonth} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must reach everything that scrolls. */}
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
                    <DayItems day={day} activities={byDay.get(day) ?? []} namesCohorts={namesCohorts} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
