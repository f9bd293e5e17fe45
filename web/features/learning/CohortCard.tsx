import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { Fellowship } from '#contract/fellowship.ts';
import { formatDay } from '../../ui/dates.ts';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import classes from './SessionFacts.module.css';

interface CohortCardProps {
  cohort: NonNullable<Fellowship['cohort']>;
  courses: Fellowship['courses'];
}

const statuses: Record<string, { tone: Tone; word: string }> = {
  planning: { tone: 'info', word: 'Planning' },
  active: { tone: 'success', word: 'Active' },
  completed: { tone: 'neutral', word: 'Completed' },
  cancelled: { tone: 'danger', word: 'Cancelled' },
};

/** FELL-01, FELL-02, FELL-09 */
export function CohortCard({ cohort, courses }: CohortCardProps) {
  const { tone, word } = statuses[cohort.status] ?? { tone: 'neutral', word: cohort.status };
  const facts = [
    ['Starts', formatDay(cohort.startDate, { withYear: true })],
    ['Ends', formatDay(cohort.endDate, { withYear: true })],
    ['Size', `${cohort.currentEnrollment}/${cohort.capacity}`],
  ];
  return (
    <Card component="section" aria-labelledby="cohort">
      <Stack gap="md">
        <Group justify="space-between" gap="sm" align="flex-start">
          <Title order={2} id="cohort">
            {cohort.name}
          </Title>
          <StatusBadge tone={tone}>{word}</StatusBadge>
        </Group>
        {cohort.description ? <Text>{cohort.description}</Text> : null}
        <dl
          className={classes.facts}
          style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 130px), 1fr))' }}
        >
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          {courses.map(({ id, title, coachName }) => (
            <div key={id} style={{ gridColumn: '1 / -1' }}>
              <dt>Course</dt>
              <dd>{coachName ? `${title}, with ${coachName}` : title}</dd>
            </div>
          ))}
        </dl>
      </Stack>
    </Card>
  );
}
