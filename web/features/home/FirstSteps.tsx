import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { HomePanel } from './HomePanel.tsx';

export interface FirstStep {
  label: string;
  isDone: boolean;
  /** Without it, somebody else does the step. */
  to?: string;
}

/** What to do first, in order. Whoever shows it leaves it out once everything is done. */
export function FirstSteps({ steps }: { steps: FirstStep[] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <HomePanel
      title="First steps"
      aside={
        <Text size="sm" c="dimmed">
          {done} of {steps.length} done
        </Text>
      }
    >
      <Stack gap={4} component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ label, isDone, to }) => (
          <Group key={label} component="li" gap="sm" wrap="nowrap">
            {isDone ? (
              <CircleCheck
                size={18}
                style={{ flex: 'none' }}
                color="var(--status-success)"
                role="img"
                aria-label="Done"
              />
            ) : (
              <Circle size={18} style={{ flex: 'none' }} role="img" aria-label="To do" />
            )}
            {isDone || !to ? (
              <Text py={4} c={isDone ? 'dimmed' : undefined}>
                {label}
              </Text>
            ) : (
              <Anchor component={Link} to={to} py={4}>
                {label}
              </Anchor>
            )}
          </Group>
        ))}
      </Stack>
    </HomePanel>
  );
}
