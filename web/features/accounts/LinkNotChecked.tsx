import { messageOf } from '../../api/api-error.ts';
import { ErrorState } from '../../ui/states.tsx';
import { AccountFrame } from './AccountFrame.tsx';

interface LinkNotCheckedProps {
  error: unknown;
  onRetry: () => void;
}

/** The server was out of reach or could not answer. The link is neither refused nor used up. */
export function LinkNotChecked({ error, onRetry }: LinkNotCheckedProps) {
  return (
    <AccountFrame title="Not checked yet" lead="Your link still works. Please try again in a moment.">
      <ErrorState title="Your link could not be checked" message={messageOf(error)} onRetry={onRetry} />
    </AccountFrame>
  );
}
