// Lives terms from seeds: npm run simulate -- --seed N. It prints what to run again if something did not hold.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { planDay } from '#test/simulation/plan.ts';
import { type PlantedBug, plantedBugs } from '#test/simulation/planted.ts';

const usage = `Usage: npm run simulate -- [--seed N] [--seeds HOW-MANY] [--days 112] [--people 200] [--planted BUG] [--plan]
  --seed     the first seed; the default is 1
  --seeds    how many seeds, one after the other; the default is 1
  --days     days of the term, 1 to 182
  --people   participants, 2 to 2,000
  --planted  a bug that the simulation must find: ${plantedBugs.join(', ')}
  --plan     prints the acts and faults of each day, and runs nothing`;

process.chdir(path.join(import.meta.dirname, '..'));
process.exitCode = await answer();

type Wish = ReturnType<typeof readArguments>;

async function answer(): Promise<number> {
  let wish: Wish;
  try {
    wish = readArguments();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
  return run(wish);
}

async function run({ isPlan, ...wish }: Wish): Promise<number> {
  const { first, seeds, days, people, planted } = wish;
  if (isPlan) {
    for (let seed = first; seed < first + seeds; seed += 1) printPlan(seed, wish);
    return 0;
  }
  const { simulate } = await import('#test/simulation/run.ts');
  for (let seed = first; seed < first + seeds; seed += 1) {
    const startedAt = performance.now();
    const { figures, violations } = await simulate({ seed, days, people, planted, say: console.log });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    const { acts, acknowledged, refused, cut, kills, faults } = figures;
    console.log(
      `Seed ${seed}: ${figures.days} days, ${acts} acts, ${acknowledged} acknowledged for good, ${refused} refused, ${cut} without an answer, ${kills} processes killed, in ${seconds} s.`,
    );
    const injected = Object.entries(faults).map(([fault, count]) => `${count} ${fault}`);
    console.log(`Faults: ${injected.join(', ')}.`);
    if (violations.length > 0) {
      for (const violation of violations) console.error(violation);
      const bug = planted ? ` --planted ${planted}` : '';
      console.error(
        `Seed ${seed} failed. Again: npm run simulate -- --seed ${seed} --days ${days} --people ${people}${bug}`,
      );
      return 1;
    }
    console.log(`Seed ${seed}: all held.`);
  }
  return 0;
}

function printPlan(seed: number, sizes: { days: number; people: number }): void {
  for (let day = 0; day < sizes.days; day += 1) {
    for (const { minute, fault, steps } of planDay(seed, day, sizes)) {
      const acts = steps.map((step) => (step.fault === 'none' ? step.act : `${step.act} (${step.fault})`));
      console.log(`Day ${day + 1}, minute ${minute}${fault === 'none' ? '' : `, ${fault}`}: ${acts.join(', ')}`);
    }
  }
}

function readArguments() {
  const text = { type: 'string' } as const;
  const options = {
    seed: text,
    seeds: text,
    days: text,
    people: text,
    planted: text,
    plan: { type: 'boolean' },
  } as const;
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
  try {
    values = parseArgs({ options }).values;
  } catch (cause) {
    throw new Error(usage, { cause });
  }
  return {
    first: numberFrom('seed', values.seed, { fallback: 1, least: 0, most: 1_000_000 }),
    seeds: numberFrom('seeds', values.seeds, { fallback: 1, least: 1, most: 100_000 }),
    days: numberFrom('days', values.days, { fallback: 112, least: 1, most: 182 }),
    people: numberFrom('people', values.people, { fallback: 200, least: 2, most: 2_000 }),
    planted: bugFrom(values.planted),
    isPlan: values.plan ?? false,
  };
}

function numberFrom(
  name: string,
  given: string | undefined,
  limits: { fallback: number; least: number; most: number },
) {
  if (given === undefined) return limits.fallback;
  const number = Number(given);
  const { least, most } = limits;
  if (!Number.isInteger(number) || number < least || number > most || given.trim() === '') {
    throw new Error(`--${name} is a whole number from ${least} to ${most}.\n${usage}`);
  }
  return number;
}

function bugFrom(given: string | undefined): PlantedBug | undefined {
  const bug = plantedBugs.find((one) => one === given);
  if (given !== undefined && !bug) throw new Error(`There is no planted bug called ${given}.\n${usage}`);
  return bug;
}
