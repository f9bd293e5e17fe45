import { formatCents } from '#contract/money.ts';
import { periodName, startOfSentence } from '#contract/pay-periods.ts';
import type { Happened, HistoryPart } from '#contract/people.ts';
import { submissionStatusLabels } from '#contract/submissions.ts';
import { paths } from '../../app/paths.ts';
import { formatDateTime, formatDay, formatTime } from '../../ui/dates.ts';

export const partNames: Record<HistoryPart, string> = {
  learning: 'Learning',
  coaching: 'Coaching',
  pay: 'Pay',
  notices: 'Notices',
  account: 'Account',
};

/** The part of the history that a line belongs to. */
export function partOf({ kind }: Happened): HistoryPart {
  return partOfKind[kind];
}

const partOfKind: Record<Happened['kind'], HistoryPart> = {
  account_made: 'account',
  invited: 'account',
  invitation_accepted: 'account',
  joined: 'account',
  left: 'account',
  attended: 'learning',
  handed_in: 'learning',
  reviewed: 'learning',
  module_completed: 'learning',
  session: 'coaching',
  rated: 'coaching',
  approved: 'pay',
  denied: 'pay',
  amount_changed: 'pay',
  paid: 'pay',
  payment_taken_back: 'pay',
  notice: 'notices',
};

interface Told {
  title: string;
  note?: string | undefined;
  /** Leads to what the line is about. */
  to?: string;
}

const sessionWords: Record<string, string> = {
  scheduled: 'Session with',
  completed: 'Met',
  cancelled: 'Cancelled a session with',
  no_show: 'Did not come to a session with',
};

/** With the instant that the line stands under, the words leave out its day. */
export function historyInWords(happened: Happened, at?: string): Told {
  switch (happened.kind) {
    case 'account_made':
      return { title: 'Account created' };
    case 'invited':
      return { title: 'Invitation sent' };
    case 'invitation_accepted':
      return { title: 'Accepted the invitation' };
    case 'joined':
      return { title: `Joined ${happened.cohort}` };
    case 'left':
      return { title: happened.hasCompleted ? `Completed ${happened.cohort}` : `Left ${happened.cohort}` };
    case 'attended':
      return {
        title: `Attended ${happened.activity.title}`,
        note: by('Recorded by', happened.recordedBy),
        to: paths.activity(happened.activity.id),
      };
    case 'handed_in':
      return {
        title: `Handed in ${happened.assignment.title}`,
        note: happened.round > 1 ? `Round ${happened.round}` : undefined,
        to: paths.assignment(happened.assignment.id),
      };
    case 'reviewed':
      return {
        title: `${submissionStatusLabels[happened.status]}: ${happened.assignment.title}`,
        note: by('Reviewed by', happened.reviewedBy),
        to: paths.assignment(happened.assignment.id),
      };
    case 'module_completed':
      return { title: `Completed the module ${happened.module}`, note: by('Set by', happened.setBy) };
    case 'session':
      return { title: `${sessionWords[happened.status] ?? 'Session with'} ${happened.coach}` };
    case 'rated':
      return {
        title: `Rated ${happened.rating.toFixed(1)} for ${periodName(happened)}`,
        note: by('By', happened.ratedBy),
      };
    case 'notice':
      return { title: `Notice: ${happened.title}`, note: delivered(happened, at) };
    default:
      return payInWords(happened);
  }
}

type Pay = Extract<Happened, { kind: 'approved' | 'denied' | 'amount_changed' | 'paid' | 'payment_taken_back' }>;

function payInWords(happened: Pay): Told {
  const period = startOfSentence(periodName(happened));
  if (happened.kind === 'denied') return { title: `${period} denied`, note: happened.reason ?? undefined };
  const amount = formatCents(happened.amountCents);
  switch (happened.kind) {
    case 'approved':
      return { title: `${period} approved: ${amount}` };
    case 'amount_changed':
      return { title: `${period}: amount changed to ${amount}` };
    case 'paid':
      return { title: `${period} paid: ${amount}` };
    case 'payment_taken_back':
      return { title: `${period}: payment of ${amount} taken back` };
  }
}

function delivered({ readAt, isBounced }: Extract<Happened, { kind: 'notice' }>, at: string | undefined): string {
  const isSameDay = at !== undefined && dayOf(readAt) === dayOf(at);
  const read = readAt ? `Read ${isSameDay ? formatTime(readAt) : formatDateTime(readAt)}` : 'Not read yet';
  return isBounced ? `${read}. A message about it could not be delivered` : read;
}

function dayOf(at: string | null): string {
  return formatDay(at, { withYear: true });
}

function by(words: string, name: string | null): string | undefined {
  return name ? `${words} ${name}` : undefined;
}
