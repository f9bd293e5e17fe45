import { z } from 'zod';
import { atBest, Finding, type LostSoFar, measures, RuleFact, type WeekFacts } from './stipend-facts.ts';

/** So many requirements, and so many ways to meet one. */
const mostWays = 20;
const RequirementName = z.string().min(1).max(100);

/**
 * Asks of one fact that it reaches the limit, or does not pass it. `measures` says which. The name is what screens, mails
 * and exports call the requirement.
 */
export const Requirement = z
  .object({ name: RequirementName, fact: RuleFact, limit: z.number() })
  .superRefine(({ fact, limit }, context) => {
    const [first, last] = measures[fact].range;
    if (limit >= first && limit <= last) return;
    context.addIssue({ code: 'custom', path: ['limit'], message: `Enter a number from ${first} to ${last}.` });
  });
export type Requirement = z.infer<typeof Requirement>;

/** All of these are needed. */
const AllOf = z.object({ name: RequirementName, allOf: z.array(Requirement).min(2).max(mostWays) });

/** One of these is enough. A way that asks for several things at once is only in rules that are nothing but such ways. */
const AnyOf = z.object({
  name: RequirementName,
  anyOf: z
    .array(z.union([AllOf, Requirement]))
    .min(2)
    .max(mostWays),
});

const Cents = z.number().int().min(0).max(10_000_000);

/** What a stipend is made of. Only what was attended, and counts, brings something by day, hour or trip. */
export const Amounts = z.object({
  perPeriodCents: Cents,
  perDayCents: Cents,
  perHourCents: Cents,
  /** A trip is an attended activity that is held in person. */
  perTripCents: Cents,
  /** Who joins or leaves within the period gets the share of its days for perPeriodCents. */
  isProratedByDays: z.boolean(),
  /** Who misses activities without an excuse gets the share of the others for perPeriodCents. */
  isProratedByAttendance: z.boolean(),
  /** The most that one stipend pays. */
  capCents: Cents.nullable(),
});
export type Amounts = z.infer<typeof Amounts>;

/**
 * What a week must meet to be paid: all of its criteria. A rule set is data, so it can be explained to everybody whom it
 * judges. A version never changes once a week was judged by it.
 */
export const RuleSet = z.object({
  version: z.number().int().min(1),
  name: z.string().trim().min(1, 'Enter a name.').max(100),
  criteria: z
    .array(z.union([AnyOf, Requirement]))
    .min(1)
    .max(mostWays)
    .refine(
      (criteria) => criteria.length === 1 || !criteria.some(hasWaysOfSeveral),
      'A way that asks for several things stands only where one way of several is enough.',
    ),
  amounts: Amounts,
});
export type RuleSet = z.infer<typeof RuleSet>;

/** What the rules ask for, without what they pay. */
export const Conditions = RuleSet.pick({ criteria: true });
export type Conditions = z.infer<typeof Conditions>;

export const Criterion = Finding.extend({ name: z.string() });
export type Criterion = z.infer<typeof Criterion>;

/** A week as it was judged. Each criterion has one entry, in the order of the rule set. */
export const Criteria = z.array(Criterion);
export type Criteria = z.infer<typeof Criteria>;

function hasWaysOfSeveral(criterion: z.infer<typeof AnyOf> | Requirement): boolean {
  return 'anyOf' in criterion && criterion.anyOf.some((way) => 'allOf' in way);
}

/** Above twice what the rules pay, no admin sets an amount alone. `is_amount_unusual` in the database says the same. */
export function isAmountUnusual(cents: number, ruleAmountCents: number): boolean {
  return cents > 2 * ruleAmountCents;
}

/**
 * What the rules ask for and nobody can reach in one period of a programme, by its place among the criteria. It goes by
 * days alone: how much is taught may still change.
 */
export function outOfReachOfAll(rules: Conditions, mostDays: number): { path: (string | number)[]; message: string }[] {
  const most: Partial<Record<RuleFact, number>> = {
    daysEnrolled: mostDays,
    hoursAttended: 24 * mostDays,
    minutesAttended: 1440 * mostDays,
  };
  return placedRequirements(rules).flatMap(({ path, fact, limit }) => {
    const atMost = most[fact];
    if (atMost === undefined || limit <= atMost) return [];
    return [
      { path: [...path, 'limit'], message: `Nobody can meet this: a stipend pays for ${mostDays} days at most.` },
    ];
  });
}

function placedRequirements({ criteria }: Conditions): (Requirement & { path: (string | number)[] })[] {
  return criteria.flatMap((one, place) => {
    if (!('anyOf' in one)) return [{ ...one, path: ['criteria', place] }];
    return one.anyOf.flatMap((way, at) => {
      const path = ['criteria', place, 'anyOf', at];
      return 'allOf' in way
        ? way.allOf.map((part, n) => ({ ...part, path: [...path, 'allOf', n] }))
        : [{ ...way, path }];
    });
  });
}

/** Only this place says whether a week's facts are enough, and what is still needed. */
export function judge(facts: WeekFacts, { criteria }: Conditions): Criteria {
  return criteria.map((criterion) => {
    const { name } = criterion;
    if ('anyOf' in criterion) return { name, ...anyOf(criterion.anyOf.map((way) => findWay(facts, way))) };
    return { name, ...find(facts, criterion) };
  });
}

