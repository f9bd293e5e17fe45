// Changes the code in small ways and asks whether a test notices: npm run mutation -- NAME. Without a name it lists them.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

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
  'Usage: npm run mutation -- NAME [FILE …] [--afresh]',
  ...Object.entries(parts).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`),
  'With files of the part, only these are changed: stipend-rules.ts, or stipend-rules.ts:140-160 for some lines.',
  'A change that a test has noticed is not tried again while both stay as they are, except --afresh.',
].join('\n');

process.chdir(path.join(import.meta.dirname, '..'));
const { values, positionals } = parseArgs({ allowPositionals: true, options: { afresh: { type: 'boolean' } } });
const [name, ...asked] = positionals;
const part = Object.hasOwn(parts, name ?? '') ? parts[name ?? ''] : undefined;
if (name === undefined) console.log(usage);
else if (!part) refuse(`There is no part called ${name}.`);
else {
  const unknown = asked.find((file) => !placeOf(part, file));
  if (unknown === undefined) await mutate(name, part, asked.flatMap((file) => placeOf(part, file) ?? []));
  else refuse(`${unknown} is not in this part.`);
}

function refuse(why: string): void {
  console.error(`${why}\n${usage}`);
  process.exitCode = 2;
}

/** Where a file of the part is, with the lines that were asked for. */
function placeOf(of: Part, asked: string): string | undefined {
  const [, file, lines = ''] = /^(.*?)(:\d+-\d+)?$/.exec(asked) ?? [];
  const place = codeOf(of).find((one) => one === file || path.basename(one) === file);
  return place && place + lines;
}

function codeOf({ code }: Part): string[] {
  return code.flatMap((pattern) => globSync(pattern)).filter((file) => !file.endsWith('.test.ts'));
}

/** A change that no test can notice is switched off in the code, beside its reason: `// Stryker disable next-line …: why`. */
async function mutate(named: string, of: Part, asked: string[]): Promise<void> {
  const folder = path.join('test-results', 'mutation');
  mkdirSync(folder, { recursive: true });
  process.env.MUTATION_TESTS = of.tests.flatMap((pattern) => globSync(pattern)).join(',');
  const known = path.join(folder, `${named}-known.json`);
  if (existsSync(known)) forgetSurvivors(known);
  const { Stryker } = await import('@stryker-mutator/core');
  const run = new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    mutate: asked.length > 0 ? asked : codeOf(of),
    // Its compiler is not the one that Stryker knows how to read settings for.
    tsconfigFile: 'no-tsconfig.json',
    coverageAnalysis: 'perTest',
    concurrency: Number(process.env.MUTATION_PROCESSES ?? 2),
    // A busy machine must not look like an endless loop, which counts as noticed.
    timeoutMS: 60_000,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 30,
    incremental: true,
    incrementalFile: known,
    force: values.afresh ?? false,
    clearTextReporter: { logTests: false, reportTests: false },
    reporters: ['clear-text', 'html', 'json'],
    htmlReporter: { fileName: path.join(folder, `${named}.html`) },
    jsonReporter: { fileName: path.join(folder, `${named}.json`) },
    tempDirName: path.join('.test-data', 'mutation'),
    ignorePatterns: ['.data*', '.test-data', 'test-results', 'screenshots', 'dist'],
    thresholds: { high: 100, low: of.least, break: of.least },
  });
  const results = await run.runMutationTest();
  const survivors = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  console.log(`${named}: ${results.length} changes, ${survivors.length} of them noticed by no test.`);
}

/** Stryker takes over that no test notices a change of what is loaded once, even if there are new tests. */
function forgetSurvivors(file: string): void {
  const known: { files: Record<string, { mutants: { status: string }[] }> } = JSON.parse(readFileSync(file, 'utf8'));
  for (const one of Object.values(known.files)) one.mutants = one.mutants.filter(({ status }) => status === 'Killed');
  writeFileSync(file, JSON.stringify(known));
}
