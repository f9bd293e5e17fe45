import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { formatCents } from '#contract/money.ts';
import { markStipendPaid } from '#contract/payments.ts';
import type { StipendRow } from '#contract/stipends.ts';
import { WholeLine } from '../../ui/LongText.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { payeeInWords } from './StipendPayee.tsx';
import { usePaymentAct } from './use-payment-act.ts';

interface MarkPaidProps {
  stipend: Pick<StipendRow, 'id' | 'version' | 'participantName' | 'dueCents'> &
    Partial<Pick<StipendRow, 'participantEmail' | 'payee'>>;
}

/** This moves no money. An admin records that it was moved. */
export function MarkPaid({ stipend }: MarkPaidProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Mark paid: ${stipend.participantName}`}
        onClick={() => setIsOpen(true)}
      >
        Mark paid
      </Button>
      <TypingModal opened={isOpen} onClose={() => setIsOpen(false)} title="Mark paid">
        <PaymentForm stipend={stipend} onClose={() => setIsOpen(false)} />
      </TypingModal>
    </>
  );
}

/** The note is about the stipend as it was when the dialog opened. The list below may have read a newer one since. */
function PaymentForm({ stipend: opened, onClose }: MarkPaidProps & { onClose: () => void }) {
  const [stipend] = useState(opened);
  const [dollars, setDollars] = useState(String(stipend.dueCents / 100));
  const [reference, setReference] = useState('');
  const [isTried, setTried] = useState(false);
  const amountField = useRef<HTMLInputElement>(null);
  const referenceField = useRef<HTMLInputElement>(null);
  const mark = usePaymentAct(markStipendPaid, 'Stipend Marked Paid', onClose);
  const amountCents = Math.round(Number(dollars) * 100);
  const isOfNothing = stipend.dueCents === 0;
  const isAmount =
    dollars.trim() !== '' && Number.isFinite(amountCents) && (amountCents > 0 || (isOfNothing && amountCents === 0));
  const isNamed = reference.trim() !== '';
  const save = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isAmount) return amountField.current?.focus();
    if (!isNamed) return referenceField.current?.focus();
    mark.run({ params: { id: stipend.id }, body: { version: stipend.version, amountCents, reference } });
  };
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="md">
        <Text>
          Note what was paid to {stipend.participantName}; {formatCents(stipend.dueCents)} is owed.
        </Text>
        {stipend.payee?.isOutdated ? (
          <Text size="sm" c="var(--status-warning)">
            Approved as{' '}
            {payeeInWords(stipend.payee, {
              name: stipend.participantName,
              email: stipend.participantEmail ?? stipend.payee.email,
            })}
          </Text>
        ) : null}
        <TextInput
          ref={amountField}
          label="Amount"
          type="number"
          min={0}
          step="any"
          inputMode="decimal"
          leftSection="$"
          required
          error={isAmount ? null : `Please give an amount ${isOfNothing ? 'of 0 or more' : 'above 0'}.`}
          errorProps={{ role: 'alert' }}
          value={dollars}
          onChange={({ currentTarget }) => setDollars(currentTarget.value)}
        />
        <WholeLine
          ref={referenceField}
          label="Reference"
          description="As the payment system names the payment, or the number of the cheque"
          required
          maxLength={limitOf(markStipendPaid.body, 'reference')}
          data-autofocus
          error={isTried && !isNamed ? 'Please name the payment.' : null}
          errorProps={{ role: 'alert' }}
          value={reference}
          onChange={({ currentTarget }) => setReference(currentTarget.value)}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={mark.isRunning}>
            Mark paid
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
