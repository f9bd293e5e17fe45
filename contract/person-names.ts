import { z } from 'zod';

export const longestName = 100;

/**
 * Marks that no reader sees, or that turn the text around them. The joiners that some scripts write words with (200C,
 * 200D) are none of them.
 */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/u;

/** Why a text is no name, or null: a name stands in the first line of mails, also to people who never gave it. */
export function nameProblem(name: string): string | null {
  if (invisible.test(name)) return 'can not hold line breaks or invisible marks';
  return /:\/\/|www\./i.test(name) ? 'can not hold web addresses' : null;
}

/** A first or last name. */
export function personName(missing: string) {
  return z
    .string()
    .trim()
    .min(1, missing)
    .max(longestName)
    .superRefine((name, context) => {
      const problem = nameProblem(name);
      if (problem) context.addIssue({ code: 'custom', message: `A name ${problem}` });
    });
}
