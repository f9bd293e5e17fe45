import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { listReconciliation, recallHandover } from '#contract/stipend-payments.ts';
import { listStipends, readStipend } from '#contract/stipends.ts';
import { useAction } from '../../api/use-action.ts';

/** For a receiver that will never answer; one that did not answer may have it all the same. */
export function RecallHandover({ handoverId }: { handoverId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState('');
  const recall = useAction(recallHandover, {
    refreshes: [listReconciliation, listStipends, readStipend],
    success: ({ recalled }) => ({ title: 'Batch Recalled', message: `${recalled} stipends can be sent anew` }),
    failureTitle: 'Recall Failed',
    onSuccess: () => setIsOpen(false),
    onError: () => setIsOpen(false),
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim()) recall.run({ params: { id: handoverId }, body: { reason } });
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
        Recall batch
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="Recall batch">
        <form onSubmit={save}>
          <Stack gap="md">
            <Text>
              The whole batch is not tried again, and its stipends can be sent anew or marked as paid. A receiver that
              did not answer may have paid it: ask there first.
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
              <Button variant="default" onClick={() => setIsOpen(false)}>
                Cancel
              </Button>
              <Button type="submit" color="red.9" loading={recall.isRunning} disabled={!reason.trim()}>
                Recall batch
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
