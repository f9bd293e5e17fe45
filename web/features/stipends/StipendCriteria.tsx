import { Box, Group, Stack, Text } from '@mantine/core';
import { CircleCheck, CircleX } from 'lucide-react';
import type { StipendRow } from '#contract/stipends.ts';
import { criteriaLabels, criteriaNames } from './stipend-words.ts';

/** STIP-15: each criterion by icon and word, with what it rests on. */
export function StipendCriteria({ criteria }: { criteria: StipendRow['criteria'] }) {
  return (
    <Stack component="ul" gap={6} m={0} p={0} miw={190} style={{ listStyle: 'none' }}>
      {criteriaNames.map((name) => (
        <li key={name}>
          <Group gap={8} wrap="nowrap" align="flex-start">
            <CriterionIcon isMet={criteria[name].isMet} />
            <Box>
              <Text size="sm" fw={550}>
                {criteriaLabels[name]} {criterionWord(criteria[name].isMet)}
              </Text>
              <Text size="sm" c="dimmed">
                {criteria[name].reason}
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
