import { Text } from '@mantine/core';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';

/** The name of a row whose acts are all at its end. */
export function Name({ children }: { children: string }) {
  return (
    <Text inherit span fw={600} title={children}>
      {children}
    </Text>
  );
}

export function Archived() {
  return <StatusBadge tone="neutral">Archived</StatusBadge>;
}
