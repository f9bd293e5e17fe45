import { takeBackInMs } from '#contract/reviews.ts';
import type { Act, Model } from './linearizability.ts';

export type Outcome = 'accepted' | 'needs_revision' | 'rejected';

export type ClaimsCall = { submission: string; reviewer: string } & (
  | { act: 'claim' | 'release' | 'see' }
  | { act: 'review'; outcome: Outcome; review: string }
  /** The reviewer means this review of their own. */
  | { act: 'take back'; review: string }
);

export interface Work {
  status: 'submitted' | Outcome;
  /** Who has it open for review. */
  holder: string | null;
  /** The review that stands, and when it was asked for and answered. */
  review: { name: string; by: string; calledAt: number; returnedAt: number } | null;
}

/** A claim ends by itself after ten minutes. So a history of one submission must be shorter. */
export const claimsModel: Model<ClaimsCall, Work> = {
  objectOf: ({ submission }) => submission,
  initial: () => ({ status: 'submitted', holder: null, review: null }),
  run: (state, act) => {
    const { call } = act;
    if (call.act === 'see') return [{ answer: seen(state.status, state.holder), state }];
    if (call.act === 'claim') return [claim(state, call.reviewer)];
    if (call.act === 'review') return [review(state, { ...call, ...act })];
    if (call.act === 'take back') return takeBack(state, act, call);
    return [release(state, call.reviewer)];
  },
  say: (call) => `${call.reviewer}: ${call.act}${'review' in call ? ` ${call.review}` : ''}`,
};

export function seen(status: string, holder: string | null): string {
  return `${status}, ${holder ?? 'nobody'}`;
}

/** The first one has it, and everybody is told who that is. */
function claim(state: Work, reviewer: string) {
  if (state.status !== 'submitted') return { answer: 'stale', state };
  const holder = state.holder ?? reviewer;
  return { answer: holder, state: { ...state, holder } };
}

function release(state: Work, reviewer: string) {
  if (state.holder !== reviewer) return { answer: 'nothing', state };
  return { answer: 'released', state: { ...state, holder: null } };
}

function review(
  state: Work,
  given: { reviewer: string; outcome: Outcome; review: string } & Omit<Act<unknown>, 'call'>,
) {
  if (state.status !== 'submitted') return { answer: 'stale', state };
  if (state.holder !== null && state.holder !== given.reviewer) return { answer: 'conflict', state };
  const { review: name, reviewer: by, calledAt, returnedAt, outcome } = given;
  return { answer: 'ok', state: { status: outcome, holder: null, review: { name, by, calledAt, returnedAt } } };
}

/** For a minute after the review. What is asked about then may be in time or not. */
function takeBack(
  state: Work,
  act: Act<ClaimsCall>,
  { reviewer, review: meant }: { reviewer: string; review: string },
) {
  const { status, review: last } = state;
  if (status === 'submitted' || !last) return [{ answer: 'stale', state }];
  if (last.by !== reviewer) return [{ answer: 'forbidden', state }];
  const open: Work = { status: 'submitted', holder: null, review: null };
  const inTime = last.name === meant ? { answer: 'ok', state: open } : { answer: 'stale', state };
  return [
    ...(act.calledAt - last.returnedAt < takeBackInMs ? [inTime] : []),
    ...(act.returnedAt - last.calledAt >= takeBackInMs ? [{ answer: 'conflict', state }] : []),
  ];
}
