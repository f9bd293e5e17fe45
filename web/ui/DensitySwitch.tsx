import { SegmentedControl } from '@mantine/core';
import { type Density, useDensity } from './use-density.ts';

/** Phones have their own rows, so there it does not show. */
export function DensitySwitch() {
  const [density, setDensity] = useDensity();
  return (
    <SegmentedControl
      aria-label="Height of rows"
      size="xs"
      visibleFrom="sm"
      data={[
        { value: 'compact', label: 'Compact' },
        { value: 'comfortable', label: 'Comfortable' },
      ]}
      value={density}
      onChange={(chosen) => setDensity(chosen as Density)}
    />
  );
}
