import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

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

test('lines of a file of the part are changed, and what no test notices is named', async () => {
  const [code, output] = await mutation('rules', 'money.ts:6-8');
  expect(code).toBe(0);
  expect(output).toMatch(/rules: \d+ changes, 0 of them noticed by no test\./);
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
