import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeOf, parts, placeOf } from './mutation-parts.ts';

/** Runs the command, and returns its exit code with everything that it said. */
function mutation(...args: string[]): Promise<[code: number, output: string]> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/mutation.ts', ...args], (error, stdout, stderr) => {
      resolve([error ? Number(error.code) : 0, stdout + stderr]);
    });
  });
}

test('without a name it lists the parts', async () => {
  const [code, output] = await mutation();
  expect(code).toBe(0);
  for (const part of ['rules', 'stipends', 'payments', 'booking', 'imports']) expect(output).toContain(`\n  ${part} `);
});

test('some files of a part are named by themselves, by their path, or with lines', () => {
  const { rules } = parts;
  if (!rules) throw new Error('There are no rules.');
  expect(codeOf(rules)).toHaveLength(4);
  const found = ['money.ts', 'contract/money.ts', 'money.ts:6-8', 'money.test.ts', 'weeks.ts'].map((file) =>
    placeOf(rules, file),
  );
  expect(found).toEqual(['contract/money.ts', 'contract/money.ts', 'contract/money.ts:6-8', undefined, undefined]);
});

test('every part has code and tests of its own', () => {
  for (const [name, part] of Object.entries(parts)) {
    expect(codeOf(part).length, name).toBeGreaterThan(1);
    expect(part.tests.flatMap((pattern) => globSync(pattern)).length, name).toBeGreaterThan(1);
  }
});

test.each([
  [['nothing'], 'There is no part called nothing.'],
  [['toString'], 'There is no part called toString.'],
  [['rules', 'payments'], 'payments is not in this part.'],
  [['rules', 'money.ts', 'ledger.ts:1-20'], 'ledger.ts:1-20 is not in this part.'],
  [['payments', 'ledger.test.ts'], 'ledger.test.ts is not in this part.'],
])('%j is refused with a sentence, and nothing runs', async (args, sentence) => {
  const [code, output] = await mutation(...args);
  expect([code, output]).toEqual([2, expect.stringMatching(new RegExp(`^${sentence}\\nUsage: npm run mutation`))]);
});
