import { type PayPeriod, periodWords } from './pay-periods.ts';
import { type Finding, measures } from './stipend-facts.ts';
import { type Conditions, requirementsOf } from './stipend-rules.ts';

interface Help {
  about: Finding['about'];
  question: string;
  answer: string;
}

/** Answers what people ask at the criteria of a stipend. The numbers come from the rules. */
export function stipendHelp(rules: Conditions, payPeriod: PayPeriod): { criteria: Help[]; unpaid: string } {
  const { one } = periodWords[payPeriod];
  return {
    criteria: requirementsOf(rules).map(({ fact, limit }) => ({
      about: measures[fact].about,
      ...measures[fact].help(limit, one),
    })),
    unpaid: `A ${one} is paid if all ${rules.criteria.length} are met when it is decided. What comes later does not count. Is something recorded wrong? Ask about the ${one} in My Stipends.`,
  };
}
