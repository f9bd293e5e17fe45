import { Button, Stack } from '@mantine/core';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { checkMailSignIn, signInByMailLink } from '#contract/sign-in-ways.ts';
import { isOfTheWay, messageOf } from '../../../api/api-error.ts';
import { refetchSession } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { AccountFrame } from '../AccountFrame.tsx';
import { CheckingLink } from '../CheckingLink.tsx';
import { LinkNotChecked } from '../LinkNotChecked.tsx';
import { tellWhenStuck } from './after-sign-in.ts';
import { passwordRemovedToast } from './password-removed.ts';
import { placeAfterSignIn } from './place-after-sign-in.ts';

/**
 * AUTH-56: the link in a sign-in mail. Only the button uses it up, so a mail scanner that opens the link does no harm.
 */
export function MailLinkPage() {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  const [email, setEmail] = useState<string | null>(null);
  const check = useAction(checkMailSignIn, { onSuccess: (found) => setEmail(found.email) });
  const checkLink = () => check.run({ body: { token } });
  // biome-ignore lint/correctness/useExhaustiveDependencies: The page checks the link once, when it opens.
  useEffect(() => {
    if (token) checkLink();
  }, []);

  if (!token) return <UnusableLink reason="This sign-in link is not complete." />;
  if (isOfTheWay(check.error)) return <LinkNotChecked error={check.error} onRetry={checkLink} />;
  if (check.error) return <UnusableLink reason={messageOf(check.error)} />;
  return email ? <SignInAs email={email} token={token} /> : <CheckingLink />;
}

function SignInAs({ email, token }: { email: string; token: string }) {
  const navigate = useNavigate();
  const router = useRouter();
  const action = useAction(signInByMailLink, {
    failureTitle: 'Sign In Failed',
    success: passwordRemovedToast,
    onSuccess: tellWhenStuck(async () => {
      const { awaitsSecondFactor } = await refetchSession();
      await router.invalidate();
      const next = placeAfterSignIn(location.search, location.origin);
      await navigate(
        awaitsSecondFactor ? { to: paths.login, search: { next }, replace: true } : { to: next, replace: true },
      );
    }),
  });
  if (action.error && !isOfTheWay(action.error)) return <UnusableLink reason={messageOf(action.error)} />;
  return (
    <AccountFrame title="Sign in" lead={`You are about to sign in as ${email}.`}>
      <Button fullWidth size="md" loading={action.isRunning} onClick={() => action.run({ body: { token } })}>
        Sign in
      </Button>
    </AccountFrame>
  );
}

function UnusableLink({ reason }: { reason: string }) {
  return (
    <AccountFrame title="This link does not work" lead={reason}>
      <Stack gap="sm">
        <Button component={Link} to={paths.login} size="md" fullWidth>
          Back to sign in
        </Button>
      </Stack>
    </AccountFrame>
  );
}
