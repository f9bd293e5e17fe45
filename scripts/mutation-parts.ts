import { globSync } from 'node:fs';
import path from 'node:path';

export interface Part {
  about: string;
  /** Files whose code is changed. */
  code: string[];
  /** Tests that have to notice. */
  tests: string[];
  /** The run fails below this share of noticed changes, in percent. */
  least: number;
}

export const parts: Record<string, Part> = {
  rules: {
    about: 'how a week is judged and what it pays',
    code: ['contract/{stipend-rules,stipend-facts,money,pay-periods}.ts'],
    // What the rules say needs no database to be seen, and each of their tables is loaded anew for each change of it.
    tests: ['contract/*.test.ts'],
    least: 100,
  },
  stipends: {
    about: 'weeks, decisions and amounts',
    code: ['server/features/stipends/*.ts'],
    tests: ['server/features/stipends/*.test.ts', 'server/features/payments/*.test.ts'],
    least: 100,
  },
  payments: {
    about: 'hand-over, confirmations, payments and the ledger',
    code: ['server/features/payments/*.ts'],
    tests: ['server/features/payments/*.test.ts'],
    least: 100,
  },
  booking: {
    about: 'free half hours, and sessions that are booked, moved and canceled',
    code: ['server/features/coaching/{booking,booking-queries,booking-setup,sessions}.ts'],
    tests: ['server/features/coaching/*.test.ts', 'server/features/cohorts/coach-replacement.test.ts'],
    least: 90,
  },
  imports: {
    about: 'people who come by file',
    code: ['server/features/imports/*.ts'],
    tests: ['server/features/imports/*.test.ts', 'server/features/operations/retention.test.ts'],
    least: 90,
  },
};

/** These draw their cases at random. What only chance notices is not noticed, and they take as long as all the others. */
const byChance = ['money', 'random-programmes', 'stipend-oracle'].map((name) => `${name}.test.ts`);

/** The tests of the part, or those of them that are asked for. */
export function testsOf({ tests }: Part, asked?: string[]): string[] {
  const judges = tests
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => !byChance.includes(path.basename(file)));
  return asked ? judges.filter((file) => asked.includes(path.basename(file))) : judges;
}

/** Where a file of the part is, with the lines that were asked for. */
export function placeOf(of: Part, asked: string): string | undefined {
  const [, file, lines = ''] = /^(.*?)(:\d+-\d+)?$/.exec(asked) ?? [];
  const place = codeOf(of).find((one) => one === file || path.basename(one) === file);
  return place && place + lines;
}

export function codeOf({ code }: Part): string[] {
  return code.flatMap((pattern) => globSync(pattern)).filter((file) => !file.endsWith('.test.ts'));
}
