import { useLocalStorage } from '@mantine/hooks';

export type Density = 'compact' | 'comfortable';

/** How close the rows of tables stand. The device keeps it. */
export function useDensity() {
  return useLocalStorage<Density>({
    key: 'switchyard.table-density',
    defaultValue: 'compact',
    getInitialValueInEffect: false,
  });
}
