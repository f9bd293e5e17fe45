import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { z } from 'zod';
import { formatCents } from '#contract/money.ts';
import { markStipendPaid } from '#contract/payments.ts';
import type { StipendRow } from '#contract/stipends.ts';
import { WholeLine } from '../../ui/LongText.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm, written } from '../../ui/use-form.ts';
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
  const form = useForm({ dollars: String(stipend.dueCents / 100), reference: '' });
  const { dollars } = form.draft;
  const mark = usePaymentAct(markStipendPaid, 'Stipend Marked Paid', onClose);
  const amountCents = Math.round(Number(dollars) * 100);
  const isOfNothing = stipend.dueCents === 0;
  const isAmount =
    dollars.trim() !== '' && Number.isFinite(amountCents) && (amountCents > 0 || (isOfNothing && amountCents === 0));
  const noAmount = `Please give an amount ${isOfNothing ? 'of 0 or more' : 'above 0'}.`;
  const schema = z.object({
    dollars: z.string().refine(() => isAmount, noAmount),
    reference: written('Please name the payment.'),
  });
  return (
    <form
      noValidate
      onSubmit={form.submit(schema, ({ reference }) =>
        mark.run({ params: { id: stipend.id }, body: { version: stipend.version, amountCents, reference } }),
      )}
    >
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
          label="Amount"
          type="number"
          min={0}
          step="any"
          inputMode="decimal"
          leftSection="$"
          required
          {...form.field('dollars')}
          error={isAmount ? null : noAmount}
          errorProps={{ role: 'alert' }}
        />
        <WholeLine
          label="Reference"
          description="The payment system's name for it, or the check number"
          required
          maxLength={limitOf(markStipendPaid.body, 'reference')}
          data-autofocus
          errorProps={{ role: 'alert' }}
          {...form.field('reference')}
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
