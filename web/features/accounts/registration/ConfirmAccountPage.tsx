import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { confirmRegistration } from '#contract/registration.ts';
import { ApiError, messageOf } from '../../../api/api-error.ts';
import { refetchSession } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { showToast } from '../../../ui/toast.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { AccountFrame } from '../AccountFrame.tsx';
import { PasswordField } from '../passwords/PasswordFields.tsx';

const Claims = z.object({ email: z.email() });
const schema = z.object({ password: z.string().min(1, 'Please enter your password') });

/** AUTH-07: the link in the confirmation mail. Opening it confirms nothing, because mail scanners open links too. */
export function ConfirmAccountPage() {
  const [link] = useState(() => readConfirmationLink(location.hash));
  const [refusal, setRefusal] = useState<string | null>(null);
  if (link && refusal === null) return <ConfirmForm link={link} onUnusable={setRefusal} />;
  return (
    <AccountFrame title="This link does not work" lead={refusal ?? 'This link is not complete.'}>
      <Stack gap="sm">
        <Button component={Link} to={paths.login} size="md" fullWidth>
          Back to sign in
        </Button>
        <Button component={Link} to={paths.passwordReset} variant="default" size="md" fullWidth>
          Set a new password instead
        </Button>
      </Stack>
    </AccountFrame>
  );
}

interface ConfirmFormProps {
  link: { token: string; email: string };
  onUnusable: (reason: string) => void;
}

function ConfirmForm({ link: { token, email }, onUnusable }: ConfirmFormProps) {
  const navigate = useNavigate();
  const router = useRouter();
  const form = useForm({ password: '' });
  const action = useAction(confirmRegistration, {
    onSuccess: async ({ user }) => {
      await refetchSession();
      await router.invalidate();
      showToast({ type: 'success', title: 'Email Address Confirmed', message: `You are signed in as ${user.email}.` });
      await navigate({ to: paths.dashboard, replace: true });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'not_found') return onUnusable(messageOf(error));
      showToast({ type: 'error', title: 'Email Address Not Confirmed', message: messageOf(error) });
      form.showRefusal(error);
    },
  });
  return (
    <AccountFrame
      title="Confirm your email address"
      lead="Enter the password that you chose when you registered. Your account is then open, and you are signed in."
      footer="You did not register? Close this page: nobody can use the account."
    >
      <form noValidate onSubmit={form.submit(schema, ({ password }) => action.run({ body: { token, password } }))}>
        <Stack gap="md">
          <TextInput label="Email" type="email" autoComplete="username" value={email} readOnly />
          <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
          <Button type="submit" loading={action.isRunning} fullWidth size="md">
            Confirm and sign in
          </Button>
          <Anchor component={Link} to={paths.passwordReset} size="sm" ta="center">
            Forgot your password?
          </Anchor>
        </Stack>
      </form>
    </AccountFrame>
  );
}

/** Reads the token after # in a confirmation link, and the address that it confirms. Null if it is no such link. */
function readConfirmationLink(hash: string): { token: string; email: string } | null {
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  const claims = Claims.safeParse(contentOf(token.split('.')[1] ?? ''));
  return claims.success ? { token, email: claims.data.email } : null;
}

/** Null if the part is no base64url of JSON. The server would refuse it too. */
function contentOf(part: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
