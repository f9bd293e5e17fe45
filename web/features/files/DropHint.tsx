import { Portal, Stack, Text } from '@mantine/core';
import { FileUp } from 'lucide-react';

/** Covers the page while files are held over it. */
export function DropHint() {
  return (
    <Portal>
      <Stack
        role="status"
        align="center"
        justify="center"
        gap="sm"
        pos="fixed"
        inset={8}
        style={{
          zIndex: 400,
          pointerEvents: 'none',
          borderRadius: 10,
          border: '2px dashed var(--mantine-primary-color-filled)',
          background: 'color-mix(in srgb, var(--mantine-color-body) 92%, transparent)',
        }}
      >
        <FileUp size={44} aria-hidden />
        <Text fw={550}>Drop the files here to upload them</Text>
      </Stack>
    </Portal>
  );
}
