import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findContradiction, printContradiction } from './support/histories/contradictions.ts';
import { type Act, judge, type Model } from './support/histories/linearizability.ts';

type Call = { register: string } & (
  | { do: 'write'; value: number }
  | { do: 'read' }
  | { do: 'swap'; from: number; to: number }
);

/** A register that starts at 0. A swap is refused if it holds another value than the one it expects. */
const registers: Model<Call, number> = {
  objectOf: ({ register }) => register,
  initial: () => 0,
  run: (state, { call }) => {
    if (call.do === 'read') return [{ answer: String(state), state }];
    if (call.do === 'write') return [{ answer: 'ok', state: call.value }];
    return [call.from === state ? { answer: 'ok', state: call.to } : { answer: 'refused', state }];
  },
  say: (call) => JSON.stringify(call),
};

const never = Number.POSITIVE_INFINITY;
const write = (value: number, register = 'a'): Call => ({ register, do: 'write', value });
const read: Call = { register: 'a', do: 'read' };
const swap = (from: number, to: number): Call => ({ register: 'a', do: 'swap', from, to });

type Row = [calledAt: number, returnedAt: number, call: Call, answer: string | number | null];
function history(...rows: Row[]): Act<Call>[] {
  return rows.map(([calledAt, returnedAt, call, answer], index) => ({
    client: `client ${index + 1}`,
    call,
    answer: answer === null ? null : String(answer),
    calledAt,
    returnedAt,
  }));
}

describe('what can be explained', () => {
  test.each<[string, Row[]]>([
    ['nothing at all', []],
    [
      'one act after the other',
      [
        [0, 1, write(1), 'ok'],
        [2, 3, read, 1],
        [4, 5, swap(1, 2), 'ok'],
        [6, 7, read, 2],
      ],
    ],
    [
      'a read during a write that sees it',
      [
        [0, 9, write(1), 'ok'],
        [1, 2, read, 1],
      ],
    ],
    [
      'a read during a write that does not see it',
      [
        [0, 9, write(1), 'ok'],
        [1, 2, read, 0],
      ],
    ],
    [
      'two writes at once, of which either is the last',
      [
        [0, 9, write(1), 'ok'],
        [0, 9, write(2), 'ok'],
        [10, 11, read, 1],
      ],
    ],
    [
      'a write of what is there already, which is needed after a cut one',
      [
        [0, 0, swap(0, 0), 'refused'],
        [0, never, write(1), null],
        [1, 1, swap(0, 0), 'ok'],
        [0, 0, write(0), 'ok'],
      ],
    ],
    [
      'a call at the instant of a return',
      [
        [0, 5, write(1), 'ok'],
        [5, 6, read, 0],
      ],
    ],
    [
      'a chain of swaps that were called in reverse',
      [
        [0, 9, swap(2, 3), 'ok'],
        [1, 9, swap(1, 2), 'ok'],
        [2, 9, swap(0, 1), 'ok'],
      ],
    ],
    [
      'a cut write that took effect',
      [
        [0, never, write(1), null],
        [2, 3, read, 1],
      ],
    ],
    [
      'a cut write that never did',
      [
        [0, never, write(1), null],
        [2, 3, read, 0],
      ],
    ],
    [
      'a cut write that took effect late',
      [
        [0, never, write(1), null],
        [2, 3, read, 0],
        [4, 5, read, 1],
      ],
    ],
    [
      'cut swaps, of which one made the next possible',
      [
        [0, never, swap(1, 2), null],
        [0, never, swap(0, 1), null],
        [1, 2, read, 2],
      ],
    ],
  ])('%s', (_, rows) => {
    expect(judge(registers, history(...rows)).verdict).toBe('linearizable');
    expect(findContradiction(registers, history(...rows))).toBeNull();
  });
});

describe('what nothing explains, and the acts that show it', () => {
  test.each<[string, Row[], number[]]>([
    [
      'a read of what nobody wrote',
      [
        [0, 1, write(1), 'ok'],
        [2, 3, read, 7],
      ],
      [2],
    ],
    [
      'a write that is lost',
      [
        [0, 1, write(1), 'ok'],
        [2, 3, read, 0],
      ],
      [1, 2],
    ],
    [
      'a value that comes back',
      [
        [0, 9, write(1), 'ok'],
        [1, 2, read, 1],
        [3, 4, read, 0],
      ],
      [2, 3],
    ],
    [
      'two swaps that both won',
      [
        [0, 5, swap(0, 1), 'ok'],
        [1, 6, swap(0, 1), 'ok'],
      ],
      [1, 2],
    ],
    ['a refusal without a reason', [[0, 1, swap(0, 1), 'refused']], [1]],
    [
      'a cut write that is seen and then is not',
      [
        [0, never, write(1), null],
        [1, 2, read, 1],
        [3, 4, read, 0],
      ],
      [2, 3],
    ],
    [
      'a cut write that is seen before its call',
      [
        [0, 1, read, 1],
        [2, never, write(1), null],
      ],
      [1],
    ],
    [
      'reads of two clients that see two writes in different orders',
      [
        [0, 9, write(1), 'ok'],
        [0, 9, write(2), 'ok'],
        [10, 11, read, 1],
        [12, 13, read, 2],
      ],
      [3, 4],
    ],
  ])('%s', (_, rows, kept) => {
    const acts = history(...rows);
    expect(judge(registers, acts).verdict).toBe('contradiction');
    const shown = findContradiction(registers, acts)?.acts.map(({ client }) => client);
    expect(shown).toEqual(kept.map((place) => `client ${place}`));
  });
});

