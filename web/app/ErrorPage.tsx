import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { ApiError } from '../api/api-error.ts';
import { LineDrawing } from '../ui/LineDrawing.tsx';
import { usePageTitle } from '../ui/page-title.ts';

/** ROUTE-22, where nothing else stands. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <Center mih="100dvh" p="md" component="main">
      <ErrorPanel error={error} />
    </Center>
  );
}

/** ROUTE-22 in the place of one screen: the navigation beside it goes on working. */
export function ScreenError({ error }: { error: unknown }) {
  return (
    <Center py={64}>
      <ErrorPanel error={error} />
    </Center>
  );
}

function ErrorPanel({ error }: { error: unknown }) {
  usePageTitle('Something went wrong');
  return (
    <Stack align="center" gap="sm" ta="center" maw={460} role="alert">
      <LineDrawing />
      <Title order={1}>Something went wrong</Title>
      <Text c="dimmed">
        {error instanceof ApiError ? error.message : 'The page could not be shown. What you had saved is safe.'}
      </Text>
      <Button onClick={() => location.reload()}>Refresh Page</Button>
    </Stack>
  );
}
