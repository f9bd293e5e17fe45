import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { listReconciliation, takePaymentBack } from '#contract/stipend-payments.ts';
import { listStipends, readStipend } from '#contract/stipends.ts';
import { useAction } from '../../api/use-action.ts';

interface TakePaymentBackProps {
  stipend: { id: string; version: number; participantName: string };
}

/** For a payment that an admin noted by mistake. */
export function TakePaymentBack({ stipend }: TakePaymentBackProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState('');
  const close = () => {
    setIsOpen(false);
    setReason('');
  };
  const takeBack = useAction(takePaymentBack, {
    refreshes: [listStipends, readStipend, listReconciliation],
    success: 'Payment Taken Back',
    failureTitle: 'Update Failed',
    onSuccess: close,
    onError: close,
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim()) takeBack.run({ params: { id: stipend.id }, body: { version: stipend.version, reason } });
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Take payment back: ${stipend.participantName}`}
        onClick={() => setIsOpen(true)}
      >
        Take payment back
      </Button>
      <Modal opened={isOpen} onClose={close} title="Take payment back">
        <form onSubmit={save}>
          <Stack gap="md">
            <Text style={{ overflowWrap: 'anywhere' }}>
              The payment to {stipend.participantName} that was noted last counts as not made, and is to be paid again.
              The ledger keeps both lines, and the participant is told.
            </Text>
            <Textarea
              label="Reason"
              required
              maxLength={500}
              autosize
              minRows={2}
              data-autofocus
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" color="red.9" loading={takeBack.isRunning} disabled={!reason.trim()}>
                Take payment back
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
