import { Text } from '@mantine/core';

/** What has to be corrected, and why, is never cut. */
export function InFull({ children, isStrong = false }: { children: string; isStrong?: boolean }) {
  return (
    <Text size="sm" lh="18px" fw={isStrong ? 700 : undefined}>
      {children}
    </Text>
  );
}
