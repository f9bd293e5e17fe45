import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { ApiError, isOfTheWay } from '../api/api-error.ts';
import { refetchSession } from '../api/session.ts';
import { LineDrawing } from '../ui/LineDrawing.tsx';
import { usePageTitle } from '../ui/page-title.ts';

/** ROUTE-22: this page shows when no other part of the screen does. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <Center mih="100dvh" p="md" component="main">
      {isOfTheWay(error) ? <NotAnswered first={error} /> : <Broken error={error} />}
    </Center>
  );
}

/** ROUTE-22: replaces one screen. The navigation beside it goes on working. */
export function ScreenError({ error }: { error: unknown }) {
  return <Center py={64}>{isOfTheWay(error) ? <NotLoadedInTime error={error} /> : <Broken error={error} />}</Center>;
}

const unreachable = "We can't reach Switchyard";

/** The screen's own file did not come. Only a new page asks for it again. */
function NotLoadedInTime({ error }: { error: ApiError }) {
  usePageTitle(unreachable);
  return (
    <Stack align="center" gap="sm" ta="center" maw={460} role="alert">
      <LineDrawing />
      <Title order={1}>{unreachable}</Title>
      <Text c="dimmed">{error.message}</Text>
      <Button leftSection={<RotateCw size={16} aria-hidden />} onClick={() => location.reload()}>
        Try again
      </Button>
    </Stack>
  );
}

const probeDelayInMs = 3_000;

/**
 * AUTH-48: nobody knows whether the person is signed in, so the page does not say. It goes on by itself when the server
 * answers.
 */
function NotAnswered({ first }: { first: ApiError }) {
  const router = useRouter();
  const [error, setError] = useState(first);
  const [isTrying, setTrying] = useState(false);
  const look = useCallback(
    () =>
      refetchSession().then(
        () => router.invalidate(),
        (failure) => {
          if (isOfTheWay(failure)) setError(failure);
        },
      ),
    [router],
  );
  useEffect(() => {
    const timer = setInterval(look, probeDelayInMs);
    window.addEventListener('online', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', look);
    };
  }, [look]);
  const tryAgain = async () => {
    setTrying(true);
    await look();
    setTrying(false);
  };
  usePageTitle(unreachable);
  return (
    <Stack align="center" gap="sm" ta="center" maw={460} role="alert">
      <LineDrawing />
      <Title order={1}>{unreachable}</Title>
      <Text c="dimmed">{error.message}</Text>
      <Text c="dimmed">We'll keep trying.</Text>
      <Button leftSection={<RotateCw size={16} aria-hidden />} loading={isTrying} onClick={() => void tryAgain()}>
        Try again
      </Button>
    </Stack>
  );
}

function Broken({ error }: { error: unknown }) {
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
