import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface MeterProps {
  label: string;
  /** For a meter whose label a heading beside it already says. */
  isLabelHidden?: boolean;
  /** 0 to 100 */
  percentage: number;
  /** The same in words, e.g. '3 of 5'. */
  text: ReactNode;
  /** What is still missing, or that nothing is. */
  note?: ReactNode;
  isMet?: boolean;
}

export function Meter({ label, isLabelHidden, percentage, text, note, isMet }: MeterProps) {
  const kept = Math.min(100, Math.max(0, percentage));
  const fill = isMet === undefined ? 'var(--meter-info)' : isMet ? 'var(--meter-success)' : 'var(--meter-warning)';
  return (
    <Box>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        {isLabelHidden ? null : (
          <Text size="sm" fw={550}>
            {label}
          </Text>
        )}
        <Text size="sm" component="span" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {text}
        </Text>
      </Group>
      <Box
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(kept)}
        mt={6}
        h={8}
        style={{ background: 'var(--meter-track)', borderRadius: 4, overflow: 'hidden' }}
      >
        <Box h="100%" w={`${kept}%`} style={{ background: fill, borderRadius: 4 }} />
      </Box>
      {note ? (
        <Text size="sm" c="dimmed" mt={4} component="div">
          {note}
        </Text>
      ) : null}
    </Box>
  );
}
