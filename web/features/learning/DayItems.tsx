import { Popover, Stack, Text, UnstyledButton } from '@mantine/core';
import type { CalendarActivity } from '#contract/learning.ts';
import { formatClock, formatDay } from '../../ui/dates.ts';
import { ActivityLink } from './ActivityLink.tsx';
import { stateLooks } from './activity-state.ts';
import classes from './MonthGrid.module.css';

/** CAL-06 */
const shownPerDay = 3;

export function DayItems({ day, activities }: { day: string; activities: CalendarActivity[] }) {
  if (activities.length === 0) return null;
  const more = activities.length - shownPerDay;
  return (
    <>
      <Items activities={activities.slice(0, shownPerDay)} />
      {more > 0 ? (
        <Popover width={280} withArrow trapFocus shadow="md">
          <Popover.Target>
            <UnstyledButton className={classes.more}>+{more} more</UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown aria-label={`Activities on ${formatDay(day)}`} className={classes.allOfDay}>
            <Stack gap="xs">
              <Text fw={600}>{formatDay(day)}</Text>
              <Items activities={activities} />
            </Stack>
          </Popover.Dropdown>
        </Popover>
      ) : null}
    </>
  );
}

function Items({ activities }: { activities: CalendarActivity[] }) {
  return (
    <ul className={classes.items}>
      {activities.map((activity) => (
        <li key={activity.id}>
          <Item activity={activity} />
        </li>
      ))}
    </ul>
  );
}

function Item({ activity }: { activity: CalendarActivity }) {
  const { state, title, sessionTime, zone, weekNumber } = activity;
  const look = state ? stateLooks[state] : null;
  const Icon = look?.icon;
  return (
    <ActivityLink activity={activity} className={classes.item}>
      <span className={classes.title} data-tone={look?.tone ?? 'plain'} title={title}>
        {title}
      </span>
      <span className={classes.facts} data-tone={look?.tone ?? 'plain'}>
        <span>
          {Icon ? <Icon size={12} aria-hidden /> : null}
          {look?.word ?? `Week ${weekNumber}`}
        </span>
        {sessionTime ? <span>{formatClock(sessionTime, zone)}</span> : null}
      </span>
    </ActivityLink>
  );
}
