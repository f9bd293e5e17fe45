import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { z } from 'zod';
import { readSession, signIn } from '#contract/accounts.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-for.ts';
import { useSignedInUser } from '../../../api/session.ts';
import { answerSignIn } from '../../../api/sign-in-again.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import { useForm } from '../../../ui/use-form.ts';
import { PasswordField } from '../passwords/PasswordFields.tsx';
import { SecondFactorForm } from '../second-factor/SecondFactorForm.tsx';
import { tellWhenStuck } from '../ways-in/after-sign-in.ts';
import { OtherWays } from '../ways-in/OtherWays.tsx';

const schema = z.object({ email: z.string(), password: z.string().min(1, 'Please enter your password') });

export function SignInSteps() {
  const user = useSignedInUser();
  const navigate = useNavigate();
  const [awaitsCode, setAwaitsCode] = useState(false);

  const look = useCallback(async () => {
    const session = await call(readSession);
    setAwaitsCode(session.awaitsSecondFactor);
    if (!session.user) return;
    answerSignIn(true);
    if (session.user.id !== user.id) await navigate({ to: paths.dashboard });
    else await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== readSession.name });
  }, [navigate, user.id]);

  // The person may have signed in in another tab.
  useEffect(() => {
    // Nobody waits for this answer. The next look may succeed.
    const lookAgain = () => void look().catch(() => undefined);
    window.addEventListener('focus', lookAgain);
    return () => window.removeEventListener('focus', lookAgain);
  }, [look]);

  const goOn = tellWhenStuck(look);
  if (awaitsCode) return <SecondFactorForm onDone={goOn} onLeave={() => setAwaitsCode(false)} />;
  return (
    <>
      <PasswordStep email={user.email} onSignedIn={goOn} />
      <OtherWays next={paths.dashboard} staysHere email={user.email} onSignedIn={goOn} />
    </>
  );
}

function PasswordStep({ email, onSignedIn }: { email: string; onSignedIn: () => void }) {
  const form = useForm({ email, password: '' });
  const action = useAction(signIn, {
    failureTitle: 'Sign In Failed',
    onSuccess: onSignedIn,
    onError: () => form.focus('password'),
  });
  return (
    <form noValidate onSubmit={form.submit(schema, (body) => action.run({ body }))}>
      <Stack gap="md">
        <Text>Your session has ended. Sign in to continue where you were. Nothing you typed is lost.</Text>
        <TextInput
          label="Email"
          maxLength={limitOf(signIn.body, 'email')}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.field('email')}
        />
        <PasswordField label="Password" autoComplete="current-password" data-autofocus {...form.field('password')} />
        <Button type="submit" loading={action.isRunning} fullWidth size="md">
          Sign in
        </Button>
        <Button variant="subtle" fullWidth onClick={() => answerSignIn(false)}>
          Leave this screen
        </Button>
      </Stack>
    </form>
  );
}
