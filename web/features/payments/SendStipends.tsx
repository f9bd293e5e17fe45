import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { formatCents } from '#contract/money.ts';
import { handOverWeek, previewHandover } from '#contract/payments.ts';
import { listStipends, type SeenRows } from '#contract/stipends.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { counted } from '../../ui/counted.ts';
import { showToast } from '../../ui/toast.tsx';
import { payeeInWords } from './StipendPayee.tsx';

type Preview = ResponseOf<typeof previewHandover>;

interface SendStipendsProps {
  week: number;
  /** 'Week 5' */
  title: string;
  cohortId: string | undefined;
  /** The id of the words that say why nothing is sent now. */
  heldBackBy?: string | undefined;
}

/**
 * HOOK-01, HOOK-07 to HOOK-10: asks first. What the receiver has and did not pay goes again only after a confirmation.
 */
export function SendStipends({ week, title, cohortId, heldBackBy }: SendStipendsProps) {
  const [asked, setAsked] = useState<Preview | null>(null);
  const [sentAlready, setSentAlready] = useState<SeenRows | null>(null);
  const [isLooking, setLooking] = useState(false);
  const [hasChanged, setChanged] = useState(false);
  const close = () => {
    setAsked(null);
    setSentAlready(null);
  };
  const fail = (error: unknown) => showToast({ type: 'error', title: 'Webhook Failed', message: messageOf(error) });
  const look = async () => {
    setLooking(true);
    try {
      const preview = await call(previewHandover, { query: { week, cohort: cohortId } });
      if (preview.toSend.count > 0) return setAsked(preview);
      setAsked(null);
      const sent = await findSent(week, cohortId);
      if (sent.count > 0) setSentAlready(sent);
      else if (preview.heldBack + preview.ofDeleted + preview.own === 0) warnOfNoApproved();
      else tellOfLeftOut(preview);
    } catch (error) {
      fail(error);
    } finally {
      setLooking(false);
    }
  };
  const send = useAction(handOverWeek, {
    failureTitle: 'Webhook Failed',
    onSuccess: (reply) => {
      close();
      tellOfLeftOut(reply);
      if (reply.status !== 'nothing_to_send') showOutcome(reply);
    },
    onError: (error) => {
      setSentAlready(null);
      const isStale = error instanceof ApiError && error.code === 'stale';
      setChanged(isStale);
      if (isStale && asked) void look();
      else setAsked(null);
    },
  });
  const figures = asked ? `${countOf(asked.toSend.count)}, ${formatCents(asked.toSend.totalCents)}` : '';
  return (
    <>
      <Button
        variant="default"
        loading={isLooking || send.isRunning}
        disabled={heldBackBy !== undefined}
        aria-describedby={heldBackBy}
        onClick={() => {
          setChanged(false);
          void look();
        }}
      >
        Send to Webhook
      </Button>
      <ConfirmDialog
        isOpen={asked !== null}
        title="Send to Webhook"
        confirmLabel={`Send ${figures}`}
        isRunning={send.isRunning || isLooking}
        onConfirm={() => asked && send.run({ body: { weekNumber: week, cohortId, seen: asked.toSend } })}
        onClose={close}
      >
        {asked ? <ToSend preview={asked} title={title} hasChanged={hasChanged} /> : null}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={sentAlready !== null}
        title="Sent already"
        confirmLabel="Send all again"
        isRunning={send.isRunning}
        onConfirm={() => {
          if (sentAlready) send.run({ body: { weekNumber: week, cohortId, again: true, seen: sentAlready } });
        }}
        onClose={close}
      >
        The payment system has accepted the {sentAlready?.count.toLocaleString('en-US')} approved stipends of {title}{' '}
        already, {formatCents(sentAlready?.totalCents ?? 0)} total, and has not confirmed their payment. If you send
        them again, it may pay twice. Send them again?
      </ConfirmDialog>
    </>
  );
}

function countOf(count: number): string {
  return counted(count, 'stipend');
}

interface ToSendProps {
  preview: Preview;
  title: string;
  /** The rows have changed since the admin looked. */
  hasChanged: boolean;
}

function ToSend({
  preview: { toSend, cohorts, openBatches, outdatedPayees, ...leftOut },
  title,
  hasChanged,
}: ToSendProps) {
  const left = leftOut.heldBack + leftOut.ofDeleted + leftOut.own;
  return (
    <Stack gap="sm">
      {hasChanged ? (
        <Text role="status" fw={550} c="var(--status-warning)">
          The figures have changed since you looked. These are the new ones.
        </Text>
      ) : null}
      <Text>
        Send {countOf(toSend.count)} of {title}, {formatCents(toSend.totalCents)} total, to the payment system?
      </Text>
      <List size="sm" spacing={4}>
        {cohorts.map(({ name, count, totalCents }) => (
          <List.Item key={name}>
            {name}: {countOf(count)}, {formatCents(totalCents)}
          </List.Item>
        ))}
      </List>
      {openBatches > 0 ? (
        <Text size="sm">
          {openBatches === 1 ? '1 earlier batch is tried again.' : `${openBatches} earlier batches are tried again.`}
        </Text>
      ) : null}
      {outdatedPayees.count > 0 ? <OutdatedPayees payees={outdatedPayees} /> : null}
      {left > 0 ? (
        <Text size="sm" c="dimmed">
          {countOf(left)} left out: not to be sent by you, or waiting for another admin.
        </Text>
      ) : null}
    </Stack>
  );
}

/** They are sent as they were approved. Each row has the way to take over the new name and email. */
function OutdatedPayees({ payees: { count, first } }: { payees: Preview['outdatedPayees'] }) {
  return (
    <Alert color="yellow" title={`Name or email changed after approval: ${count.toLocaleString('en-US')}`}>
      <Text size="sm">
        {count === 1 ? 'It is' : 'They are'} sent as approved. To send the new name or email, cancel and choose 'Update'
        in the row.
      </Text>
      <List size="sm" spacing={4} mt={4}>
        {first.map(({ stipendId, approved, now }) => (
          <List.Item key={stipendId}>{payeeInWords(approved, now)}</List.Item>
        ))}
        {count > first.length ? <List.Item>{(count - first.length).toLocaleString('en-US')} more</List.Item> : null}
      </List>
    </Alert>
  );
}

function tellOfLeftOut({ heldBack, ofDeleted, own }: Pick<Preview, 'heldBack' | 'ofDeleted' | 'own'>): void {
  if (heldBack > 0) tellOfHeldBack(heldBack);
  if (ofDeleted > 0) tellOfDeleted(ofDeleted);
  if (own > 0) tellOfOwn();
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
      message: `Stipend data sent to webhook for ${recipients.toLocaleString('en-US')} participants`,
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
    message: `${heldBack.toLocaleString('en-US')} ${heldBack === 1 ? 'stipend was' : 'stipends were'} left out: another admin has to approve the new amount first.`,
  });
}

function tellOfDeleted(count: number): void {
  showToast({
    type: 'warning',
    title: 'Deleted Participants',
    message: `${count === 1 ? '1 stipend of a deleted participant was' : `${count.toLocaleString('en-US')} stipends of deleted participants were`} left out. Mark as paid what you pay in another way.`,
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
