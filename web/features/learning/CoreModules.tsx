import { Card, List, Stack, Text, Title } from '@mantine/core';
import { Circle, CircleCheck } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readFellowship } from '#contract/fellowship.ts';
import { Meter } from '../../ui/Meter.tsx';

type Fellowship = ResponseOf<typeof readFellowship>;

/** FELL-04 */
export function CoreModules({ modules, core }: { modules: Fellowship['modules']; core: Fellowship['coreModules'] }) {
  return (
    <Card component="section" aria-labelledby="core-modules">
      <Stack gap="md">
        <Title order={2} id="core-modules">
          Core modules
        </Title>
        <Meter
          label="Completed core modules"
          percentage={core.total === 0 ? 0 : (100 * core.completed) / core.total}
          text={`${core.completed} of ${core.total}`}
        />
        {core.total === 0 ? <Text c="dimmed">The modules of your curriculum are not set up yet.</Text> : null}
        <List spacing={6} center listStyleType="none" styles={{ itemLabel: { lineHeight: 1.4 } }}>
          {modules
            .filter(({ moduleType }) => moduleType === 'core')
            .map(({ id, title, isCompleted }) => (
              <List.Item key={id} icon={<ModuleTick isCompleted={isCompleted} />}>
                {title}
              </List.Item>
            ))}
        </List>
      </Stack>
    </Card>
  );
}

export function ModuleTick({ isCompleted }: { isCompleted: boolean }) {
  return isCompleted ? (
    <CircleCheck size={18} color="var(--status-success)" aria-label="Completed:" />
  ) : (
    <Circle size={18} color="var(--mantine-color-dimmed)" aria-label="Not completed:" />
  );
}
