import { Button, Stack } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { checkPasswordLink, setPassword } from '#contract/accounts.ts';
import { isOfTheWay, messageOf } from '../../../api/api-error.ts';
import { endPasswordHold, holdForPassword } from '../../../api/password-hold.ts';
import { useSession } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { showToast } from '../../../ui/toast.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { CheckingLink } from '../CheckingLink.tsx';
import { LinkNotChecked } from '../LinkNotChecked.tsx';
import { useLeaveOfSession } from '../sessions/use-leave-of-session.ts';
import { useSignOut } from '../sessions/use-sign-out.tsx';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { noTokenFound, readRecoveryLink } from './recovery-link.ts';

/** AUTH-38: milliseconds to read the success. */
const redirectDelay = 2000;

type LinkState = 'checking' | 'invalid' | { email: string; isInvitation: boolean };

export function SetPasswordPage() {
  const { user } = useSession();
  const [link] = useState(() => readRecoveryLink(location));
  const [state, setState] = useState<LinkState>(link.state === 'complete' ? 'checking' : 'invalid');
  const check = useAction(checkPasswordLink, {
    onSuccess: ({ email, kind }) => {
      if (user && link.state === 'complete') holdForPassword(link.values);
      setState({ email, isInvitation: kind === 'invitation' });
    },
    onError: (error) => {
      if (isOfTheWay(error)) return;
      showToast({ type: 'error', title: 'Invalid Reset Link', message: messageOf(error) });
      endPasswordHold();
      setState('invalid');
    },
  });
  const checkLink = () => {
    if (link.state === 'complete') check.run({ body: { token: link.token } });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: The page checks the address once, when it opens.
  useEffect(() => {
    if (link.state === 'complete') checkLink();
    else {
      endPasswordHold();
      showToast({ type: 'error', title: 'Invalid Reset Link', message: noTokenFound });
    }
  }, []);

  if (isOfTheWay(check.error)) return <LinkNotChecked error={check.error} onRetry={checkLink} />;
  if (state === 'checking') return <CheckingLink />;
  if (state === 'invalid' || link.state !== 'complete') return <InvalidLink isComplete={link.state === 'complete'} />;
  return <ChoosePassword token={link.token} email={state.email} isInvitation={state.isInvitation} />;
}

function ChoosePassword({ token, email, isInvitation }: { token: string; email: string; isInvitation: boolean }) {
  const navigate = useNavigate();
  const { user } = useSession();
  const [isSet, setIsSet] = useState(false);
  const leave = useLeaveOfSession({ otherTabsAsk: true });
  const action = useAction(setPassword, {
    success: () => ({ title: 'Password Set Successfully', message: 'We take you to the sign-in page.' }),
    failureTitle: 'Error Setting Password',
    onSuccess: () => {
      endPasswordHold();
      setIsSet(true);
      leave.run();
    },
  });

  useEffect(() => {
    if (!isSet) return;
    const timer = setTimeout(() => void navigate({ to: paths.login, replace: true }), redirectDelay);
    return () => clearTimeout(timer);
  }, [isSet, navigate]);

  return (
    <AccountFrame
      title={isInvitation ? 'Welcome to Switchyard' : 'Choose a new password'}
      lead={isInvitation ? 'Choose your password, then you can sign in.' : undefined}
      footer={user && !isSet ? <LeaveHold /> : null}
    >
      <NewPasswordForm
        email={email}
        isSaving={action.isRunning || isSet}
        refusal={action.error}
        onSubmit={(newPassword) => action.run({ body: { token, newPassword } })}
      />
    </AccountFrame>
  );
}

/** ROUTE-04: a signed-in person stays here until the password is set. Signing out is the other way to leave. */
function LeaveHold() {
  const { begin, question, isRunning } = useSignOut();
  return (
    <>
      <Button variant="subtle" size="compact-md" loading={isRunning} onClick={begin}>
        Sign out and keep the current password
      </Button>
      {question}
    </>
  );
}

function InvalidLink({ isComplete }: { isComplete: boolean }) {
  return (
    <AccountFrame
      title="Invalid link"
      lead={isComplete ? 'This link is invalid, was used before, or has expired.' : 'This link is not complete.'}
    >
      <Stack gap="sm">
        <Button component={Link} to={paths.passwordReset} size="md" fullWidth>
          Request a new link
        </Button>
        <Button component={Link} to={paths.login} variant="default" size="md" fullWidth>
          Back to sign in
        </Button>
      </Stack>
    </AccountFrame>
  );
}
