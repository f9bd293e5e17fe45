import { Button, Divider, SimpleGrid, Stack, Text } from '@mantine/core';
import type { readSession } from '#contract/accounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';

interface DemoAccountsProps {
  instance: ResponseOf<typeof readSession>['instance'];
  onPick: (values: { email: string; password: string }) => void;
}

/** A demo instance shows its accounts. Picking one fills the form. */
export function DemoAccounts({ instance, onPick }: DemoAccountsProps) {
  const { demoAccounts, demoPassword } = instance;
  if (demoAccounts.length === 0 || demoPassword === null) return null;
  return (
    <Stack gap="xs" mt="xl">
      <Divider label="Demo accounts" />
      <Text size="sm" c="dimmed">
        Pick one to fill in the form.{' '}
        <Text span inherit display="inline-block">
          Password: {demoPassword}
        </Text>
      </Text>
      <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs" verticalSpacing="xs">
        {demoAccounts.map(({ email, label }) => (
          <Button
            key={email}
            variant="default"
            size="sm"
            title={email}
            onClick={() => onPick({ email, password: demoPassword })}
          >
            {label}
          </Button>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
