import { Popover, Stack, Text, UnstyledButton } from '@mantine/core';
import type { CalendarActivity } from '#contract/learning.ts';
import { formatClock, formatDay } from '../../ui/dates.ts';
import { ActivityLink } from './ActivityLink.tsx';
import { cohortInWords, stateLooks } from './activity-state.ts';
import classes from './MonthGrid.module.css';
import { firstOfDay } from './month-days.ts';

/** CAL-06 */
const shownPerDay = 3;

interface DayItemsProps {
  day: string;
  activities: CalendarActivity[];
  namesCohorts: boolean;
}

export function DayItems({ day, activities, namesCohorts }: DayItemsProps) {
  if (activities.length === 0) return null;
  const more = activities.length - shownPerDay;
  return (
    <>
      <Items activities={firstOfDay(activities, shownPerDay)} namesCohorts={namesCohorts} />
      {more > 0 ? (
        <Popover width={280} withArrow trapFocus shadow="md">
          <Popover.Target>
            <UnstyledButton className={classes.more}>+{more} more</UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown aria-label={`Activities on ${formatDay(day)}`} className={classes.allOfDay}>
            <Stack gap="xs">
              <Text fw={600}>{formatDay(day)}</Text>
              <Items activities={activities} namesCohorts={namesCohorts} />
            </Stack>
          </Popover.Dropdown>
        </Popover>
      ) : null}
    </>
  );
}

function Items({ activities, namesCohorts }: Omit<DayItemsProps, 'day'>) {
  return (
    <ul className={classes.items}>
      {activities.map((activity) => (
        <li key={activity.id}>
          <Item activity={activity} cohort={namesCohorts ? cohortInWords(activity) : null} />
        </li>
      ))}
    </ul>
  );
}

function Item({ activity, cohort }: { activity: CalendarActivity; cohort: string | null }) {
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
      {cohort ? (
        <span className={classes.cohort} title={cohort}>
          {cohort}
        </span>
      ) : null}
    </ActivityLink>
  );
}
