import { type Finding, measures } from './stipend-facts.ts';
import { specifiedRules } from './stipend-rules.ts';

interface Help {
  about: Finding['about'];
  question: string;
  answer: string;
}

/** Answers what people ask at the criteria of a week. The numbers come from the rules. */
export const stipendHelp: { criteria: Help[]; unpaid: string } = {
  criteria: specifiedRules.criteria
    .flatMap((criterion) => ('anyOf' in criterion ? criterion.anyOf : [criterion]))
    .map(({ fact, limit }) => ({ about: measures[fact].about, ...measures[fact].help(limit) })),
  unpaid: `A week is paid if all ${specifiedRules.criteria.length} are met when it is decided. What comes later does not count. Is something recorded wrong? Ask about the week in My Stipends.`,
};
