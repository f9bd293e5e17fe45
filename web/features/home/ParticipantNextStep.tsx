import { Box, Button, Card, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowRight, CircleCheck } from 'lucide-react';
import type { ParticipantDashboard } from '#contract/home.ts';
import { daysBetween } from '#contract/weeks.ts';
import { formatDay } from '../../ui/dates.ts';
import { inDays } from '../../ui/due-words.ts';
import { nothingLeft, targetOf, wordsOf } from '../learning/next-step.ts';
import { panelPadding } from './HomePanel.tsx';

interface ParticipantNextStepProps {
  nextStep: ParticipantDashboard['nextStep'];
  today: string;
}

/** The one primary action of the screen. */
export function ParticipantNextStep({ nextStep, today }: ParticipantNextStepProps) {
  if (!nextStep) {
    return (
      <Card component="section" aria-label="Next step" p={panelPadding}>
        <Group gap="sm" wrap="nowrap">
          <CircleCheck size={22} color="var(--status-success)" aria-hidden />
          <Text>{nothingLeft}</Text>
        </Group>
      </Card>
    );
  }
  const { lead, verb } = wordsOf(nextStep, today);
  return (
    <Card
      component="section"
      aria-label="Next step"
      p={panelPadding}
      style={{ borderLeft: '4px solid var(--mantine-primary-color-filled)' }}
    >
      <Group justify="space-between" gap="sm">
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
