import { Card, Stack, Text, Title, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { CalendarActivity } from '#contract/learning.ts';
import { DottedFacts } from '../../ui/DottedFacts.tsx';
import { formatDay } from '../../ui/dates.ts';
import { ActivityRows } from './ActivityList.tsx';
import { stateLooks } from './activity-state.ts';
import { MonthHeader } from './MonthHeader.tsx';
import { firstOfDay, weekdays, weeksOfMonth } from './month-days.ts';
import classes from './SmallMonth.module.css';

interface SmallMonthProps {
  byDay: Map<string | null, CalendarActivity[]>;
  /** The program's day, `YYYY-MM-DD`. */
  today: string;
  /** `YYYY-MM` */
  month: string;
  /** The day that is open below the grid. */
  day: string | undefined;
  onMonth: (month: string) => void;
  onDay: (day: string) => void;
}

/** CAL-06 */
const marksPerDay = 3;

/** A month whose days are as wide as a finger. Marks say that something is on, and the day below says what. */
export function SmallMonth({ byDay, today, month, day, onMonth, onDay }: SmallMonthProps) {
  const open = day?.startsWith(month) ? day : dayToOpen(byDay, today, month);
  return (
    <Stack gap="md">
      <Card padding={0}>
        <MonthHeader month={month} today={today} isSlim onMonth={onMonth} />
        <table className={classes.grid}>
          <thead>
            <tr>
              {weekdays.map((name) => (
                <th key={name} scope="col" className={classes.weekday}>
                  <abbr title={name}>{name.slice(0, 2)}</abbr>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeksOfMonth(month).map((week) => (
              <tr key={week[0]}>
                {week.map((each) => (
                  <td key={each} aria-current={each === today ? 'date' : undefined}>
                    {each.startsWith(month) ? (
                      <DayButton
                        day={each}
                        activities={byDay.get(each) ?? []}
                        isToday={each === today}
                        isOpen={each === open}
                        onOpen={() => onDay(each)}
                      />
                    ) : null}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <section aria-labelledby="open-day" aria-live="polite">
        <Title order={2} id="open-day" mb="xs">
          <DottedFacts
            facts={[
              formatDay(open),
              open === today ? (
                <Text key="today" span c="dimmed" fw={400}>
                  today
                </Text>
              ) : null,
            ]}
          />
        </Title>
        {byDay.get(open) ? (
          <ActivityRows activities={byDay.get(open) ?? []} />
        ) : (
          <Text c="dimmed">Nothing is planned on this day.</Text>
        )}
      </section>
    </Stack>
  );
}

interface DayButtonProps {
  day: string;
  activities: CalendarActivity[];
  isToday: boolean;
  isOpen: boolean;
  onOpen: () => void;
}

function DayButton({ day, activities, isToday, isOpen, onOpen }: DayButtonProps) {
  return (
    <UnstyledButton
      className={classes.day}
      data-today={isToday || undefined}
      data-open={isOpen || undefined}
      aria-pressed={isOpen}
      onClick={onOpen}
    >
      <span className={classes.number} aria-hidden>
        {Number(day.slice(8))}
      </span>
      <span className={classes.marks} aria-hidden>
        {firstOfDay(activities, marksPerDay).map(({ id, state }) => (
          <Mark key={id} state={state} />
        ))}
        {activities.length > marksPerDay ? (
          <span className={classes.more}>+{activities.length - marksPerDay}</span>
        ) : null}
      </span>
      <VisuallyHidden>{`${formatDay(day)}: ${activitiesInWords(activities)}`}</VisuallyHidden>
    </UnstyledButton>
  );
}

function Mark({ state }: Pick<CalendarActivity, 'state'>) {
  if (!state) return <span className={classes.dot} />;
  const { icon: Icon, tone } = stateLooks[state];
  return <Icon size={11} strokeWidth={2.5} className={classes.mark} data-tone={tone} />;
}

function activitiesInWords(activities: CalendarActivity[]): string {
  if (activities.length === 0) return 'nothing planned';
  const words = activities.map(({ title, state }) => (state ? `${title} (${stateLooks[state].word})` : title));
  return words.join(', ');
}

/** Today, or in another month its first day with something on. */
function dayToOpen(byDay: Map<string | null, CalendarActivity[]>, today: string, month: string): string {
  if (today.startsWith(month)) return today;
  const days = [...byDay.keys()].filter((day): day is string => day?.startsWith(month) ?? false);
  return days.sort()[0] ?? `${month}-01`;
}
