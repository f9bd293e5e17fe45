import { useMediaQuery } from '@mantine/hooks';

/** True on a phone or another device for fingers. `touch-targets.css` makes its targets larger by the same rule. */
export function useTouched(): boolean {
  return useMediaQuery('(pointer: coarse), (max-width: 47.99em)', false, { getInitialValueInEffect: false });
}
