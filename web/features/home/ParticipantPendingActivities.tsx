import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ParticipantDashboard } from '#contract/home.ts';
import { daysBetween } from '#contract/weeks.ts';
import { paths } from '../../app/paths.ts';
import { formatClock, formatDay } from '../../ui/dates.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { ActivityStateBadge } from '../learning/ActivityStateBadge.tsx';
import { inDays, isSoon } from './due-words.ts';
import { HomePanel } from './HomePanel.tsx';
import classes from './HomeRows.module.css';

const firstShown = 5;

type Activity = ParticipantDashboard['pendingActivities'][number];

interface ParticipantPendingActivitiesProps {
  activities: Activity[];
  today: string;
}

/** FELL-16, FELL-17: shows five activities, then all, and five again. */
export function ParticipantPendingActivities({ activities, today }: ParticipantPendingActivitiesProps) {
  const [isLong, setLong] = useState(false);
  const shown = isLong ? activities : activities.slice(0, firstShown);
  return (
    <HomePanel title="Pending training activities">
      {activities.length === 0 ? <Text c="dimmed">You have completed every activity.</Text> : null}
      <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {shown.map((activity) => (
          <li key={activity.id}>
            <Link to={paths.activity(activity.id)} className={classes.row}>
              <Box style={{ minWidth: 0 }}>
                <Text fw={550}>{activity.title}</Text>
                <Text size="sm" c="dimmed">
                  {whenOf(activity, today)}
                </Text>
              </Box>
              <Group gap={6} justify="flex-end" className={classes.badges}>
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

function DueSoon({ activity: { state, sessionDate }, today }: { activity: Activity; today: string }) {
  if (state !== 'upcoming' || !sessionDate || !isSoon(daysBetween(today, sessionDate))) return null;
  return <StatusBadge tone="warning">Due soon</StatusBadge>;
}

function whenOf({ weekNumber, sessionDate, sessionTime, zone }: Activity, today: string): string {
  const time = sessionTime ? `, ${formatClock(sessionTime, zone)}` : '';
  const distance = sessionDate ? ` (${inDays(daysBetween(today, sessionDate))})` : '';
  return `Week ${weekNumber} · ${formatDay(sessionDate)}${time}${distance}`;
}
