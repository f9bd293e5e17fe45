import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

/** Runs the command, and returns its exit code with everything that it said. */
function simulate(...args: string[]): Promise<[code: number, output: string]> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/simulate.ts', ...args], (error, stdout, stderr) => {
      resolve([error ? Number(error.code) : 0, stdout + stderr]);
    });
  });
}

test.each([
  [['--seed', 'one'], '--seed is a whole number from 0 to 1000000.'],
  [['--days', '0'], '--days is a whole number from 1 to 182.'],
  [['--people', '1'], '--people is a whole number from 2 to 2000.'],
  [['--seeds', ''], '--seeds is a whole number from 1 to 100000.'],
  [['--planted', 'nothing'], 'There is no planted bug called nothing.'],
  [['--seed=1', 'more'], 'Usage: npm run simulate'],
])('%j is refused with a sentence, and nothing runs', async (args, sentence) => {
  const [code, output] = await simulate(...args);
  expect([code, output]).toEqual([2, expect.stringContaining(sentence)]);
  expect(output).toContain('Usage: npm run simulate');
});

test('a plan is printed day by day, the same for the same seed', async () => {
  const plan = await simulate('--plan', '--seed', '7', '--days', '3', '--people', '20');
  expect(plan).toEqual([0, expect.stringMatching(/^Day 1, minute 480[\s\S]*Day 3, minute \d+/)]);
  expect(await simulate('--plan', '--seed', '7', '--days', '3', '--people', '20')).toEqual(plan);
});