export const AmountLine = z.object({
  name: z.string(),
  /** How many of its unit: hours have decimals. Null for the amount of the period. */
  count: z.number().nullable(),
  cents: z.number().int(),
});
export type AmountLine = z.infer<typeof AmountLine>;

/**
 * What the rules pay for these facts if all criteria are met, and what makes it up. Each line is rounded to whole cents,
 * half a cent up.
 */
export function amountFor(facts: WeekFacts, { amounts }: RuleSet): { cents: number; lines: AmountLine[] } {
  const { daysAttended, minutesAttended, trips } = facts;
  const lines: AmountLine[] = [
    { name: 'Period', count: null, cents: Math.round(amounts.perPeriodCents * shareOfPeriod(facts, amounts)) },
    { name: 'Days', count: daysAttended, cents: daysAttended * amounts.perDayCents },
    { name: 'Hours', count: minutesAttended / 60, cents: Math.round((minutesAttended * amounts.perHourCents) / 60) },
    { name: 'Trips', count: trips, cents: trips * amounts.perTripCents },
  ].filter(({ cents }) => cents > 0);
  const sum = lines.reduce((cents, line) => cents + line.cents, 0);
  const cap = amounts.capCents;
  if (cap === null || sum <= cap) return { cents: sum, lines };
  return { cents: cap, lines: [...lines, { name: 'Most that is paid', count: null, cents: cap - sum }] };
}

function shareOfPeriod(facts: WeekFacts, { isProratedByDays, isProratedByAttendance }: Amounts): number {
  const { daysEnrolled, daysInPeriod, unexcusedAbsences, activitiesTotal } = facts;
  const ofDays = isProratedByDays && daysInPeriod > 0 ? daysEnrolled / daysInPeriod : 1;
  const attended = activitiesTotal - unexcusedAbsences;
  const ofActivities = isProratedByAttendance && activitiesTotal > 0 ? attended / activitiesTotal : 1;
  return ofDays * ofActivities;
}

/** The whole rule set as one sentence, for everybody whom it judges. */
export function ruleSentence({ criteria }: Conditions): string {
  const words = ({ fact, limit }: Requirement) => measures[fact].inWords(limit);
  const wayInWords = (way: Way) => ('allOf' in way ? listed(way.allOf.map(words)) : words(way));
  return `Paid when ${listed(criteria.map((one) => ('anyOf' in one ? one.anyOf.map(wayInWords).join(' or ') : words(one))))}.`;
}

/** Everything that the rules ask for, in their order. */
export function requirementsOf({ criteria }: Conditions): Requirement[] {
  const ofWay = (way: Way) => ('allOf' in way ? way.allOf : [way]);
  return criteria.flatMap((one) => ('anyOf' in one ? one.anyOf.flatMap(ofWay) : [one]));
}

/** The limit of a fact, or null if the rules do not ask for it. */
export function limitOfFact(rules: Conditions, fact: RuleFact): number | null {
  return requirementsOf(rules).find((one) => one.fact === fact)?.limit ?? null;
}

export function areAllMet(criteria: Criteria): boolean {
  return criteria.every(({ isMet }) => isMet);
}

export function failedCriteria(criteria: Criteria): string[] {
  return criteria.filter(({ isMet }) => !isMet).map(({ name }) => name);
}

/** True if the week would fall short even if everything that is still to come went well. */
export function isAtRisk(facts: WeekFacts, lost: LostSoFar, rules: Conditions): boolean {
  return lostCriteria(facts, lost, rules).length > 0;
}

/** The names of the criteria that would then not be met. */
export function lostCriteria(facts: WeekFacts, lost: LostSoFar, rules: Conditions): string[] {
  return failedCriteria(judge(atBest(facts, lost), rules));
}

type Way = z.infer<typeof AllOf> | Requirement;

function findWay(facts: WeekFacts, way: Way): Finding {
  return 'allOf' in way ? allOf(way.allOf.map((one) => find(facts, one))) : find(facts, way);
}

function find(facts: WeekFacts, { fact, limit }: Requirement): Finding {
  const { about, find: measure } = measures[fact];
  return { ...measure(facts, limit), about };
}

/** Of several things that are all needed, those that are not met explain it. */
function allOf(parts: Finding[]): Finding {
  const farthest = parts.reduce((one, other) => (rank(other) < rank(one) ? other : one));
  const open = parts.filter(({ isMet }) => !isMet);
  return {
    ...farthest,
    reason: (open.length > 0 ? open : parts).map(({ reason }) => reason).join('; '),
    stillNeeded: open.flatMap(({ stillNeeded }) => stillNeeded),
  };
}

/** Of several ways, the one that is met explains it, else the one that is nearest. What is needed names each way. */
function anyOf(ways: Finding[]): Finding {
  const nearest = ways.reduce((one, other) => (rank(other) > rank(one) ? other : one));
  if (nearest.isMet) return nearest;
  return {
    ...nearest,
    reason: ways.map(({ reason }) => reason).join('; or '),
    stillNeeded: [ways.map(({ stillNeeded }) => stillNeeded.join(' and ')).join(', or ')],
  };
}

function rank({ isMet, percentage }: Finding): number {
  return isMet ? 101 : percentage;
}

/** 'a, b and c' */
function listed(parts: string[]): string {
  const before = parts.slice(0, -1).join(', ');
  return [before, ...parts.slice(-1)].filter((part) => part !== '').join(' and ');
}
