import { Box, Button, Card, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowRight, CircleCheck } from 'lucide-react';
import type { ParticipantDashboard } from '#contract/home.ts';
import { daysBetween } from '#contract/weeks.ts';
import { returnedLabel } from '#contract/work-standing.ts';
import { paths } from '../../app/paths.ts';
import { formatDay } from '../../ui/dates.ts';
import { inDays } from './due-words.ts';

type NextStep = NonNullable<ParticipantDashboard['nextStep']>;

const words = {
  activity: { lead: 'Next: take part in', verb: 'Open activity' },
  pastActivity: { lead: 'Next: catch up on', verb: 'Open activity' },
  assignment: { lead: 'Next: hand in', verb: 'Open assignment' },
  resubmit: { lead: returnedLabel, verb: 'Revise and resubmit' },
};

interface ParticipantNextStepProps {
  nextStep: ParticipantDashboard['nextStep'];
  today: string;
}

/** The one primary action of the screen. */
export function ParticipantNextStep({ nextStep, today }: ParticipantNextStepProps) {
  if (!nextStep) {
    return (
      <Card component="section" aria-label="Next step">
        <Group gap="sm" wrap="nowrap">
          <CircleCheck size={22} color="var(--status-success)" aria-hidden />
          <Text>You're done for this week. Well done.</Text>
        </Group>
      </Card>
    );
  }
  const { lead, verb } = wordsOf(nextStep, today);
  return (
    <Card
      component="section"
      aria-label="Next step"
      style={{ borderLeft: '4px solid var(--mantine-primary-color-filled)' }}
    >
      <Group justify="space-between" gap="md">
        <Box style={{ minWidth: 0, flex: '1 1 240px' }}>
          <Text size="sm" c="dimmed">
            {lead}
          </Text>
          <Title order={2}>{nextStep.title}</Title>
          {nextStep.dueDate ? (
            <Text size="sm" mt={2}>
              {nextStep.kind === 'activity' ? '' : 'Due '}
              {formatDay(nextStep.dueDate)}, {inDays(daysBetween(today, nextStep.dueDate))}
            </Text>
          ) : null}
        </Box>
        <Button component={Link} to={targetOf(nextStep)} rightSection={<ArrowRight size={16} aria-hidden />}>
          {verb}
        </Button>
      </Group>
    </Card>
  );
}

/** Nobody can take part in a past activity, so its words differ. */
function wordsOf({ kind, dueDate }: NextStep, today: string) {
  return kind === 'activity' && dueDate !== null && dueDate < today ? words.pastActivity : words[kind];
}

function targetOf({ kind, id, submissionId }: NextStep): string {
  if (kind === 'activity') return paths.activity(id);
  return submissionId ? paths.resubmit(id, submissionId) : paths.assignment(id);
}
