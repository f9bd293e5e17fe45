import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { formatCents } from '#contract/money.ts';
import { periodName } from '#contract/pay-periods.ts';
import { denyStipend, type StipendRow } from '#contract/stipends.ts';
import { ApiError } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';

interface DenyStipendProps {
  row: StipendRow;
  /** True while another decision of the row runs. */
  isDisabled: boolean;
  onRunning: (isRunning: boolean) => void;
}

/** STIP-38: asks for the reason, which the participant reads. The input stays until the row has changed. */
export function DenyStipend({ row, isDisabled, onRunning }: DenyStipendProps) {
  /** The version that the admin saw when the reason was asked for. */
  const [asked, setAsked] = useState<number | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setAsked(null);
    requestAnimationFrame(() => opener.current?.focus());
  };
  const deny = useAction(denyStipend, {
    success: 'Stipend Denied',
    failureTitle: 'Denial Failed',
    onSuccess: () => {
      onRunning(false);
      close();
    },
    onError: (error) => {
      onRunning(false);
      if (error instanceof ApiError && error.code === 'stale') close();
    },
  });
  return (
    <>
      <Button
        ref={opener}
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={`Deny ${row.participantName}`}
        disabled={isDisabled}
        onClick={() => setAsked(row.version)}
      >
        Deny
      </Button>
      {asked === null ? null : (
        <TypingModal opened onClose={close} title={`Deny ${periodName(row)} of ${row.participantName}`}>
          <ReasonForm
            maxLength={limitOf(denyStipend.body, 'reason')}
            description={`${row.participantName} reads this.`}
            confirmLabel={`Deny ${formatCents(row.amountCents)}`}
            isDestructive
            isRunning={deny.isRunning}
            onConfirm={(reason) => {
              onRunning(true);
              deny.run({ params: { id: row.id }, body: { version: asked, reason } });
            }}
            onClose={close}
          >
            A denied stipend is not paid. This cannot be undone.
          </ReasonForm>
        </TypingModal>
      )}
    </>
  );
}
