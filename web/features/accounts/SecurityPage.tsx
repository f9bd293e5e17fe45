import { Alert, Anchor, Card, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { listWaysIn } from '#contract/identities.ts';
import { queryFor } from '../../api/query-for.ts';
import { useSession, useSignedInUser } from '../../api/session.ts';
import { paths } from '../../app/paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { YourDetailsSection } from './own-details/YourDetailsSection.tsx';
import { LostFactorSection } from './second-factor/LostFactorSection.tsx';
import { SecondFactorSection } from './second-factor/SecondFactorSection.tsx';
import { SignInPolicySection } from './second-factor/SignInPolicySection.tsx';
import { SessionsSection } from './sessions/SessionsSection.tsx';
import { SignInsSection } from './sessions/SignInsSection.tsx';
import { WaysInSection } from './ways-in/WaysInSection.tsx';

/** How people sign in to their own account. Each section loads its own data. */
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
        <SignInsSection />
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

/** Says why this screen opened instead of another. */
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
  const ways = useQuery(queryFor(listWaysIn));
  const hasPassword = ways.data?.hasPassword ?? true;
  return (
    <Card component="section" aria-labelledby="password-title">
      <Title order={2} id="password-title" mb={4}>
        Password
      </Title>
      <Text c="dimmed">
        {hasPassword ? (
          <>
            <Anchor component={Link} to={paths.changePassword} inherit underline="always">
              Change your password
            </Anchor>{' '}
            whenever somebody else may know it.
          </>
        ) : (
          <>
            Your account has no password yet.{' '}
            <Anchor component={Link} to={paths.passwordReset} inherit underline="always">
              Have a link mailed to you
            </Anchor>{' '}
            that sets one.
          </>
        )}
      </Text>
    </Card>
  );
}
