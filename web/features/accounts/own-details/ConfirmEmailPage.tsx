import { Button } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { confirmEmailChange } from '#contract/own-details.ts';
import { isOfTheWay, messageOf } from '../../../api/api-error.ts';
import { refetchSession, useSession } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { ErrorState } from '../../../ui/states.tsx';
import { AccountFrame } from '../AccountFrame.tsx';

/** The link to a new email address. Only the button uses it up, so a mail scanner that opens the link does no harm. */
export function ConfirmEmailPage() {
  const router = useRouter();
  const { user } = useSession();
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  const [email, setEmail] = useState<string | null>(null);
  const action = useAction(confirmEmailChange, {
    success: 'Email Address Changed',
    onSuccess: async (changed) => {
      setEmail(changed.email);
      await refetchSession();
      await router.invalidate();
    },
  });
  const confirm = () => action.run({ body: { token } });
  if (email) {
    return (
      <AccountFrame title="Email address changed" lead={`From now on you sign in as ${email}.`}>
        <GoOn label="Continue" />
      </AccountFrame>
    );
  }
  const mayWorkLater = isOfTheWay(action.error);
  if (!token || (action.error && !mayWorkLater)) {
    const reason = token ? messageOf(action.error) : 'This link is not complete.';
    return (
      <AccountFrame title="This link does not work" lead={reason}>
        <GoOn label={user ? 'Continue without a change' : 'Back to sign in'} />
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title="Confirm your new email address"
      lead="You then sign in with it, and we email you there. We sign out your other devices."
    >
      {mayWorkLater ? (
        <ErrorState
          title="No answer yet"
          message={`${messageOf(action.error)} Try again. If your address has already changed, you no longer need the link.`}
          onRetry={confirm}
        />
      ) : (
        <Button fullWidth size="md" loading={action.isRunning} onClick={confirm}>
          Confirm this address
        </Button>
      )}
    </AccountFrame>
  );
}

function GoOn({ label }: { label: string }) {
  return (
    <Button component={Link} to={paths.login} size="md" fullWidth>
      {label}
    </Button>
  );
}
