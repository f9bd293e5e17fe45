import { Box, Group, Stack, Text } from '@mantine/core';
import { CircleCheck, CircleX } from 'lucide-react';
import type { Criteria } from '#contract/stipend-rules.ts';

/** STIP-15: each criterion has an icon, a word and its reason. */
export function StipendCriteria({ criteria }: { criteria: Criteria }) {
  return (
    <Stack component="ul" gap={6} m={0} p={0} miw={190} style={{ listStyle: 'none' }}>
      {criteria.map(({ name, isMet, reason }) => (
        <li key={name}>
          <Group gap={8} wrap="nowrap" align="flex-start">
            <CriterionIcon isMet={isMet} />
            <Box>
              <Text size="sm" fw={550}>
                {name} {criterionWord(isMet)}
              </Text>
              <Text size="sm" c="dimmed">
                {reason}
              </Text>
            </Box>
          </Group>
        </li>
      ))}
    </Stack>
  );
}

export function criterionWord(isMet: boolean): string {
  return isMet ? 'passed' : 'failed';
}

export function CriterionIcon({ isMet }: { isMet: boolean }) {
  const Icon = isMet ? CircleCheck : CircleX;
  return (
    <Icon
      size={17}
      aria-hidden
      color={isMet ? 'var(--status-success)' : 'var(--status-danger)'}
      style={{ flex: 'none', marginTop: 2 }}
    />
  );
}
