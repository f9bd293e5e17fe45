import { Card, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Missing, NotLoaded, standInLooks } from './NotLoaded.tsx';
import classes from './StatCard.module.css';
import wrapping from './wrapping.module.css';

interface StatCardProps {
  label: string;
  value: ReactNode;
  /** What the figure means or how it changed. */
  note?: ReactNode;
  icon?: ReactNode;
  /** Set if the figure could not be read and has no meaning. */
  isNotLoaded?: boolean;
  /** Set instead if this one figure can be read again. */
  missing?: Missing | undefined;
}

export function StatCard({ label, value, note, icon, isNotLoaded, missing }: StatCardProps) {
  return (
    <Card component="section" aria-label={label} className={classes.card}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" c="dimmed" className={wrapping.wholeWords}>
          {label}
        </Text>
        {icon ? (
          <Text c="dimmed" aria-hidden lh={1}>
            {icon}
          </Text>
        ) : null}
      </Group>
      <Text
        fz={28}
        fw={650}
        lh={1.2}
        mt={6}
        style={{ fontVariantNumeric: 'tabular-nums' }}
        component="div"
        {...(isNotLoaded || missing ? standInLooks : {})}
      >
        {value}
      </Text>
      <Text size="sm" c={isNotLoaded ? 'var(--status-danger)' : 'dimmed'} mt={4} component="div">
        {missing ? <NotLoaded label={label} missing={missing} /> : null}
        {isNotLoaded && !missing ? 'Not loaded' : null}
        {isNotLoaded || missing ? null : note}
      </Text>
    </Card>
  );
}
