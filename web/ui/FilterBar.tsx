import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { SlidersHorizontal, X } from 'lucide-react';
import { createContext, type ReactNode, useState } from 'react';
import classes from './FilterBar.module.css';

interface FilterBarProps {
  /** For example 'Filter users'. */
  label: string;
  /** What is always in sight: the search, and what the whole screen is about. */
  always: ReactNode;
  /** The number of filters that are on, without what is always in sight. */
  on: number;
  /** Puts the filters back. Without it, the screen offers that elsewhere. It is null while there is nothing to clear. */
  onClear?: (() => void) | null;
  /** Keeps and opens filters under a name. */
  saved?: ReactNode;
  /** Acts upon the whole list. */
  acts?: ReactNode;
  /** The filters. A list that is only searched has none. */
  children?: ReactNode;
}

/** A phone has one row for the search, the filters and what is saved. */
export const InBarOnPhone = createContext(false);

/** The filters of a list in one row. On a phone they are in a sheet, and the button of it says how many are on. */
export function FilterBar({ label, always, on, onClear, saved, acts, children }: FilterBarProps) {
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const clear = onClear ? (
    <Button variant="subtle" leftSection={<X size={15} aria-hidden />} onClick={onClear}>
      Clear filters
    </Button>
  ) : null;
  return (
    <Group component="search" gap="sm" align="flex-end" aria-label={label}>
      <InBarOnPhone value={isPhone}>{always}</InBarOnPhone>
      {isPhone && children ? (
        <>
          <Button
            variant="default"
            px="sm"
            leftSection={<SlidersHorizontal size={16} aria-hidden />}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            {on > 0 ? `Filters (${on})` : 'Filters'}
          </Button>
          <Modal
            opened={isOpen}
            onClose={() => setOpen(false)}
            title="Filters"
            yOffset={0}
            xOffset={0}
            classNames={{ inner: classes.inner, content: classes.content }}
          >
            <Stack gap="md">
              <Group gap="sm" align="flex-end">
                {children}
              </Group>
              <Group gap="sm" justify="flex-end">
                {clear}
                <Button onClick={() => setOpen(false)}>Show results</Button>
              </Group>
            </Stack>
          </Modal>
        </>
      ) : (
        <>
          {children}
          {clear}
        </>
      )}
      {saved}
      {acts}
    </Group>
  );
}

/** The width below which the navigation is a drawer too. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
}

/** How many of these filters are on. */
export function countOn(...filters: unknown[]): number {
  return filters.filter((value) => value !== undefined && value !== null && value !== '' && value !== false).length;
}
