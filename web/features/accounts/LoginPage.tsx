import { Alert, Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import { signIn } from '#contract/accounts.ts';
import { ApiError } from '../../api/api-error.ts';
import { refetchSession, useSession } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { paths } from '../../app/paths.ts';
import { showToast } from '../../ui/toast.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { DemoAccounts } from './DemoAccounts.tsx';
import { focusFirstError } from './form-errors.ts';
import { OtherWays, ProviderNews } from './OtherWays.tsx';
import { PasswordField } from './PasswordFields.tsx';
import { placeAfterSignIn } from './place-after-sign-in.ts';
import { ResendConfirmation } from './ResendConfirmation.tsx';
import { SecondFactorStep } from './SecondFactorStep.tsx';

const schema = z.object({
  email: z.email('Please enter your e-mail address'),
  password: z.string().min(1, 'Please enter your password'),
});

export function LoginPage() {
  const { instance, awaitsSecondFactor } = useSession();
  const navigate = useNavigate();
  const router = useRouter();
  const [isUnconfirmed, setUnconfirmed] = useState(false);
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: schemaResolver(schema, { sync: true }),
  });

  const goOn = async () => {
    const session = await refetchSession();
    if (session.awaitsSecondFactor) return;
    await router.invalidate();
    showToast({
      type: 'success',
      title: 'Welcome Back',
      message: session.user ? `You are signed in as ${session.user.firstName}.` : null,
    });
    await navigate({ to: placeAfterSignIn(location.search, location.origin), replace: true });
  };
  const action = useAction(signIn, {
    failureTitle: 'Sign In Failed',
    onSuccess: () => void goOn(),
    onError: (error) => setUnconfirmed(error instanceof ApiError && error.code === 'email_not_confirmed'),
  });

  if (awaitsSecondFactor) return <SecondFactorStep onDone={() => void goOn()} />;
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
      <ConfirmationNews />
      <ProviderNews title="You are not signed in" />
      <form
        noValidate
        onSubmit={form.onSubmit(
          (body) => action.run({ body }),
          (errors) => focusFirstError(form, errors),
        )}
      >
        <Stack gap="md">
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            {...form.getInputProps('email')}
          />
          <PasswordField label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
          <Button type="submit" loading={action.isRunning} fullWidth size="md">
            Sign in
          </Button>
          <Group justify="center">
            <Anchor component={Link} to={paths.passwordReset} size="sm">
              Forgot your password?
            </Anchor>
          </Group>
        </Stack>
      </form>
      {isUnconfirmed ? <ResendConfirmation email={form.values.email} /> : null}
      <OtherWays next={placeAfterSignIn(location.search, location.origin)} onSignedIn={() => void goOn()} />
      {instance.isDemo ? <DemoAccounts instance={instance} onPick={(values) => form.setValues(values)} /> : null}
    </AccountFrame>
  );
}

/** What the link in the confirmation mail came to. */
function ConfirmationNews() {
  const search = new URLSearchParams(location.search);
  if (search.has('error')) {
    return (
      <Alert color="yellow" icon={<TriangleAlert size={18} aria-hidden />} mb="md" title="This link no longer works">
        It was used before or is older than 24 hours. Sign in: if your e-mail address is not confirmed yet, you can ask
        for a new link.
      </Alert>
    );
  }
  if (!search.has('confirmed')) return null;
  return (
    <Alert
      color="teal"
      icon={<CircleCheck size={18} aria-hidden />}
      mb="md"
      title="E-mail address confirmed"
      role="status"
    >
      You can sign in now.
    </Alert>
  );
}
