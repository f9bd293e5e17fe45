import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { CalendarActivity } from '#contract/learning.ts';
import { formatClock, formatDay } from '../../ui/dates.ts';
import { ActivityLink } from './ActivityLink.tsx';
import classes from './ActivityList.module.css';
import { ActivityStateBadge } from './ActivityStateBadge.tsx';

interface ActivityListProps {
  activities: CalendarActivity[];
  currentWeek: number | null;
}

export function ActivityList({ activities, currentWeek }: ActivityListProps) {
  const weeks = Map.groupBy(activities, ({ weekNumber }) => weekNumber);
  return (
    <Stack gap="lg">
      {[...weeks].map(([week, ofWeek]) => (
        <section key={week} aria-labelledby={`week-${week}`}>
          <Title order={2} id={`week-${week}`} mb="xs">
            Week {week}
            {week === currentWeek ? (
              <Text span c="dimmed" fw={400}>
                {' '}
                · this week
              </Text>
            ) : null}
          </Title>
          <ActivityRows activities={ofWeek} />
        </section>
      ))}
    </Stack>
  );
}

export function ActivityRows({ activities }: { activities: CalendarActivity[] }) {
  return (
    <Card padding={0} component="ul" className={classes.rows}>
      {activities.map((activity) => (
        <li key={activity.id} className={classes.row}>
          <ActivityRow activity={activity} />
        </li>
      ))}
    </Card>
  );
}

function ActivityRow({ activity }: { activity: CalendarActivity }) {
  const { title, sessionDate, sessionTime, moduleName, deliveryMedium, cohortName, state } = activity;
  const when =
    sessionTime && sessionDate ? `${formatDay(sessionDate)}, ${formatClock(sessionTime)}` : formatDay(sessionDate);
  const facts = [moduleName, deliveryMedium, state === null ? (cohortName ?? 'No cohort') : null].filter(Boolean);
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
      <div className={classes.words}>
        <ActivityLink activity={activity} className={classes.link}>
          {title}
        </ActivityLink>
        <Text size="sm" c="dimmed">
          {[when, ...facts].join(' · ')}
        </Text>
      </div>
      {state ? <ActivityStateBadge state={state} /> : null}
    </Group>
  );
}