test('each object is judged alone, and the contradiction says which one it is', () => {
  const readOfB: Call = { register: 'b', do: 'read' };
  const acts = history(
    [0, 1, write(1), 'ok'],
    [2, 3, write(5, 'b'), 'ok'],
    [4.25, 6, readOfB, 5],
    [7, 9, readOfB, 0],
    [10, 11, read, 1],
  );
  const found = findContradiction(registers, acts);
  expect(found && printContradiction(registers, found).split('\n')).toEqual([
    'b: no order of these acts gives these answers.',
    '      0.0 ms to       1.8 ms  client 3: {"register":"b","do":"read"} -> 5',
    '      2.8 ms to       4.8 ms  client 4: {"register":"b","do":"read"} -> 0',
    'It had 1 more acts until then. Whichever of them took effect, and when, they do not explain it.',
  ]);
});

const values = fc.constantFrom(0, 1, 2);
const calls: fc.Arbitrary<Call> = fc.oneof(
  fc.constant(read),
  values.map((value) => write(value)),
  fc.tuple(values, values).map(([from, to]) => swap(from, to)),
);

test('says of any short history what trying every order says, and shows no act of a contradiction in vain', () => {
  const instants = fc.tuple(fc.nat(12), fc.nat(12)).map(([one, other]) => [Math.min(one, other), Math.max(one, other)]);
  const row = fc.record({ call: calls, instants, answer: fc.constantFrom('0', '1', '2', 'ok', 'refused', null) });
  const verdicts = new Map<string, number>();
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
      const acts = rows.map(({ call, instants: [calledAt = 0, returned = 0], answer }, index) => {
        const returnedAt = answer === null ? never : returned;
        return { client: `client ${index}`, call, answer, calledAt, returnedAt };
      });
      const { verdict } = judge(registers, acts);
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      expect(verdict).toBe(hasOrder(acts, 0) ? 'linearizable' : 'contradiction');
      const found = findContradiction(registers, acts);
      expect(found === null).toBe(verdict === 'linearizable');
      if (found) expect(judge(registers, found.acts).verdict).toBe('contradiction');
      for (const act of found?.acts ?? []) expect(isNeeded(act, found?.acts ?? [], acts)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  expect([...verdicts.keys()].toSorted()).toEqual(['contradiction', 'linearizable']);
});

/** True if the others that are shown can be explained, as far as it is optional whether it took effect. */
function isNeeded(act: Act<Call>, shown: Act<Call>[], acts: Act<Call>[]): boolean {
  const optional = new Set(acts.filter((one) => one === act || !shown.includes(one)));
  return judge(registers, acts, { optional }).verdict === 'linearizable';
}

/** Tries every order. */
function hasOrder(left: Act<Call>[], state: number): boolean {
  if (left.every(({ returnedAt }) => returnedAt === never)) return true;
  return left.some((act) => {
    const others = left.filter((other) => other !== act);
    if (others.some(({ returnedAt }) => returnedAt < act.calledAt)) return false;
    return registers
      .run(state, act)
      .some(({ answer, state: after }) => (act.answer ?? answer) === answer && hasOrder(others, after));
  });
}

describe('500 acts of eight clients on four registers, of which 40 are cut', () => {
  const acts = ['a', 'b', 'c', 'd'].flatMap((register) => happened(register, { count: 125, cut: 10 }));

  test('what real registers answered is explained', () => {
    expect(acts.filter(({ answer }) => answer === null)).toHaveLength(40);
    expect(findContradiction(registers, acts)).toBeNull();
  });

  test('one wrong answer among them is found, and shown by that act alone', () => {
    const place = acts.findLastIndex(({ call, answer }) => call.do === 'read' && answer !== null);
    const wrong = acts.with(place, { ...acts[place], answer: '7' } as Act<Call>);
    expect(findContradiction(registers, wrong)?.acts).toEqual([wrong[place]]);
  });
});

/** What clients at once asked of a register, and were told. Each act takes effect at a moment of its own. */
function happened(register: string, { count, cut }: { count: number; cut: number }): Act<Call>[] {
  const turn = fc.noBias(fc.record({ client: fc.nat(7), call: calls }));
  const open = new Map<number, Act<Call>>();
  const acts: Act<Call>[] = [];
  let state = 0;
  for (const [now, { client, call }] of fc.sample(turn, { seed: 5, numRuns: count * 8 }).entries()) {
    const act = open.get(client);
    if (!act) {
      const called = { client: `client ${client}`, call: { ...call, register }, calledAt: now };
      open.set(client, { ...called, answer: null, returnedAt: never });
    } else if (act.answer === null) {
      const [outcome] = registers.run(state, act);
      Object.assign(act, { answer: outcome?.answer, returnedAt: now });
      state = outcome?.state ?? state;
    } else {
      acts.push({ ...act, returnedAt: now });
      open.delete(client);
    }
    if (acts.length === count) break;
  }
  const each = Math.floor(count / cut);
  const isCut = (place: number) => place % each === 0 && place < cut * each;
  const answered = acts.map((act, place) => (isCut(place) ? { ...act, answer: null, returnedAt: never } : act));
  // These have perhaps taken effect.
  return [...answered, ...[...open.values()].map((act) => ({ ...act, answer: null, returnedAt: never }))].slice(
    0,
    count,
  );
}
