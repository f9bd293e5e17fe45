import { Anchor, Card, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';

/** How the own account is signed in to; each section reads what it shows by itself. */
export function SecurityPage() {
  return (
    <>
      <PageHeader title="Sign-in and security" lead="How you sign in, and how you keep others out." />
      <Stack gap="lg" maw={760}>
        <PasswordSection />
      </Stack>
    </>
  );
}

function PasswordSection() {
  return (
    <Card component="section" aria-labelledby="password-title">
      <Title order={2} id="password-title" mb={4}>
        Password
      </Title>
      <Text c="dimmed">
        <Anchor component={Link} to={paths.changePassword} inherit underline="always">
          Change your password
        </Anchor>{' '}
        from time to time, and whenever somebody else may know it.
      </Text>
    </Card>
  );
}
