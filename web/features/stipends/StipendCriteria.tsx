import { Box, Group, Stack, Text } from '@mantine/core';
import { CircleCheck, CircleX, Clock } from 'lucide-react';
import type { StipendRow } from '#contract/stipends.ts';
import { type CriterionState, criterionStanding } from '#contract/week-standing.ts';
import { phaseOf } from './row-standing.ts';

/** STIP-15: each criterion has an icon, a word and its reason. */
export function StipendCriteria({ row }: { row: StipendRow }) {
  const phase = phaseOf(row);
  return (
    <Stack component="ul" gap={6} m={0} p={0} miw={190} style={{ listStyle: 'none' }}>
      {row.criteria.map((criterion) => {
        const { state, label, sentence } = criterionStanding(criterion, phase, 'staff');
        return (
          <li key={criterion.name}>
            <Group gap={8} wrap="nowrap" align="flex-start">
              <CriterionIcon state={state} />
              <Box>
                <Text size="sm" fw={550}>
                  {label}
                </Text>
                <Text size="sm" c="dimmed">
                  {sentence}
                </Text>
              </Box>
            </Group>
          </li>
        );
      })}
    </Stack>
  );
}

const icons = {
  met: { Icon: CircleCheck, color: 'var(--status-success)' },
  so_far: { Icon: Clock, color: 'var(--mantine-color-dimmed)' },
  waiting_for_rating: { Icon: Clock, color: 'var(--mantine-color-dimmed)' },
  not_met: { Icon: CircleX, color: 'var(--status-danger)' },
} as const satisfies Record<CriterionState, unknown>;

export function CriterionIcon({ state }: { state: CriterionState }) {
  const { Icon, color } = icons[state];
  return <Icon size={17} aria-hidden color={color} style={{ flex: 'none', marginTop: 2 }} />;
}
