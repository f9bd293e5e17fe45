import { type RuleSet, specifiedRules } from '#contract/stipend-rules.ts';

let inForce: RuleSet = specifiedRules;

/** The rules that judge undecided weeks. */
export function ruleSetInForce(): RuleSet {
  return inForce;
}

/** Replaces the rules and returns the way back. Only tests call it. */
export function replaceRuleSet(rules: RuleSet): () => void {
  const previous = inForce;
  inForce = rules;
  return () => {
    inForce = previous;
  };
}
