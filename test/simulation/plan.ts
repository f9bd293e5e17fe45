import { numbersFrom, shuffled, weighted } from './random.ts';

/** How large the simulated term is. */
export interface Sizes {
  days: number;
  people: number;
}

/** What people do on any day, and how often each comes up beside the others. */
const anyDay = {
  handIn: 20,
  review: 20,
  message: 12,
  book: 14,
  moveSession: 4,
  withdrawSession: 4,
  cancelSession: 2,
  closeSession: 4,
  note: 4,
  upload: 3,
  excuse: 2,
  correctAttendance: 2,
  approve: 4,
  deny: 1,
  changeAmount: 2,
  approveAmount: 2,
  handOver: 3,
  confirm: 6,
  recall: 1,
  markPaid: 1,
  takePaymentBack: 1,
  createAdmin: 1,
};
/** What belongs to a day of the week. */
const ofWeekdays = ['offerTimes', 'attend', 'rate', 'processWeek', 'approveWeek', 'handOver'] as const;
export type ActName = keyof typeof anyDay | (typeof ofWeekdays)[number];

/** What goes wrong with one request. */
const stepFaults = {
  none: 81.4,
  /** The connection ends after the commit, and the answer never arrives. The person tries again. */
  cut: 5,
  /** The same, and the person does not try again. */
  cutForGood: 2,
  /** The process dies after a few more statements, wherever it is then. */
  killed: 1,
  /** The connection to the database ends in place of a commit. */
  commitFails: 2,
  /** Somebody else does the same at the other process at the same time. */
  doneTwice: 9,
};
export type StepFault = keyof typeof stepFaults;

/** What goes wrong while a turn's requests are on their way. */
const turnFaults = {
  none: 100,
  databaseKilled: 0.6,
  databaseFrozen: 0.8,
  clockBack: 2,
  clockAhead: 1,
  storageNotReady: 2,
  mailsFail: 2,
  receiverFails: 6,
  processStopped: 0.6,
};
export type TurnFault = keyof typeof turnFaults;

export interface Step {
  act: ActName;
  /** Shares from 0 to below 1, by which an act chooses who acts, upon what, and how. */
  who: number;
  what: number;
  how: number;
  fault: StepFault;
  /** At which of the two processes. */
  process: 0 | 1;
}

/** Steps of one turn are on their way at the same time. */
export interface Turn {
  minute: number;
  fault: TurnFault;
  steps: Step[];
}

const actsADay = 16;
const dayBegins = 8 * 60;
const dayEnds = 20 * 60;
export const peopleInCohort = 25;

/** Of the cohorts, each has its class on one day of the week. */
export function classDayOf(cohort: number): number {
  return cohort % 5;
}

export function cohortsOf({ people }: Pick<Sizes, 'people'>): number {
  return Math.max(2, Math.ceil(people / peopleInCohort));
}

/** The turns of a day, from the seed alone: what the product answers changes nothing about them. */
export function planDay(seed: number, day: number, sizes: Sizes): Turn[] {
  const next = numbersFrom(seed * 1_000 + day);
  const step = (act: ActName, who = next()): Step => ({
    ...{ act, who, what: next(), how: next() },
    fault: weighted(stepFaults, next()),
    process: next() < 0.5 ? 0 : 1,
  });
  const others = Array.from({ length: actsADay }, () => step(weighted(anyDay, next())));
  const steps = shuffled([...actsOfWeekday(day % 7, sizes, next).map(([act, who]) => step(act, who)), ...others], next);
  const turns: Turn[] = [];
  while (steps.length > 0) {
    turns.push({ minute: 0, fault: weighted(turnFaults, next()), steps: steps.splice(0, 1 + Math.floor(next() * 6)) });
  }
  const minutes = (dayEnds - dayBegins) / turns.length;
  return turns.map((turn, index) => ({ ...turn, minute: Math.round(dayBegins + index * minutes) }));
}

/** Monday is 0. `who` of a participant is their place among all. */
function actsOfWeekday(weekday: number, sizes: Sizes, next: () => number): [ActName, number][] {
  const cohorts = cohortsOf(sizes);
  const places = Array.from({ length: sizes.people }, (_, place) => place);
  const inClass = places.filter((place) => classDayOf(place % cohorts) === weekday && next() < 0.9);
  const acts: [ActName, number][] = inClass.map((place) => ['attend', place / sizes.people]);
  const eachCohort = (act: ActName) => {
    for (let cohort = 0; cohort < cohorts; cohort += 1) acts.push([act, cohort / cohorts]);
  };
  if (weekday === 0) for (let coach = 0; coach < 5; coach += 1) acts.push(['offerTimes', coach / 5]);
  if (weekday === 1) eachCohort('processWeek');
  if (weekday === 2) eachCohort('approveWeek');
  if (weekday === 3) eachCohort('handOver');
  if (weekday === 4) for (const place of places) if (next() < 0.92) acts.push(['rate', place / sizes.people]);
  return acts;
}
