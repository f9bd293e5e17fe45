import { Card, Stack, Text, Title } from '@mantine/core';
import type { Fellowship } from '#contract/fellowship.ts';
import { Meter } from '../../ui/Meter.tsx';
import { ModuleList } from './ModuleList.tsx';

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
        <ModuleList modules={modules.filter(({ moduleType }) => moduleType === 'core')} />
      </Stack>
    </Card>
  );
}
