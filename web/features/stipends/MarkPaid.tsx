import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { formatCents } from '#contract/money.ts';
import { listReconciliation, markStipendPaid } from '#contract/stipend-payments.ts';
import { listStipends, readStipend } from '#contract/stipends.ts';
import { useAction } from '../../api/use-action.ts';

interface MarkPaidProps {
  stipend: { id: string; version: number; participantName: string; amountCents: number };
}

/** The money is not moved by it: an admin notes that it was. */
export function MarkPaid({ stipend }: MarkPaidProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [reference, setReference] = useState('');
  const mark = useAction(markStipendPaid, {
    refreshes: [listStipends, readStipend, listReconciliation],
    success: 'Stipend Marked Paid',
    failureTitle: 'Update Failed',
    onSuccess: () => setIsOpen(false),
    onError: () => setIsOpen(false),
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    mark.run({ params: { id: stipend.id }, body: { version: stipend.version, reference: reference || undefined } });
  };
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
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="Mark paid">
        <form onSubmit={save}>
          <Stack gap="md">
            <Text>
              Note that {formatCents(stipend.amountCents)} were paid to {stipend.participantName}? This can not be taken
              back.
            </Text>
            <TextInput
              label="Reference"
              description="Of the payment, if there is one"
              maxLength={200}
              data-autofocus
              value={reference}
              onChange={({ currentTarget }) => setReference(currentTarget.value)}
            />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={() => setIsOpen(false)}>
                Cancel
              </Button>
              <Button type="submit" loading={mark.isRunning}>
                Mark paid
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
