import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { listReconciliation, recallHandover } from '#contract/stipend-payments.ts';
import { listStipends, readStipend } from '#contract/stipends.ts';
import { refresh } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { ReasonForm } from '../../ui/ReasonForm.tsx';

const refreshes = [listReconciliation, listStipends, readStipend];

/** For a receiver that will never answer; one that did not answer may have it all the same. */
export function RecallHandover({ handoverId }: { handoverId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const recall = useAction(recallHandover, {
    refreshes,
    success: ({ recalled }) => ({ title: 'Batch Recalled', message: `${recalled} stipends can be sent anew` }),
    failureTitle: 'Recall Failed',
    onSuccess: close,
    onError: () => void refresh(refreshes),
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
        Recall batch
      </Button>
      <Modal opened={isOpen} onClose={close} title="Recall batch">
        <ReasonForm
          confirmLabel="Recall batch"
          isDestructive
          isRunning={recall.isRunning}
          onConfirm={(reason) => recall.run({ params: { id: handoverId }, body: { reason } })}
          onClose={close}
        >
          The whole batch is not tried again, and its stipends can be sent anew or marked as paid. A receiver that did
          not answer may have paid it: ask there first.
        </ReasonForm>
      </Modal>
    </>
  );
}
