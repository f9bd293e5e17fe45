import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { CalendarActivity } from '#contract/learning.ts';
import { DottedFacts } from '../../ui/DottedFacts.tsx';
import { formatClock, formatDay } from '../../ui/dates.ts';
import { ActivityLink } from './ActivityLink.tsx';
import classes from './ActivityList.module.css';
import { ActivityStateBadge } from './ActivityStateBadge.tsx';
import { cohortInWords } from './activity-state.ts';
import { groupByWeek, type WeekFacts } from './week-folds.ts';

interface ActivityListProps {
  activities: CalendarActivity[];
  weeks: WeekFacts;
}

export function ActivityList({ activities, weeks }: ActivityListProps) {
  return (
    <Stack gap="lg">
      {groupByWeek(activities, weeks).map(({ key, title, isThisWeek, holiday, activities: ofWeek }) => (
        <section key={key} aria-labelledby={key}>
          <Title order={2} id={key} mb="xs">
            <DottedFacts
              facts={[title, isThisWeek ? aside('this week') : null, holiday ? aside(`with ${holiday}`) : null]}
            />
          </Title>
          <ActivityRows activities={ofWeek} />
        </section>
      ))}
    </Stack>
  );
}

function aside(words: string) {
  return (
    <Text span c="dimmed" fw={400}>
      {words}
    </Text>
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
  const { title, weekNumber, sessionDate, sessionTime, zone, moduleName, deliveryMedium, state } = activity;
  const when =
    sessionTime && sessionDate
      ? `${formatDay(sessionDate)}, ${formatClock(sessionTime, zone)}`
      : formatDay(sessionDate);
  const cohort = cohortInWords(activity);
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
      <div className={classes.words}>
        <ActivityLink activity={activity} className={classes.link}>
          {title}
        </ActivityLink>
        <Text size="sm" c="dimmed">
          <DottedFacts facts={[when, moduleName, deliveryMedium, ...(cohort ? [`Week ${weekNumber}`, cohort] : [])]} />
        </Text>
      </div>
      {state ? <ActivityStateBadge state={state} /> : null}
    </Group>
  );
}
