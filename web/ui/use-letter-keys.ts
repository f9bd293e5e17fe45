import { type HotkeyItem, useHotkeys, useLocalStorage } from '@mantine/hooks';

/**
 * Whether single keys do anything. Who speaks to a computer, or often slips, switches them off. The device keeps it.
 */
export function useLetterKeysOn() {
  return useLocalStorage<boolean>({
    key: 'switchyard.letter-keys',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
}

/** Keys of one letter, digit or sign. Every one goes through here, so that a person can switch all of them off. */
export function useLetterKeys(keys: HotkeyItem[]): void {
  const [areOn] = useLetterKeysOn();
  useHotkeys(areOn ? keys : []);
}
