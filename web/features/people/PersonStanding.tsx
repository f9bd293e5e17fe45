import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '#contract/endpoint.ts';
import { periodName, startOfSentence } from '#contract/pay-periods.ts';
import type { readPerson } from '#contract/people.ts';
import { personStanding, programmeStanding, type Standing } from '#contract/standing.ts';
import { weekStanding } from '#contract/week-standing.ts';
import { paths } from '../../app/paths.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

type Read = ResponseOf<typeof readPerson>;

interface PersonStandingProps {
  personId: string;
  standing: NonNullable<Read['standing']>;
}

/** How does this person stand now, and what is open? */
export function PersonStanding({ personId, standing }: PersonStandingProps) {
  const { cohort, weekNumber, progress, track, isStipendAtRisk: isOutOfReach, week } = standing;
  const whole = personStanding({
    ...{ isOutOfReach, programme: progress, matters: standing },
    payPeriod: week?.payPeriod,
  });
  const programme = programmeStanding(progress);
  const others = whole.reasons.slice(1).filter((reason) => reason !== programme.label);
  return (
    <Card component="section" aria-labelledby="person-standing">
      <Group justify="space-between" gap="sm" mb="md">
        <Title order={2} id="person-standing">
          Standing now
        </Title>
        <StatusBadge tone={whole.color}>{whole.label}</StatusBadge>
      </Group>
      <Stack gap="md">
        {others.length > 0 ? <Text>{others.join('. ')}.</Text> : null}
        {week ? (
          <Judged
            title={startOfSentence(periodName(week))}
            alreadySaid={whole.label}
            standing={weekStanding({
              ...week,
              decision: week.state,
              reader: 'staff',
            })}
          />
        ) : null}
        <Judged title="Program" alreadySaid={whole.label} standing={programme} />
        <Text size="sm">
          {cohort.name}, week {weekNumber}
          {track ? `. Track: ${track.name}, ${track.isLocked ? 'locked' : 'not locked yet'}` : ''}
        </Text>
        <Group gap="0 16px">
          <Anchor
            size="sm"
            py={2}
            renderRoot={(props) => <Link {...props} to={paths.submissions} search={{ participant: personId }} />}
          >
            Submissions
          </Anchor>
          {week ? (
            <Anchor component={Link} to={paths.stipendsOf(personId)} size="sm" py={2}>
              Stipends
            </Anchor>
          ) : null}
          <Anchor
            size="sm"
            py={2}
            renderRoot={(props) => (
              <Link {...props} to={paths.cohortProgress} search={{ cohort: cohort.id, member: personId }} />
            )}
          >
            Modules and track
          </Anchor>
        </Group>
      </Stack>
    </Card>
  );
}

interface JudgedProps {
  title: string;
  standing: Standing;
  /** What the badge of the whole says. The same words do not stand here a second time. */
  alreadySaid: string;
}

function Judged({ title, standing: { color, label, sentence }, alreadySaid }: JudgedProps) {
  return (
    <div>
      <Group gap="sm" mb={4}>
        <Title order={3}>{title}</Title>
        {label === alreadySaid ? null : <StatusBadge tone={color}>{label}</StatusBadge>}
      </Group>
      <Text size="sm">{sentence}</Text>
    </div>
  );
}
