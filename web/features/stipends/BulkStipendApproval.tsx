import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { approveWeek, listStipends, readStipend, type SeenRows } from '#contract/stipends.ts';
import { refresh } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { showToast } from '../../ui/toast.tsx';

interface BulkStipendApprovalProps {
  week: number;
  cohortId: string | undefined;
  /** Eligible, pending rows of the week, as they were seen; null until they are known. */
  pending: SeenRows | null;
}

/** STIP-41 to STIP-44 */
export function BulkStipendApproval({ week, cohortId, pending }: BulkStipendApprovalProps) {
  /** What was seen when the question was asked: what changes below it is for the server to notice. */
  const [asked, setAsked] = useState<SeenRows | null>(null);
  const approve = useAction(approveWeek, {
    refreshes: [listStipends, readStipend],
    failureTitle: 'Bulk Approval Failed',
    onSuccess: ({ approved, firstApproved, skipped, own }) => {
      setAsked(null);
      if (firstApproved + skipped + own > 0) tellOfOthers({ approved, firstApproved, skipped, own });
      else if (approved === 0) warnOfNoEligible();
      else
        showToast({
          type: 'success',
          title: 'Bulk Approval Complete',
          message: `${approved} stipends approved successfully`,
        });
    },
    onError: () => {
      setAsked(null);
      void refresh([listStipends]);
    },
  });
  return (
    <>
      <Button disabled={pending === null} onClick={() => (pending?.count ? setAsked(pending) : warnOfNoEligible())}>
        Bulk Approve Eligible
      </Button>
      <ConfirmDialog
        isOpen={asked !== null}
        title="Bulk Approve Eligible"
        confirmLabel={`Approve ${asked?.count ?? 0} stipends`}
        isRunning={approve.isRunning}
        onConfirm={() => asked && approve.run({ body: { weekNumber: week, cohortId, seen: asked } })}
        onClose={() => setAsked(null)}
      >
        Approve {asked?.count ?? 0} eligible stipends for Week {week}?
      </ConfirmDialog>
    </>
  );
}

function tellOfOthers({ approved, firstApproved, skipped, own }: ResponseOf<typeof approveWeek>): void {
  const parts = [
    `${approved} stipends approved successfully`,
    ...(firstApproved > 0 ? [`${firstApproved} wait for a second approver`] : []),
    ...(skipped > 0 ? [`${skipped} are left to another admin`] : []),
    ...(own > 0 ? ['your own is left to another admin'] : []),
  ];
  showToast({ type: 'success', title: 'Bulk Approval Complete', message: parts.join('; ') });
}

function warnOfNoEligible(): void {
  showToast({
    type: 'warning',
    title: 'No Eligible Stipends',
    message: 'No eligible stipends found for bulk approval',
  });
}
