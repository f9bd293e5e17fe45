import { expect, test } from 'vitest';
import { isDeep, sizeOf } from '#test/support/depth.ts';
import { type PlantedBug, plantedBugs } from './planted.ts';
import { simulate } from './run.ts';

const longInMs = 4 * 3_600_000;
const days = sizeOf({ usual: 2, deep: 112 });
const people = sizeOf({ usual: 12, deep: 40 });
const seeds = Array.from({ length: sizeOf({ usual: 1, deep: 10 }) }, (_, index) => index + 1);

test.each(seeds)(
  'in a term of seed %i nothing acknowledged is lost, nothing is doubled, and a restored backup is equal',
  { timeout: longInMs },
  async (seed) => {
    const { figures, violations } = await simulate({ seed, days, people });
    expect(violations, `npm run simulate -- --seed ${seed} --days ${days} --people ${people}`).toEqual([]);
    expect(figures).toMatchObject({ days });
    expect(figures.acknowledged).toBeGreaterThan(days);
  },
);

/** The usual run tries the bug that shows first. */
const tried: readonly PlantedBug[] = isDeep ? plantedBugs : ['lock'];
const mostSeeds = 20;

test.each(tried)('the planted bug %s is found within 20 seeds', { timeout: longInMs }, async (planted) => {
  for (let seed = 1; seed <= mostSeeds; seed += 1) {
    const { violations } = await simulate({ seed, days: 14, people: 24, planted });
    if (violations.length > 0) return;
  }
  expect.fail(`${mostSeeds} seeds did not show it.`);
});
