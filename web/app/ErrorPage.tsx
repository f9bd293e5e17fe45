import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { ApiError } from '../api/api-error.ts';
import { LineDrawing } from '../ui/LineDrawing.tsx';

/** ROUTE-22 */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack align="center" gap="sm" ta="center" maw={460}>
        <LineDrawing />
        <Title order={1}>Something went wrong</Title>
        <Text c="dimmed">
          {error instanceof ApiError ? error.message : 'The page could not be shown. What you had saved is safe.'}
        </Text>
        <Button onClick={() => location.reload()}>Refresh Page</Button>
      </Stack>
    </Center>
  );
}
