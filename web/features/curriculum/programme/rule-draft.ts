import { mostDaysOf } from '#contract/pay-periods.ts';
import { type ProgrammeFacts, RuleDraft } from '#contract/programmes.ts';
import type { RuleFact } from '#contract/stipend-facts.ts';
import { type Amounts, outOfReachOfAll } from '#contract/stipend-rules.ts';

export interface WayDraft {
  fact: RuleFact;
  limit: number | '';
}

/** One of its ways is enough. */
export interface CriterionDraft {
  name: string;
  ways: WayDraft[];
}

type Cents = 'perPeriodCents' | 'perDayCents' | 'perHourCents' | 'perTripCents' | 'capCents';

export interface RulesDraft {
  name: string;
  criteria: CriterionDraft[];
  /** Dollars, as they are typed. Empty is none. */
  dollars: Record<Cents, string>;
  isProratedByDays: boolean;
  isProratedByAttendance: boolean;
}

export const amountNames: Record<Cents, string> = {
  perPeriodCents: 'For the period',
  perDayCents: 'For each day attended',
  perHourCents: 'For each hour attended',
  perTripCents: 'For each trip',
  capCents: 'At most',
};

export function draftOfRules({ name, criteria, amounts }: RuleDraft): RulesDraft {
  const inDollars = (cents: number | null) => (cents === null || cents === 0 ? '' : String(cents / 100));
  return {
    name,
    criteria: criteria.map((one) => ({
      name: one.name,
      ways: ('anyOf' in one ? one.anyOf : [one]).flatMap((way) =>
        ('allOf' in way ? way.allOf : [way]).map(({ fact, limit }) => ({ fact, limit })),
      ),
    })),
    dollars: {
      perPeriodCents: inDollars(amounts.perPeriodCents),
      perDayCents: inDollars(amounts.perDayCents),
      perHourCents: inDollars(amounts.perHourCents),
      perTripCents: inDollars(amounts.perTripCents),
      capCents: inDollars(amounts.capCents),
    },
    isProratedByDays: amounts.isProratedByDays,
    isProratedByAttendance: amounts.isProratedByAttendance,
  };
}

/** The rules to send, or what is wrong with them by the place of the field: 'criteria.0.ways.1', 'dollars.capCents'. */
export function readRules(
  draft: RulesDraft,
  programme: Pick<ProgrammeFacts, 'daysPerWeek' | 'payPeriod'>,
): { rules: RuleDraft; errors: null } | { rules: null; errors: Record<string, string> } {
  const { dollars } = draft;
  const parsed = RuleDraft.safeParse({
    name: draft.name,
    criteria: draft.criteria.map(({ name, ways }) => {
      const asked = ways.map(({ fact, limit }) => ({ name, fact, limit: limit === '' ? undefined : limit }));
      return asked.length === 1 ? asked[0] : { name, anyOf: asked };
    }),
    amounts: {
      perPeriodCents: centsOf(dollars.perPeriodCents) ?? 0,
      perDayCents: centsOf(dollars.perDayCents) ?? 0,
      perHourCents: centsOf(dollars.perHourCents) ?? 0,
      perTripCents: centsOf(dollars.perTripCents) ?? 0,
      capCents: centsOf(dollars.capCents),
      isProratedByDays: draft.isProratedByDays,
      isProratedByAttendance: draft.isProratedByAttendance,
    } satisfies Amounts,
  });
  const issues = parsed.success ? outOfReachOfAll(parsed.data, mostDaysOf(programme)) : parsed.error.issues;
  if (parsed.success && issues.length === 0) return { rules: parsed.data, errors: null };
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) errors[placeOf(path, draft)] ??= message;
  return { rules: null, errors };
}

function centsOf(dollars: string): number | null {
  return dollars.trim() === '' ? null : Math.round(Number(dollars) * 100);
}

function placeOf(path: readonly PropertyKey[], draft: RulesDraft): string {
  const [part, first, second, third] = path.map(String);
  if (part === 'amounts') return `dollars.${first}`;
  if (part !== 'criteria' || first === undefined) return part ?? '';
  if (second === 'name' || draft.criteria[Number(first)]?.name.trim() === '') return `criteria.${first}`;
  return `criteria.${first}.ways.${second === 'anyOf' ? (third ?? 0) : 0}`;
}
