import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { Link, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { signIn } from '#contract/accounts.ts';
import { isSignedOut } from '../../../api/api-error.ts';
import { refetchSession, useSession } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { Loaded, ReadFailure } from '../../../ui/Loaded.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import { showToast } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { usePart } from '../../../ui/use-part.ts';
import { AccountFrame } from '../AccountFrame.tsx';
import { PasswordField } from '../passwords/PasswordFields.tsx';
import { ResendConfirmation } from '../registration/ResendConfirmation.tsx';
import { tellWhenStuck } from './after-sign-in.ts';
import { DemoAccounts } from './DemoAccounts.tsx';
import { placeAfterSignIn } from './place-after-sign-in.ts';

const schema = z.object({
  email: z.email('Please enter your email address'),
  password: z.string().min(1, 'Please enter your password'),
});

export function LoginPage() {
  const { instance, awaitsSecondFactor } = useSession();
  const navigate = useNavigate();
  const router = useRouter();
  const { registeredEmail } = useLocation().state;
  const secondFactor = usePart('second factor', () => import('../second-factor/SecondFactorForm.tsx'), {
    isNeeded: awaitsSecondFactor,
  });
  // A provider leads back here with its refusal in the address.
  const otherWays = usePart('other ways', () => import('./OtherWays.tsx'), {
    isNeeded: instance.signInProviders.length > 0 || location.search !== '',
  });
  const [refusedEmail, setRefusedEmail] = useState<string | null>(null);
  const form = useForm({ email: registeredEmail ?? '', password: '' });

  const goOn = tellWhenStuck(async () => {
    const place = placeAfterSignIn(location.search, location.origin);
    const session = await refetchSession();
    if (session.awaitsSecondFactor) return;
    await router.invalidate();
    showToast({
      type: 'success',
      title: 'Welcome Back',
      message: session.user ? `You are signed in as ${session.user.firstName}.` : null,
    });
    await navigate({ to: place, replace: true });
  });
  const action = useAction(signIn, {
    failureTitle: 'Sign In Failed',
    onSuccess: goOn,
    onError: (error) => setRefusedEmail(isSignedOut(error) ? form.typed().email : null),
  });

  if (awaitsSecondFactor) {
    return (
      <AccountFrame title="Enter your code" lead="Your account has a second factor.">
        <Loaded read={secondFactor} failure="This could not be loaded" loading={{ label: 'Loading', rows: 3 }}>
          {({ SecondFactorForm }) => <SecondFactorForm onDone={goOn} onLeave={() => void refetchSession()} />}
        </Loaded>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title="Sign in"
      footer={
        <>
          New here?{' '}
          <Anchor component={Link} to={paths.register} inherit underline="always">
            Create an account
          </Anchor>
        </>
      }
    >
      {registeredEmail ? (
        <ResendConfirmation title="Check your email" email={registeredEmail}>
          We wrote to {registeredEmail}. The message says what to do next. To confirm a new account, open its link
          within 24 hours. If nothing comes after a few minutes, look in your spam folder.
        </ResendConfirmation>
      ) : null}
      {otherWays.data ? <otherWays.data.ProviderNews title="You are not signed in" /> : null}
      <form noValidate onSubmit={form.submit(schema, (body) => action.run({ body }))}>
        <Stack gap="md">
          <TextInput
            label="Email"
            maxLength={limitOf(signIn.body, 'email')}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            {...form.field('email')}
          />
          <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
          <Button type="submit" loading={action.isRunning} fullWidth size="md">
            Sign in
          </Button>
          {refusedEmail && refusedEmail !== registeredEmail ? (
            <ResendConfirmation title="Not confirmed yet?" email={refusedEmail}>
              If you registered {refusedEmail} and did not open the link in our email, do that first.
            </ResendConfirmation>
          ) : null}
          <Group justify="center">
            <Anchor component={Link} to={paths.passwordReset} size="sm">
              Forgot your password?
            </Anchor>
          </Group>
        </Stack>
      </form>
      <ReadFailure read={otherWays} failure="Other ways to sign in could not be loaded" />
      {otherWays.data ? (
        <otherWays.data.OtherWays
          next={placeAfterSignIn(location.search, location.origin)}
          email={form.draft.email}
          onSignedIn={goOn}
        />
      ) : null}
      {instance.isDemo ? <DemoAccounts instance={instance} onPick={(values) => form.set(values)} /> : null}
    </AccountFrame>
  );
}
