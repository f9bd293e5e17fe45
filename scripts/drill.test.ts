import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { numbersFrom } from '#test/simulation/random.ts';
import { startProgram } from './drills/ground.ts';
import { type Breaking, judgeFailures } from './drills/verdict.ts';

const run = promisify(execFile);

function drill(...args: string[]) {
  return run(process.execPath, ['scripts/drill.ts', ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

test('npm run drill alone lists the drills', async () => {
  expect(await drill()).toEqual({ code: 0, stdout: expect.stringContaining('  pgbouncer  requests'), stderr: '' });
});

test.each([
  [['wbe'], 'There is no drill called wbe.'],
  [['constructor'], 'There is no drill called constructor.'],
  [['web', 'pgbouncer'], 'One drill runs at a time.'],
  [['web', '--from', 'v1'], 'Only upgrade takes --from.'],
  [['s3', '--from', 'v1'], 'Only upgrade takes --from.'],
  [['s3', 's3://files'], 'One drill runs at a time.'],
  [['upgrade', '--from', 'nowhere'], 'There is no version called nowhere in the repository.'],
  [['web', '--fast'], 'Usage: npm run drill -- NAME'],
])('refuses %j with a sentence', async (args, sentence) => {
  const { code, stdout, stderr } = await drill(...args);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  expect(stderr).not.toMatch(/\n\s+at /);
});

test('a drill that is taken down starts nothing any more', () => {
  const over = { folder: tmpdir(), undo: [], isOver: true, say: () => undefined };
  expect(() => startProgram(over, 'late', [process.execPath, '--version'])).toThrow('late does not start');
});

test('a request may fail only while something is broken', () => {
  const broken: Breaking[] = [{ at: 1_000, lastsSeconds: 2 }];
  const failedAt = (at: number) => judgeFailures({ failures: [{ at, what: 'note', why: '502' }] }, broken);
  expect([failedAt(1_500), failedAt(3_000)]).toEqual([[], []]);
  expect([failedAt(900), failedAt(3_001)].flat()).toEqual([
    'A note failed though nothing had been broken: 502',
    'A note failed though nothing had been broken: 502',
  ]);
});

test('a request may fail only for a reason that what was broken explains', () => {
  const broken: Breaking[] = [{ at: 1_000, lastsSeconds: 2, why: /proof_required/ }];
  const failedFor = (why: string) => judgeFailures({ failures: [{ at: 1_500, what: 'payment', why }] }, broken);
  expect(failedFor('403 proof_required')).toEqual([]);
  expect(failedFor('500 internal')).toEqual(['A payment failed though nothing had been broken: 500 internal']);
});

test('the same seed draws the same moments, evenly, and another one draws others', () => {
  const drawn = (seed: number) => Array.from({ length: 1_000 }, numbersFrom(seed));
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7)).not.toEqual(drawn(8));
  const tenths = Map.groupBy(drawn(7), (number) => Math.floor(number * 10));
  expect([...tenths.keys()].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const numbers of tenths.values()) expect(numbers.length).toBeGreaterThan(60);
});
