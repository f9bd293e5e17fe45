import { type Act, judge, type Model, splitByObject } from './linearizability.ts';

/** The search for a shorter one gives up sooner than the verdict. What it cannot decide stays. */
const stepsWhileShortening = 100_000;

export interface Contradiction<Call> {
  object: string;
  /** No order explains these. */
  acts: Act<Call>[];
  /** How many more acts this object had until then. Whichever of them took effect, and when, `acts` stay unexplained. */
  others: number;
}

/**
 * The shortest contradiction that it finds among the objects, or null if there is none. Throws if the search for an
 * order is too long.
 */
export function findContradiction<Call, State>(
  model: Model<Call, State>,
  acts: Act<Call>[],
): Contradiction<Call> | null {
  const found = [...splitByObject(model, acts)].flatMap(([object, own]) => {
    const judgement = judge(model, own);
    if (judgement.verdict === 'undecided') throw new Error(`${object}: ${own.length} acts have too many orders.`);
    return judgement.verdict === 'contradiction' ? [{ object, ...shorten(model, own, judgement.at) }] : [];
  });
  return found.toSorted((one, other) => one.acts.length - other.acts.length)[0] ?? null;
}

/**
 * Keeps only the acts without which the rest can be explained, of those until the return that nothing explains. What
 * is left out becomes optional, so it may still explain the rest.
 */
function shorten<Call, State>(model: Model<Call, State>, acts: Act<Call>[], at: number) {
  const until = acts.filter(({ calledAt }) => calledAt <= at);
  const tries = [until, until.toReversed()].map((order) => leaveOut(model, until, order, at));
  const [optional] = tries.toSorted((one, other) => other.size - one.size);
  const kept = until.filter((act) => act.answer !== null && !optional?.has(act));
  return { acts: kept, others: until.length - kept.length };
}

/** The acts that can be optional, all together, without explaining the rest. They are tried in this order. */
function leaveOut<Call, State>(model: Model<Call, State>, acts: Act<Call>[], order: Act<Call>[], at: number) {
  const optional = new Set(acts.filter(({ returnedAt }) => returnedAt > at));
  for (const act of order) {
    if (optional.has(act)) continue;
    optional.add(act);
    const { verdict } = judge(model, acts, { optional, steps: stepsWhileShortening });
    if (verdict !== 'contradiction') optional.delete(act);
  }
  return optional;
}

/** One line an act, in the order of the calls, with milliseconds since the first of them. */
export function printContradiction<Call>(
  { say }: Pick<Model<Call, unknown>, 'say'>,
  { object, acts, others }: Contradiction<Call>,
): string {
  const inOrder = acts.toSorted((one, other) => one.calledAt - other.calledAt);
  const start = inOrder[0]?.calledAt ?? 0;
  const time = (instant: number) => (instant - start).toFixed(1).padStart(9);
  const lines = inOrder.map(
    ({ client, call, answer, calledAt, returnedAt }) =>
      `${time(calledAt)} ms to ${time(returnedAt)} ms  ${client}: ${say(call)} -> ${answer}`,
  );
  return [
    `${object}: no order of these acts gives these answers.`,
    ...lines,
    `It had ${others} more acts until then. Whichever of them took effect, and when, they do not explain it.`,
  ].join('\n');
}
