import { glob, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { busyness } from './support/patience.ts';

const root = path.resolve(import.meta.dirname, '..');
/** The limits of a wait, of a test, and of a browser test. A short limit is fine where a test looks again and again. */
const ownLimits = [/\btimeout: *(\d[\d_]*)/g, /^\s*\}, (\d[\d_]*)\);$/gm, /\bsetTimeout\(\s*(\d[\d_]*)\s*\)/g];
const momentInMs = 3_000;

test('no test says by itself how long it waits: a slow machine would have to be told in each', async () => {
  const found: string[] = [];
  for await (const file of glob(['{server,web,contract,test,scripts,e2e}/**/*.{test,spec}.{ts,tsx}'], { cwd: root })) {
    const text = await readFile(path.join(root, file), 'utf8');
    for (const limit of ownLimits) {
      for (const [words, number = ''] of text.matchAll(limit)) {
        if (Number(number.replaceAll('_', '')) > momentInMs) found.push(`${file}: ${words.trim()}`);
      }
    }
  }
  expect(found).toEqual([]);
});

test('a wait ends by the one limit, whatever it is given', async () => {
  let looks = 0;
  await vi.waitFor(
    () => {
      looks += 1;
      expect(looks).toBeGreaterThan(3);
    },
    { timeout: 1, interval: 1 },
  );
});

test('a limit is a whole number at any load: timers refuse parts of a millisecond', () => {
  const loads = Array.from({ length: 7_000 }, (_, hundredths) => hundredths / 100);
  expect(loads.filter((load) => !Number.isInteger(180_000 * busyness(load)))).toEqual([]);
  expect(busyness(0)).toBe(1);
  expect(busyness(4 * availableParallelism())).toBe(4);
});
