import type { StipendRow } from '#contract/stipends.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

export const paymentWords: Record<StipendRow['paymentStatus'], { label: string; tone: Tone }> = {
  pending: { label: 'Pending', tone: 'warning' },
  approved: { label: 'Approved', tone: 'success' },
  paid: { label: 'Paid', tone: 'success' },
  denied: { label: 'Denied', tone: 'danger' },
};

export const handoverWords: Record<NonNullable<StipendRow['handover']>, string> = {
  queued: 'Waiting to be sent',
  sent: 'Sent to the payment system',
  failed: 'Sending failed, will be tried again',
  given_up: 'Sending was given up',
};
