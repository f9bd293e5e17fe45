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

test.each([
  [['nothing'], 'There is no part called nothing.'],
  [['toString'], 'There is no part called toString.'],
  [['rules', 'payments'], 'One part at a time.'],
])('%j is refused with a sentence, and nothing runs', async (args, sentence) => {
  const [code, output] = await mutation(...args);
  expect([code, output]).toEqual([2, expect.stringMatching(new RegExp(`^${sentence}\\nUsage: npm run mutation`))]);
});
