import { z } from 'zod';

/** A first or last name; without line breaks and the like, since it stands in the first line of mails. */
export function personName(missing: string) {
  return z
    .string()
    .trim()
    .min(1, missing)
    .max(100)
    .regex(/^\P{Cc}*$/u, 'A name can not hold line breaks');
}
