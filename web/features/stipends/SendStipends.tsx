import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { handOverWeek, listStipends, readStipend } from '#contract/stipends.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { showToast } from '../../ui/toast.tsx';

/** HOOK-01, HOOK-07 to HOOK-10; rows that the receiver has already are sent again only when that is confirmed. */
export function SendStipends({ week, cohortId }: { week: number; cohortId: string | undefined }) {
  const [sentAlready, setSentAlready] = useState(0);
  const send = useAction(handOverWeek, {
    refreshes: [listStipends, readStipend],
    failureTitle: 'Webhook Failed',
    onSuccess: (reply) => {
      setSentAlready(0);
      if (reply.heldBack > 0) tellOfHeldBack(reply.heldBack);
      if (reply.status === 'nothing_to_send') {
        void countApproved(week, cohortId).then(
          (approved) => {
            if (approved > reply.heldBack) setSentAlready(approved - reply.heldBack);
            else if (reply.heldBack === 0) warnOfNoApproved();
          },
          (error: unknown) => showToast({ type: 'error', title: 'Webhook Failed', message: messageOf(error) }),
        );
      } else showOutcome(reply);
    },
    onError: () => setSentAlready(0),
  });
  return (
    <>
      <Button
        variant="default"
        loading={send.isRunning}
        onClick={() => send.run({ body: { weekNumber: week, cohortId } })}
      >
        Send to Webhook
      </Button>
      <ConfirmDialog
        isOpen={sentAlready > 0}
        title="Sent already"
        confirmLabel="Send all again"
        isRunning={send.isRunning}
        onConfirm={() => send.run({ body: { weekNumber: week, cohortId, again: true } })}
        onClose={() => setSentAlready(0)}
      >
        The payment system has accepted the {sentAlready} approved stipends of Week {week} already. Send them again?
      </ConfirmDialog>
    </>
  );
}

async function countApproved(week: number, cohort: string | undefined): Promise<number> {
  return (await call(listStipends, { query: { week, cohort, status: 'approved' } })).matching;
}

function showOutcome({ status, recipients, error }: ResponseOf<typeof handOverWeek>): void {
  if (status === 'sent') {
    showToast({
      type: 'success',
      title: 'Webhook Sent',
      message: `Stipend data sent to webhook for ${recipients} participants`,
    });
  } else if (status === 'queued') {
    showToast({ type: 'info', title: 'Webhook Queued', message: 'The rest is sent within a minute.' });
  } else showToast({ type: 'error', title: 'Webhook Failed', message: error });
}

function tellOfHeldBack(heldBack: number): void {
  showToast({
    type: 'warning',
    title: 'Amounts to Approve',
    message: `${heldBack} ${heldBack === 1 ? 'stipend was' : 'stipends were'} left out: another admin has to approve the new amount first.`,
  });
}

function warnOfNoApproved(): void {
  showToast({
    type: 'warning',
    title: 'No Approved Stipends',
    message: 'No approved stipends found for this week',
  });
}
