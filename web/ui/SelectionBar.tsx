import { Button, Group, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './SelectionBar.module.css';

interface SelectionBarProps {
  /** What is chosen, in numbers. Empty if nothing is. */
  words: string;
  onClear: () => void;
  /** The acts upon the chosen rows. */
  children: ReactNode;
}

/** Stays in sight at the lower edge as long as rows are chosen. */
export function SelectionBar({ words, onClear, children }: SelectionBarProps) {
  return (
    <>
      <span role="status" className={classes.heard}>
        {words}
      </span>
      {words ? (
        <Paper component="section" aria-label="Selected rows" className={classes.bar}>
          <Group gap="xs" justify="space-between">
            <Text size="sm" fw={600}>
              {words}
            </Text>
            <Group gap="xs">
              {children}
              <Button variant="subtle" size="compact-sm" onClick={onClear}>
                Clear selection
              </Button>
            </Group>
          </Group>
        </Paper>
      ) : null}
    </>
  );
}
