import { Anchor, Group, Text, VisuallyHidden } from '@mantine/core';

export interface Missing {
  onRetry: () => void;
  isRetrying: boolean;
}

/** Beside a figure that could not be read and stands for nothing; `label` says which one to whoever only hears it. */
export function NotLoaded({ label, missing: { onRetry, isRetrying } }: { label: string; missing: Missing }) {
  return (
    <Group gap="0 8px">
      <Text size="sm" c="var(--status-danger)" span>
        Not loaded
      </Text>
      <Anchor component="button" type="button" size="sm" py={4} onClick={isRetrying ? undefined : onRetry}>
        {isRetrying ? 'Loading…' : 'Try again'}
        <VisuallyHidden> {label}</VisuallyHidden>
      </Anchor>
    </Group>
  );
}
