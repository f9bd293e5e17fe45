import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ParticipantDashboard } from '#contract/home.ts';
import type { ActivityState } from '#contract/learning.ts';
import { paths } from '../../app/paths.ts';
import { formatClock, formatDay } from '../../ui/dates.ts';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';
import classes from './HomeRows.module.css';

const firstShown = 5;
const tones: Record<ActivityState, Tone> = {
  completed: 'success',
  overdue: 'danger',
  today: 'info',
  upcoming: 'neutral',
  locked: 'neutral',
};

/** FELL-16, FELL-17: five, then all, and back. */
export function ParticipantPendingActivities({
  activities,
}: {
  activities: ParticipantDashboard['pendingActivities'];
}) {
  const [isLong, setLong] = useState(false);
  const shown = isLong ? activities : activities.slice(0, firstShown);
  return (
    <HomePanel title="Pending training activities">
      {activities.length === 0 ? <Text c="dimmed">Every activity is completed.</Text> : null}
      <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {shown.map((activity) => (
          <li key={activity.id}>
            <Link to={paths.activity(activity.id)} className={classes.row}>
              <Box style={{ minWidth: 0 }}>
                <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
                  {activity.title}
                </Text>
                <Text size="sm" c="dimmed">
                  Week {activity.weekNumber} · {formatDay(activity.sessionDate)}
                  {activity.sessionTime ? `, ${formatClock(activity.sessionTime)}` : ''}
                </Text>
              </Box>
              {activity.state ? <StatusBadge tone={tones[activity.state]}>{activity.state}</StatusBadge> : null}
            </Link>
          </li>
        ))}
      </Stack>
      {activities.length > firstShown ? (
        <Group mt="sm">
          <Button variant="subtle" size="compact-sm" onClick={() => setLong(!isLong)} aria-expanded={isLong}>
            {isLong ? `Show the first ${firstShown}` : `Show all ${activities.length}`}
          </Button>
        </Group>
      ) : null}
    </HomePanel>
  );
}
