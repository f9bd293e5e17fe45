import { Text } from '@mantine/core';

/** What has to be corrected, and why, is never cut. An address that is too long for its line breaks before its @. */
export function InFull({ children, isStrong = false }: { children: string; isStrong?: boolean }) {
  const [start, ...rest] = children.split('@');
  return (
    <Text size="sm" lh="18px" fw={isStrong ? 700 : undefined}>
      {start}
      {rest.length > 0 ? (
        <>
          <wbr />@{rest.join('@')}
        </>
      ) : null}
    </Text>
  );
}
