import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { formatCents } from '#contract/money.ts';
import { handOverWeek, listStipends, readStipend, type SeenRows } from '#contract/stipends.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { showToast } from '../../ui/toast.tsx';

/** HOOK-01, HOOK-07 to HOOK-10; what the receiver has and did not pay is sent again only when that is confirmed. */
export function SendStipends({ week, cohortId }: { week: number; cohortId: string | undefined }) {
  const [sentAlready, setSentAlready] = useState<SeenRows | null>(null);
  const send = useAction(handOverWeek, {
    refreshes: [listStipends, readStipend],
    failureTitle: 'Webhook Failed',
    onSuccess: (reply) => {
      setSentAlready(null);
      if (reply.heldBack > 0) tellOfHeldBack(reply.heldBack);
      if (reply.ofDeleted > 0) tellOfDeleted(reply.ofDeleted);
      if (reply.own > 0) tellOfOwn();
      if (reply.status === 'nothing_to_send') {
        void findSent(week, cohortId).then(
          (sent) => {
            if (sent.count > 0) setSentAlready(sent);
            else if (reply.heldBack + reply.ofDeleted + reply.own === 0) warnOfNoApproved();
          },
          (error: unknown) => showToast({ type: 'error', title: 'Webhook Failed', message: messageOf(error) }),
        );
      } else showOutcome(reply);
    },
    onError: () => setSentAlready(null),
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
        isOpen={sentAlready !== null}
        title="Sent already"
        confirmLabel="Send all again"
        isRunning={send.isRunning}
        onConfirm={() => {
          if (sentAlready) send.run({ body: { weekNumber: week, cohortId, again: true, seen: sentAlready } });
        }}
        onClose={() => setSentAlready(null)}
      >
        The payment system has accepted the {sentAlready?.count} approved stipends of Week {week} already,{' '}
        {formatCents(sentAlready?.totalCents ?? 0)} in all, and has not confirmed their payment. It may pay what it gets
        twice. Send them again?
      </ConfirmDialog>
    </>
  );
}

async function findSent(week: number, cohort: string | undefined): Promise<SeenRows> {
  const { summary } = await call(listStipends, { query: { week, cohort } });
  if (!summary) throw new Error('The figures of this week could not be read. Please try again.');
  return summary.sentUnpaid;
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
  } else if (status === 'busy') {
    showToast({ type: 'info', title: 'Being Sent', message: error });
  } else if (status === 'recalled') {
    showToast({ type: 'warning', title: 'Batch Taken Back', message: error });
  } else showToast({ type: 'error', title: 'Webhook Failed', message: error });
}

function tellOfHeldBack(heldBack: number): void {
  showToast({
    type: 'warning',
    title: 'Amounts to Approve',
    message: `${heldBack} ${heldBack === 1 ? 'stipend was' : 'stipends were'} left out: another admin has to approve the new amount first.`,
  });
}

function tellOfDeleted(count: number): void {
  showToast({
    type: 'warning',
    title: 'Deleted Participants',
    message: `${count === 1 ? '1 stipend of a deleted participant was' : `${count} stipends of deleted participants were`} left out. Mark as paid what you pay in another way.`,
  });
}

function tellOfOwn(): void {
  showToast({
    type: 'warning',
    title: 'Your Own Stipend',
    message: 'Your own stipend was left out. Another admin has to send it.',
  });
}

function warnOfNoApproved(): void {
  showToast({
    type: 'warning',
    title: 'No Approved Stipends',
    message: 'No approved stipends found for this week',
  });
}
