import { Anchor } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { checkPasswordLink, setPassword } from '#contract/accounts.ts';
import { isOfTheWay, messageOf } from '../../../api/api-error.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { showToast } from '../../../ui/toast.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { CheckingLink } from '../CheckingLink.tsx';
import { LinkNotChecked } from '../LinkNotChecked.tsx';
import { useLeaveOfSession } from '../sessions/use-leave-of-session.ts';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { RequestResetForm } from './RequestResetForm.tsx';
import { noTokenFound, readRecoveryLink } from './recovery-link.ts';

const backToLogin = (
  <Anchor component={Link} to={paths.login} inherit underline="always">
    Back to sign in
  </Anchor>
);

/** Request mode, or reset mode if the address has a link that the server accepts (AUTH-18, AUTH-25). */
export function PasswordResetPage() {
  const [link] = useState(() => readRecoveryLink(location));
  const [email, setEmail] = useState<string | null>(null);
  const [isChecking, setChecking] = useState(link.state === 'complete');
  const check = useAction(checkPasswordLink, {
    success: () => ({ title: 'Reset Link Verified', message: 'Choose your new password.' }),
    onSuccess: (reply) => {
      setEmail(reply.email);
      setChecking(false);
    },
    onError: (error) => {
      if (isOfTheWay(error)) return;
      showToast({ type: 'error', title: 'Invalid Reset Link', message: messageOf(error) });
      setChecking(false);
    },
  });
  const checkLink = () => {
    if (link.state === 'complete') check.run({ body: { token: link.token } });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: The page checks the address once, when it opens.
  useEffect(() => {
    checkLink();
    if (link.state === 'broken') showToast({ type: 'error', title: 'Invalid Reset Link', message: noTokenFound });
  }, []);

  if (isOfTheWay(check.error)) return <LinkNotChecked error={check.error} onRetry={checkLink} />;
  if (isChecking) return <CheckingLink />;
  if (link.state === 'complete' && email !== null) return <ResetMode token={link.token} email={email} />;
  return (
    <AccountFrame title="Reset your password" lead="We will email you a link." footer={backToLogin}>
      <RequestResetForm />
    </AccountFrame>
  );
}

function ResetMode({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const leave = useLeaveOfSession({ goOn: () => navigate({ to: paths.login, replace: true }), otherTabsAsk: true });
  const action = useAction(setPassword, {
    success: () => ({ title: 'Password Set Successfully', message: 'You can sign in with it now.' }),
    failureTitle: 'Password Update Failed',
    onSuccess: leave.run,
  });
  return (
    <AccountFrame title="Choose a new password" footer={backToLogin}>
      <NewPasswordForm
        email={email}
        isSaving={action.isRunning || leave.isRunning}
        refusal={action.error}
        onSubmit={(newPassword) => action.run({ body: { token, newPassword } })}
      />
    </AccountFrame>
  );
}
