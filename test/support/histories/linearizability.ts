/** What one client asked for and was told. Times are milliseconds of one clock that never goes back. */
export interface Act<Call> {
  client: string;
  call: Call;
  /** Null if the answer was cut: it may have taken effect at any time after the call, or never. */
  answer: string | null;
  calledAt: number;
  /** Infinity if it was cut. */
  returnedAt: number;
}

/** How one object behaves if acts come one at a time. States are plain data: equal ones have equal JSON. */
export interface Model<Call, State> {
  /** Acts on different objects never concern each other, so each object is judged alone. */
  objectOf(call: Call): string;
  initial(object: string): State;
  /** Every answer that the act may give in this state, with the state after it. There are several if time decides. */
  run(state: State, act: Act<Call>): { answer: string; state: State }[];
  /** The call in one line, for people. */
  say(call: Call): string;
}

export type Judgement =
  | { verdict: 'linearizable' }
  /** The acts until that return are a contradiction already. */
  | { verdict: 'contradiction'; at: number }
  /** The search was given up. */
  | { verdict: 'undecided' };

interface Latitude<Call> {
  /** Acts that may have taken effect between call and return, and may not. What was cut is always optional. */
  optional?: Set<Act<Call>>;
  /** How many points the search visits at most. */
  steps?: number;
}

/** What may have taken effect of the acts that are under way, and the state that it led to. */
interface Point<State> {
  state: State;
  /** A bit for each certain act that has taken effect and not returned. */
  taken: bigint;
  /** A bit for each optional one. */
  used: bigint;
}

interface Open<Call> {
  act: Act<Call>;
  bit: bigint;
  isOptional: boolean;
}

const mostSteps = 1_000_000;

export function splitByObject<Call, State>(model: Model<Call, State>, acts: Act<Call>[]): Map<string, Act<Call>[]> {
  return Map.groupBy(acts, ({ call }) => model.objectOf(call));
}

/**
 * Looks for an order of the acts of one object, each between its call and its return, in which the model gives the
 * answers that were given. This is the search of Wing and Gong with memoised states, from return to return: what is
 * under way takes effect only when something that returns needs it.
 */
export function judge<Call, State>(
  model: Model<Call, State>,
  acts: Act<Call>[],
  { optional = new Set(), steps = mostSteps }: Latitude<Call> = {},
): Judgement {
  const open = new Set<Open<Call>>();
  const [first] = acts;
  let points: Point<State>[] = first ? [{ state: model.initial(model.objectOf(first.call)), taken: 0n, used: 0n }] : [];
  let left = steps;
  for (const { isCall, one } of eventsOf(acts, optional)) {
    if (isCall) {
      open.add(one);
      continue;
    }
    const closed = close(model, open, one, points, left);
    left -= closed.steps;
    if (left <= 0) return { verdict: 'undecided' };
    points = closed.points;
    if (points.length === 0) return { verdict: 'contradiction', at: one.act.returnedAt };
    open.delete(one);
  }
  return { verdict: 'linearizable' };
}

/** Calls and returns in the order of time. What was called at the instant of a return was under way together with it. */
function eventsOf<Call>(acts: Act<Call>[], optional: Set<Act<Call>>) {
  const events = acts.flatMap((act, place) => {
    const one: Open<Call> = { act, bit: 1n << BigInt(place), isOptional: act.answer === null || optional.has(act) };
    const returned = { at: act.returnedAt, isCall: false, one };
    return [{ at: act.calledAt, isCall: true, one }, ...(Number.isFinite(act.returnedAt) ? [returned] : [])];
  });
  return events.sort((one, other) => one.at - other.at || Number(other.isCall) - Number(one.isCall));
}

/** The points after an act has returned. Without any, nothing explains its answer. */
function close<Call, State>(
  model: Model<Call, State>,
  open: Set<Open<Call>>,
  closing: Open<Call>,
  points: Point<State>[],
  mostHere: number,
): { points: Point<State>[]; steps: number } {
  const seen = memory<State>();
  const kept = memory<State>();
  const waiting = [...points];
  let steps = 0;
  for (let point = waiting.pop(); point && steps <= mostHere; point = waiting.pop()) {
    if (!seen.add(point)) continue;
    steps += 1;
    const isDone = ((point.taken | point.used) & closing.bit) !== 0n;
    if (isDone || closing.isOptional) {
      kept.add({ ...point, taken: point.taken & ~closing.bit, used: point.used & ~closing.bit });
    }
    if (!isDone) for (const one of open) waiting.push(...after(model, point, one));
  }
  return { points: kept.all(), steps };
}

/** An optional act that changes nothing is as good as left out. */
function after<Call, State>(model: Model<Call, State>, point: Point<State>, { act, bit, isOptional }: Open<Call>) {
  const { state, taken, used } = point;
  if ((taken | used) & bit) return [];
  return outcomes(model, state, act)
    .filter((next) => !isOptional || !isSame(next, state))
    .map((next) => ({ state: next, taken: isOptional ? taken : taken | bit, used: isOptional ? used | bit : used }));
}

function outcomes<Call, State>(model: Model<Call, State>, state: State, act: Act<Call>): State[] {
  return model
    .run(state, act)
    .filter(({ answer }) => act.answer === null || act.answer === answer)
    .map((outcome) => outcome.state);
}

/** Keeps a point only if no other has the same state and certain acts, and no more optional ones. */
function memory<State>() {
  const known = new Map<string, Point<State>[]>();
  return {
    add: (point: Point<State>): boolean => {
      const key = `${point.taken} ${JSON.stringify(point.state)}`;
      const alike = known.get(key) ?? [];
      if (alike.some(({ used }) => (used & point.used) === used)) return false;
      known.set(key, [...alike.filter(({ used }) => (used & point.used) !== point.used), point]);
      return true;
    },
    all: () => [...known.values()].flat(),
  };
}

function isSame<State>(one: State, other: State): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
