import { type ReactNode, useState } from 'react';
import { recallHandover } from '#contract/payments.ts';
import { ApiError } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';

interface RecallHandoverProps {
  handoverId: string;
  /** What opens the question. */
  children: (onAsk: () => void) => ReactNode;
}

/** Recalls a batch whose receiver will never answer. A receiver that did not answer may have it all the same. */
export function RecallHandover({ handoverId, children }: RecallHandoverProps) {
  /** The batch that was open when the question was asked. The row may be in another one since. */
  const [asked, setAsked] = useState<string | null>(null);
  const close = () => setAsked(null);
  const recall = useAction(recallHandover, {
    success: ({ recalled }) => ({
      title: 'Batch Recalled',
      message: `${recalled.toLocaleString('en-US')} stipends can be sent again`,
    }),
    failureTitle: 'Recall Failed',
    onSuccess: close,
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'stale') close();
    },
  });
  return (
    <>
      {children(() => setAsked(handoverId))}
      <TypingModal opened={asked !== null} onClose={close} title="Recall batch">
        <ReasonForm
          maxLength={limitOf(recallHandover.body, 'reason')}
          confirmLabel="Recall batch"
          isDestructive
          isRunning={recall.isRunning}
          onConfirm={(reason) => asked !== null && recall.run({ params: { id: asked }, body: { reason } })}
          onClose={close}
        >
          We stop trying this batch. You can then send its stipends again or mark them as paid. If the payment system
          did not answer, it may have paid: ask there first.
        </ReasonForm>
      </TypingModal>
    </>
  );
}
