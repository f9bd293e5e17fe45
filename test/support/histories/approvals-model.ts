import type { Model } from './linearizability.ts';

export type ApprovalsCall = { stipend: string; admin: string } & (
  | { act: 'see' }
  | { act: 'approve' | 'deny' | 'approve amount'; version: number }
  | { act: 'set amount'; version: number; cents: number }
);

export interface Stipend {
  status: string;
  version: number;
  cents: number;
  /** Who approved it first, if two have to. */
  first: string | null;
  /** Who set the amount, until somebody else approves it. */
  setter: string | null;
}

interface Rules {
  needsTwo(stipend: string): boolean;
  /** What a stipend is before any act. */
  initial: Pick<Stipend, 'version' | 'cents'>;
}

/** All amounts of a history must be usual ones. */
export function approvalsModel({ needsTwo, initial }: Rules): Model<ApprovalsCall, Stipend> {
  return {
    objectOf: ({ stipend }) => stipend,
    initial: () => ({ status: 'pending', ...initial, first: null, setter: null }),
    run: (state, { call }) => {
      if (call.act === 'see') return [{ answer: seen(state), state }];
      const after = outcome(state, call, needsTwo(call.stipend));
      if (typeof after === 'string') return [{ answer: after, state }];
      return [{ answer: seen(after), state: after }];
    },
    say: (call) =>
      `${call.admin}: ${call.act}${'version' in call ? ` version ${call.version}` : ''}${'cents' in call ? ` to ${call.cents} cents` : ''}`,
  };
}

/** What a reply shows of it. The first approval shows while the second is to come. */
export function seen({ status, version, cents, first }: Omit<Stipend, 'setter'>): string {
  const isWaiting = status === 'pending' && first !== null;
  return `${status}, version ${version}, ${cents} cents${isWaiting ? `, first approved by ${first}` : ''}`;
}

/** The stipend after the act, or the code of the refusal. */
function outcome(
  state: Stipend,
  call: Exclude<ApprovalsCall, { act: 'see' }>,
  needsTwo: boolean,
): Stipend | 'stale' | 'conflict' {
  if (call.version !== state.version) return 'stale';
  const next = { ...state, version: state.version + 1 };
  const { admin } = call;
  const isPending = state.status === 'pending';
  if (call.act === 'set amount') {
    if (call.cents === state.cents) return state;
    return { ...next, cents: call.cents, setter: admin, first: isPending ? null : state.first };
  }
  if (call.act === 'approve amount') {
    if (state.status !== 'approved' || state.setter === null || !needsTwo) return 'stale';
    return state.setter === admin ? 'conflict' : { ...next, setter: null };
  }
  if (!isPending) return 'stale';
  if (call.act === 'deny') return { ...next, status: 'denied' };
  if (needsTwo && state.first === null) return { ...next, first: admin };
  if (needsTwo && (state.first === admin || state.setter === admin)) return 'conflict';
  return { ...next, status: 'approved', setter: state.setter === admin ? admin : null };
}
