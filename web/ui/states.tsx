import {
  Alert,
  Box,
  Button,
  Card,
  Center,
  Group,
  Loader,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { CircleAlert, LockKeyhole, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Role } from '#contract/roles.ts';
import { LineDrawing } from './LineDrawing.tsx';
import { usePageTitle } from './page-title.ts';

/** ROUTE-03: only while the session itself is loading. */
export function FullPageLoading() {
  return (
    <Center mih="100dvh" role="status">
      <Group gap="sm">
        <Loader size="sm" aria-hidden />
        <Text>Loading...</Text>
      </Group>
    </Center>
  );
}

/** Skeletons in the shape of what comes. */
export function LoadingState({
  label = 'Loading',
  rows = 4,
  cards = 0,
}: {
  label?: string;
  rows?: number;
  cards?: number;
}) {
  return (
    <Stack gap="md" role="status" aria-label={label} aria-busy>
      {cards > 0 ? (
        <SimpleGrid cols={{ base: 2, md: cards }} spacing="md">
          {Array.from({ length: cards }, (_, index) => (
            <Skeleton key={`card-${index.toString()}`} h={124} radius="lg" data-card />
          ))}
        </SimpleGrid>
      ) : null}
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={`row-${index.toString()}`} h={44} />
      ))}
    </Stack>
  );
}

/** Says what will be here, and offers the next step. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py={40} px="md" ta="center" data-empty>
      <LineDrawing />
      <Title order={2}>{title}</Title>
      {children ? (
        <Text c="dimmed" maw={440} component="div" style={{ textWrap: 'balance' }}>
          {children}
        </Text>
      ) : null}
      {action ? <Box mt="sm">{action}</Box> : null}
    </Stack>
  );
}

/** Says what failed, in words a person can act on. Text typed elsewhere stays. A message that is enough has no title. */
export function ErrorState({
  title,
  message,
  onRetry,
  isRetrying,
  color = 'red',
  icon = <CircleAlert size={18} aria-hidden />,
}: {
  title?: string | undefined;
  message?: string;
  onRetry?: () => void;
  isRetrying?: boolean;
  color?: string;
  icon?: ReactNode;
}) {
  return (
    <Alert color={color} icon={icon} title={title} role="alert" radius="lg">
      <Stack gap="sm" align="flex-start">
        {message ? <Text size="sm">{message}</Text> : null}
        {onRetry ? (
          <Button
            variant="default"
            size="sm"
            leftSection={<RotateCw size={15} aria-hidden />}
            onClick={onRetry}
            loading={isRetrying ?? false}
          >
            Try again
          </Button>
        ) : null}
      </Stack>
    </Alert>
  );
}

/** ROUTE-20: names the person's role and the roles required. The guarded screen is not rendered. */
export function AccessDenied({ role, required, message }: { role: Role; required: readonly Role[]; message?: string }) {
  usePageTitle('Access Denied');
  return (
    <Card maw={560} mx="auto" mt="xl">
      <Stack gap="sm">
        <Group gap="sm">
          <LockKeyhole size={22} aria-hidden />
          <Title order={1}>Access Denied</Title>
        </Group>
        <Text>{message ?? "You don't have permission to open this page."}</Text>
        <Text c="dimmed">
          Your role: <b>{role}</b>. Required: <b>{required.join(' or ')}</b>.
        </Text>
        <Button component="a" href="/" variant="default" w="fit-content">
          Back to the dashboard
        </Button>
      </Stack>
    </Card>
  );
}

/** ROUTE-21: the session ended while a guarded screen was open. */
export function AuthenticationRequired() {
  usePageTitle('Authentication Required');
  return (
    <Box component="main" p="md">
      <Card maw={560} mx="auto" mt="xl" role="alert">
        <Stack gap="sm">
          <Title order={1}>Authentication Required</Title>
          <Text>You are not signed in, or your session has ended. Sign in to continue where you were.</Text>
          <Button
            component="a"
            href={`/login?next=${encodeURIComponent(location.pathname + location.search)}`}
            w="fit-content"
          >
            Sign in
          </Button>
        </Stack>
      </Card>
    </Box>
  );
}
