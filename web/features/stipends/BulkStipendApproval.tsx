import { Button } from '@mantine/core';
import { useState } from 'react';
import { approveWeek, listStipends, readStipend } from '#contract/stipends.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { showToast } from '../../ui/toast.tsx';

interface BulkStipendApprovalProps {
  week: number;
  /** Eligible, pending rows of the week; null until they are known. */
  pending: number | null;
}

/** STIP-41 to STIP-44 */
export function BulkStipendApproval({ week, pending }: BulkStipendApprovalProps) {
  const [isAsking, setIsAsking] = useState(false);
  const approve = useAction(approveWeek, {
    refreshes: [listStipends, readStipend],
    failureTitle: 'Bulk Approval Failed',
    onSuccess: ({ approved }) => {
      setIsAsking(false);
      if (approved === 0) warnOfNoEligible();
      else
        showToast({
          type: 'success',
          title: 'Bulk Approval Complete',
          message: `${approved} stipends approved successfully`,
        });
    },
    onError: () => setIsAsking(false),
  });
  return (
    <>
      <Button disabled={pending === null} onClick={() => (pending ? setIsAsking(true) : warnOfNoEligible())}>
        Bulk Approve Eligible
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title="Bulk Approve Eligible"
        confirmLabel={`Approve ${pending} stipends`}
        isRunning={approve.isRunning}
        onConfirm={() => approve.run({ body: { weekNumber: week } })}
        onClose={() => setIsAsking(false)}
      >
        Approve {pending} eligible stipends for Week {week}?
      </ConfirmDialog>
    </>
  );
}

function warnOfNoEligible(): void {
  showToast({
    type: 'warning',
    title: 'No Eligible Stipends',
    message: 'No eligible stipends found for bulk approval',
  });
}
