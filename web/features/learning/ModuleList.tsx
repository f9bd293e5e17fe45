import { Group, Stack, Text } from '@mantine/core';
import { Circle, CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ModuleState } from '#contract/fellowship.ts';
import { formatDay } from '../../ui/dates.ts';

interface ModuleListProps {
  modules: ModuleState[];
  /** The acts on a module. */
  action?: (module: ModuleState) => ReactNode;
  /** The part below a module that its act opens. */
  below?: (module: ModuleState) => ReactNode;
}

/** Each module with its state by icon and word. If a person set the state, the list says who. */
export function ModuleList({ modules, action, below }: ModuleListProps) {
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {modules.map((module) => (
        <Group component="li" key={module.id} gap="sm" wrap="nowrap" align="flex-start">
          <StateIcon module={module} />
          <div style={{ flex: 1, minWidth: 0 }}>
            <Text>{module.title}</Text>
            <Text size="sm" c="dimmed">
              {stateInWords(module)}
            </Text>
            {below?.(module)}
          </div>
          {action?.(module)}
        </Group>
      ))}
    </Stack>
  );
}

function StateIcon({ module: { isCompleted, required } }: { module: ModuleState }) {
  const look = { size: 18, 'aria-hidden': true, style: { flexShrink: 0, marginTop: 3 } };
  if (isCompleted) return <CircleCheck {...look} color="var(--status-success)" />;
  if (required.done > 0) return <CircleDashed {...look} color="var(--meter-info)" />;
  return <Circle {...look} color="var(--mantine-color-dimmed)" />;
}

function stateInWords({ isCompleted, completedAt, required: { done, total }, byHand }: ModuleState): string {
  if (isCompleted) {
    const when = completedAt ? ` ${formatDay(completedAt)}` : '';
    const who = byHand ? `, set by ${byHand.name}${byHand.note ? `: ${byHand.note}` : ''}` : '';
    return `Completed${when}${who}`;
  }
  if (total === 0) return 'Not started, nothing is required yet';
  return done === 0 ? `Not started, ${total} required` : `In progress, ${done} of ${total} done`;
}
