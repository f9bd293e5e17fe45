import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { formatCents } from '#contract/money.ts';
import { approveWeek, type SeenRows } from '#contract/stipends.ts';
import { ApiError } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { counted } from '../../ui/counted.ts';
import { showToast } from '../../ui/toast.tsx';

interface BulkStipendApprovalProps {
  week: number;
  /** What the week is called. */
  title: string;
  cohortId: string | undefined;
  /** The week's eligible, pending rows as the admin saw them. Null until they are known. */
  pending: SeenRows | null;
}

/** STIP-41 to STIP-44 */
export function BulkStipendApproval({ week, title, cohortId, pending }: BulkStipendApprovalProps) {
  /** The rows that were seen when the question was asked. The server notices what changed since. */
  const [asked, setAsked] = useState<SeenRows | null>(null);
  /** The week has changed since the question was asked. The dialog shows its present figures. */
  const [hasChanged, setChanged] = useState(false);
  const shown = hasChanged ? pending : asked;
  const none = pending?.count === 0;
  const approve = useAction(approveWeek, {
    failureTitle: 'Bulk Approval Failed',
    onSuccess: ({ approved, firstApproved, skipped, own }) => {
      setAsked(null);
      if (firstApproved + skipped + own > 0) tellOfOthers({ approved, firstApproved, skipped, own });
      else if (approved === 0) warnOfNoEligible();
      else
        showToast({
          type: 'success',
          title: 'Bulk Approval Complete',
          message: `${approved.toLocaleString('en-US')} stipends approved successfully`,
        });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'stale') setChanged(true);
      else setAsked(null);
    },
  });
  return (
    <>
      <Button
        disabled={pending === null}
        // The button looks disabled, but still says why when it is pressed (STIP-44).
        data-disabled={none || undefined}
        aria-disabled={none || undefined}
        onClick={() => {
          if (!pending?.count) return warnOfNoEligible();
          setChanged(false);
          setAsked(pending);
        }}
      >
        Bulk Approve Eligible
      </Button>
      <ConfirmDialog
        isOpen={asked !== null}
        title="Bulk Approve Eligible"
        confirmLabel={`Approve ${stipendsOf(shown)}, ${formatCents(shown?.totalCents ?? 0)}`}
        isRunning={approve.isRunning}
        onConfirm={() => shown && approve.run({ body: { weekNumber: week, cohortId, seen: shown } })}
        onClose={() => setAsked(null)}
      >
        <Stack gap="sm">
          {hasChanged ? (
            <Text role="status" fw={550} c="var(--status-warning)">
              The figures have changed since you looked. These are the new ones.
            </Text>
          ) : null}
          <Text>
            Approve {(shown?.count ?? 0).toLocaleString('en-US')} eligible stipends for {title}?
          </Text>
          <Text>{formatCents(shown?.totalCents ?? 0)} total.</Text>
          <Text role="status" size="sm" c="dimmed">
            {approve.isRunning ? `Approving ${stipendsOf(shown)}. This can take some seconds.` : ''}
          </Text>
        </Stack>
      </ConfirmDialog>
    </>
  );
}

function stipendsOf(rows: SeenRows | null): string {
  return counted(rows?.count ?? 0, 'stipend');
}

function tellOfOthers({ approved, firstApproved, skipped, own }: ResponseOf<typeof approveWeek>): void {
  const parts = [
    `${approved.toLocaleString('en-US')} stipends approved successfully`,
    ...(firstApproved > 0 ? [`${firstApproved.toLocaleString('en-US')} wait for a second approver`] : []),
    ...(skipped > 0 ? [`${skipped.toLocaleString('en-US')} are left to another admin`] : []),
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
