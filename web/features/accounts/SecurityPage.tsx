import { Alert, Anchor, Card, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { useSession, useSignedInUser } from '../../api/session.ts';
import { paths } from '../../app/paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { LostFactorSection } from './LostFactorSection.tsx';
import { SecondFactorSection } from './SecondFactorSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { SignInPolicySection } from './SignInPolicySection.tsx';
import { WaysInSection } from './WaysInSection.tsx';
import { YourDetailsSection } from './YourDetailsSection.tsx';

/** How the own account is signed in to; each section reads what it shows by itself. */
export function SecurityPage() {
  const { role } = useSignedInUser();
  const { mustSetUpSecondFactor } = useSession();
  return (
    <>
      <PageHeader title="Sign-in and security" lead="How you sign in, and how you keep others out." />
      <Stack gap="lg" maw={760}>
        {mustSetUpSecondFactor ? <SetUpFirst /> : null}
        <SecondFactorSection />
        {mustSetUpSecondFactor ? null : <PasswordSection />}
        {mustSetUpSecondFactor ? null : <WaysInSection />}
        <SessionsSection />
        {mustSetUpSecondFactor ? null : <YourDetailsSection />}
        {role === 'admin' && !mustSetUpSecondFactor ? (
          <>
            <SignInPolicySection />
            <LostFactorSection />
          </>
        ) : null}
      </Stack>
    </>
  );
}

/** Why this screen opened instead of another. */
function SetUpFirst() {
  return (
    <Alert
      color="yellow"
      icon={<ShieldAlert size={18} aria-hidden />}
      title="Your role needs a second factor"
      role="status"
    >
      Set it up here; then everything else is open to you again.
    </Alert>
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
