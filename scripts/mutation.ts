// Changes the code in small ways and asks whether a test notices: npm run mutation -- NAME. Without a name it lists them.
import { globSync, mkdirSync } from 'node:fs';
import path from 'node:path';

interface Part {
  about: string;
  /** Files whose code is changed. */
  code: string[];
  /** Tests that have to notice. */
  tests: string[];
  /** The run fails below this share of noticed changes, in percent. */
  least: number;
}

const parts: Record<string, Part> = {
  rules: {
    about: 'how a week is judged and what it pays',
    code: ['contract/{stipend-rules,stipend-facts,money,pay-periods}.ts'],
    tests: ['contract/*.test.ts', 'server/features/stipends/*.test.ts'],
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
    tests: ['server/features/coaching/*.test.ts'],
    least: 90,
  },
  imports: {
    about: 'people who come by file',
    code: ['server/features/imports/*.ts'],
    tests: ['server/features/imports/*.test.ts'],
    least: 90,
  },
};

const usage = [
  'Usage: npm run mutation -- NAME',
  ...Object.entries(parts).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`),
].join('\n');

process.chdir(path.join(import.meta.dirname, '..'));
const [name, ...others] = process.argv.slice(2);
const part = Object.hasOwn(parts, name ?? '') ? parts[name ?? ''] : undefined;
if (name === undefined) console.log(usage);
else if (!part || others.length > 0) {
  console.error(`${others.length > 0 ? 'One part at a time.' : `There is no part called ${name}.`}\n${usage}`);
  process.exitCode = 2;
} else await mutate(name, part);

/** A change that no test can notice is switched off in the code, beside its reason: `// Stryker disable next-line …: why`. */
async function mutate(named: string, { code, tests, least }: Part): Promise<void> {
  const folder = path.join('test-results', 'mutation');
  mkdirSync(folder, { recursive: true });
  process.env.MUTATION_TESTS = tests.flatMap((pattern) => globSync(pattern)).join(',');
  const { Stryker } = await import('@stryker-mutator/core');
  const run = new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    mutate: code.flatMap((pattern) => globSync(pattern)).filter((file) => !file.endsWith('.test.ts')),
    // Its compiler is not the one that Stryker knows how to read settings for.
    tsconfigFile: 'no-tsconfig.json',
    coverageAnalysis: 'perTest',
    concurrency: 2,
    reporters: ['clear-text', 'html', 'json'],
    htmlReporter: { fileName: path.join(folder, `${named}.html`) },
    jsonReporter: { fileName: path.join(folder, `${named}.json`) },
    tempDirName: path.join('.test-data', 'mutation'),
    ignorePatterns: ['.data*', '.test-data', 'test-results', 'screenshots', 'dist'],
    thresholds: { high: 100, low: least, break: least },
  });
  const results = await run.runMutationTest();
  const survivors = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  console.log(`${named}: ${results.length} changes, ${survivors.length} of them noticed by no test.`);
}
