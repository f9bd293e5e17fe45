import { z } from 'zod';
import { defaultStipendCents } from './money.ts';
import { atBest, Finding, type LostSoFar, measures, RuleFact, type WeekFacts } from './stipend-facts.ts';

/**
 * Asks of one fact that it reaches the limit, or does not pass it. `measures` says which. The name is what screens, mails
 * and exports call the requirement.
 */
const Requirement = z
  .object({ name: z.string().min(1), fact: RuleFact, limit: z.number() })
  .superRefine(({ fact, limit }, context) => {
    const [first, last] = measures[fact].range;
    if (limit >= first && limit <= last) return;
    context.addIssue({ code: 'custom', path: ['limit'], message: `Enter a number from ${first} to ${last}.` });
  });
type Requirement = z.infer<typeof Requirement>;

/** One of these is enough. */
const AnyOf = z.object({ name: z.string().min(1), anyOf: z.array(Requirement).min(2) });

/**
 * What a week must meet to be paid: all of its criteria. A rule set is data, so it can be explained to everybody whom it
 * judges. A version never changes once a week was judged by it.
 */
export const RuleSet = z.object({
  version: z.number().int().min(1),
  criteria: z.array(z.union([AnyOf, Requirement])).min(1),
});
export type RuleSet = z.infer<typeof RuleSet>;

export const Criterion = Finding.extend({ name: z.string() });
export type Criterion = z.infer<typeof Criterion>;

/** A week as it was judged. Each criterion has one entry, in the order of the rule set. */
export const Criteria = z.array(Criterion);
export type Criteria = z.infer<typeof Criteria>;

export const specifiedRules: RuleSet = {
  version: 1,
  criteria: [
    // STIP-31
    { name: 'Attendance', fact: 'attendanceShare', limit: 80 },
    { name: 'Assignments', fact: 'workHandedIn', limit: 100 },
    // STIP-33
    { name: 'Performance', fact: 'rating', limit: 3 },
  ],
};

/** Above this amount, no admin sets it alone. `is_amount_unusual` in the database says the same. */
export const unusualAboveCents = 2 * defaultStipendCents;

export function isAmountUnusual(cents: number): boolean {
  return cents > unusualAboveCents;
}

/** Only this place says whether a week's facts are enough, and what is still needed. */
export function judge(facts: WeekFacts, { criteria }: RuleSet): Criteria {
  return criteria.map((criterion) => {
    const { name } = criterion;
    if ('anyOf' in criterion) return { name, ...anyOf(criterion.anyOf.map((one) => find(facts, one))) };
    return { name, ...find(facts, criterion) };
  });
}

/** The whole rule set as one sentence, for everybody whom it judges. */
export function ruleSentence({ criteria }: RuleSet): string {
  const words = ({ fact, limit }: Requirement) => measures[fact].inWords(limit);
  const parts = criteria.map((one) => ('anyOf' in one ? one.anyOf.map(words).join(' or ') : words(one)));
  const last = parts.pop();
  return `Paid when ${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}.`;
}

/** The limit of a fact, or null if the rules do not ask for it. */
export function limitOfFact({ criteria }: RuleSet, fact: RuleFact): number | null {
  const requirements = criteria.flatMap((one) => ('anyOf' in one ? one.anyOf : [one]));
  return requirements.find((one) => one.fact === fact)?.limit ?? null;
}

export function areAllMet(criteria: Criteria): boolean {
  return criteria.every(({ isMet }) => isMet);
}

export function failedCriteria(criteria: Criteria): string[] {
  return criteria.filter(({ isMet }) => !isMet).map(({ name }) => name);
}

/** True if the week would fall short even if everything that is still to come went well. */
export function isAtRisk(facts: WeekFacts, lost: LostSoFar, rules: RuleSet): boolean {
  return !areAllMet(judge(atBest(facts, lost), rules));
}

function find(facts: WeekFacts, { fact, limit }: Requirement): Finding {
  const { about, find: measure } = measures[fact];
  return { ...measure(facts, limit), about };
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
