import { Button } from '@mantine/core';
import { useState } from 'react';
import { takePaymentBack } from '#contract/payments.ts';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { usePaymentAct } from './use-payment-act.ts';

interface TakePaymentBackProps {
  stipend: { id: string; version: number; participantName: string };
}

/** For a payment that an admin recorded by mistake. */
export function TakePaymentBack({ stipend }: TakePaymentBackProps) {
  /** The version that the admin saw when the dialog opened. */
  const [asked, setAsked] = useState<number | null>(null);
  const close = () => setAsked(null);
  const takeBack = usePaymentAct(takePaymentBack, 'Payment Taken Back', close);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Take payment back: ${stipend.participantName}`}
        onClick={() => setAsked(stipend.version)}
      >
        Take payment back
      </Button>
      <TypingModal opened={asked !== null} onClose={close} title="Take payment back">
        <ReasonForm
          maxLength={limitOf(takePaymentBack.body, 'reason')}
          confirmLabel="Take payment back"
          isDestructive
          isRunning={takeBack.isRunning}
          onConfirm={(reason) =>
            asked !== null && takeBack.run({ params: { id: stipend.id }, body: { version: asked, reason } })
          }
          onClose={close}
        >
          The payment to {stipend.participantName} that was recorded last no longer counts, and is due again. The ledger
          keeps both lines, and we tell the participant.
        </ReasonForm>
      </TypingModal>
    </>
  );
}
