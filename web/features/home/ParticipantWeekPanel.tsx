import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ParticipantDashboard } from '#contract/home.ts';
import { activitiesStanding, paceSentence } from '#contract/week-standing.ts';
import { paths } from '../../app/paths.ts';
import { formatClock, formatDay } from '../../ui/dates.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { ActivityStateBadge } from '../learning/ActivityStateBadge.tsx';
import { HomePanel } from './HomePanel.tsx';
import classes from './HomeRows.module.css';

interface ParticipantWeekPanelProps {
  thisWeek: ParticipantDashboard['thisWeek'];
  activities: ParticipantDashboard['weekActivities'];
  week: NonNullable<ParticipantDashboard['week']>;
  cohortName: string;
  isPaid: boolean;
}

/** FELL-18, FELL-19: the week's activities. Its pay is judged in a panel of its own. */
export function ParticipantWeekPanel({ thisWeek, activities, week, cohortName, isPaid }: ParticipantWeekPanelProps) {
  const { color, label, sentence } = activitiesStanding(thisWeek);
  return (
    <HomePanel title={`Week ${week.number} status`} aside={<StatusBadge tone={color}>{label}</StatusBadge>}>
      <WeekList activities={activities} />
      <Stack gap={4}>
        <Text visibleFrom="md">{sentence}</Text>
        <Text size="sm">{paceSentence({ ...thisWeek, isPaid })}</Text>
        {/* On a phone, the lead has the days. */}
        <Text size="sm" c="dimmed" visibleFrom="md">
          {cohortName}, {formatDay(week.firstDay)} to {formatDay(week.lastDay)}
          {week.holiday ? `, with ${week.holiday}` : ''}
        </Text>
        {week.holiday ? (
          <Text size="sm" c="dimmed" hiddenFrom="md">
            {week.holiday} is in this week.
          </Text>
        ) : null}
      </Stack>
    </HomePanel>
  );
}

function WeekList({ activities }: Pick<ParticipantWeekPanelProps, 'activities'>) {
  if (activities.length === 0) return null;
  return (
    <Stack
      gap="sm"
      component="ul"
      m={0}
      p={0}
      mb="md"
      style={{ listStyle: 'none' }}
      aria-label="Activities of this week"
    >
      {activities.map(({ id, title, sessionDate, sessionTime, zone, state }) => (
        <li key={id}>
          <Link to={paths.activity(id)} className={classes.activityRow}>
            <Text fw={550} size="sm" lineClamp={2} title={title} className={classes.activityTitle}>
              {title}
            </Text>
            <Text size="sm" c="dimmed" className={classes.activityWhen}>
              {formatDay(sessionDate)}
              {sessionTime ? `, ${formatClock(sessionTime, zone)}` : ''}
            </Text>
            {state ? (
              <div className={classes.activityState}>
                <ActivityStateBadge state={state} />
              </div>
            ) : null}
          </Link>
        </li>
      ))}
    </Stack>
  );
}
