import { refetchSession } from '../../../api/session.ts';
import { AccountFrame } from '../AccountFrame.tsx';
import { SecondFactorForm } from './SecondFactorForm.tsx';

/** The second step of the sign-in page. */
export function SecondFactorStep({ onDone }: { onDone: () => void }) {
  return (
    <AccountFrame title="Enter your code" lead="Your account has a second factor.">
      <SecondFactorForm onDone={onDone} onLeave={() => void refetchSession()} />
    </AccountFrame>
  );
}
