import { z } from 'zod';

export const longestName = 100;

/**
 * Readers do not see these marks, or the marks turn the text around them. The joiners that some scripts need to write
 * words (200C, 200D) are not among them.
 */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/u;

/** Returns why a text is no name, or null. A name is in the first line of mails, even to people who never gave it. */
export function nameProblem(name: string): string | null {
  if (invisible.test(name)) return 'cannot hold line breaks or invisible marks';
  return /:\/\/|www\./i.test(name) ? 'cannot hold web addresses' : null;
}

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
