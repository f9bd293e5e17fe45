import { z } from 'zod';

/** A list counts up to so many matches. It says of more only that they are more. */
export const mostCounted = 1000;

/** Counts the matches of all pages. One more than `mostCounted` stands for any number above it. */
export const Matching = z
  .number()
  .int()
  .max(mostCounted + 1);
