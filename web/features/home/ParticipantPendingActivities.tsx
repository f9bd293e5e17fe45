import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ParticipantDashboard } from '#contract/home.ts';
import { daysBetween } from '#contract/weeks.ts';
import { paths } from '../../app/paths.ts';
import { formatClock, formatDay } from '../../ui/dates.ts';
import { inDays, isSoon } from '../../ui/due-words.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { ActivityStateBadge } from '../learning/ActivityStateBadge.tsx';
import { HomePanel } from './HomePanel.tsx';
import classes from './HomeRows.module.css';

const firstShown = 5;

type Activity = ParticipantDashboard['pendingActivities'][number];

interface ParticipantPendingActivitiesProps {
  activities: Activity[];
  today: string;
  isFolded?: boolean;
}

/** FELL-16, FELL-17: shows five activities, then all, and five again. */
export function ParticipantPendingActivities({
  activities,
  today,
  isFolded = false,
}: ParticipantPendingActivitiesProps) {
  const [isLong, setLong] = useState(false);
  const shown = isLong ? activities : activities.slice(0, firstShown);
  return (
    <HomePanel
      title="Pending training activities"
      fold={isFolded ? { name: 'pending', figure: figureOf(activities) } : null}
    >
      {activities.length === 0 ? <Text c="dimmed">You have completed every activity.</Text> : null}
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {shown.map((activity) => (
          <li key={activity.id}>
            <Link to={paths.activity(activity.id)} className={classes.activityRow}>
              <Text fw={550} className={classes.activityTitle}>
                {activity.title}
              </Text>
              <Text size="sm" c="dimmed" className={classes.activityWhen}>
                {whenOf(activity, today)}
              </Text>
              <Group gap={6} justify="flex-end" className={classes.activityState}>
                <DueSoon activity={activity} today={today} />
                {activity.state ? <ActivityStateBadge state={activity.state} /> : null}
              </Group>
            </Link>
          </li>
        ))}
      </Stack>
      {activities.length > firstShown ? (
        <Button
          mt="sm"
          w="fit-content"
          variant="default"
          size="sm"
          onClick={() => setLong(!isLong)}
          aria-expanded={isLong}
        >
          {isLong ? `Show the first ${firstShown}` : `Show all ${activities.length}`}
        </Button>
      ) : null}
    </HomePanel>
  );
}

function figureOf(activities: Activity[]): string {
  const overdue = activities.filter(({ state }) => state === 'overdue').length;
  const toDo = activities.length === 0 ? 'All done' : `${activities.length.toLocaleString('en-US')} to do`;
  return overdue > 0 ? `${toDo}, ${overdue.toLocaleString('en-US')} overdue` : toDo;
}

function DueSoon({ activity: { state, sessionDate }, today }: { activity: Activity; today: string }) {
  if (state !== 'upcoming' || !sessionDate || !isSoon(daysBetween(today, sessionDate))) return null;
  return <StatusBadge tone="warning">Due soon</StatusBadge>;
}

function whenOf({ weekNumber, sessionDate, sessionTime, zone }: Activity, today: string): string {
  const time = sessionTime ? `, ${formatClock(sessionTime, zone)}` : '';
  const distance = sessionDate ? ` (${inDays(daysBetween(today, sessionDate))})` : '';
  return `Week ${weekNumber} · ${formatDay(sessionDate)}${time}${distance}`;
}
