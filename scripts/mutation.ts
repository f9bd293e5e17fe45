// Changes the code in small ways and asks whether a test notices: npm run mutation -- NAME. Without a name it lists them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { argumentsOrEnd } from '#server/command.ts';
import { codeOf, type Part, parts, placeOf, testsOf } from './mutation-parts.ts';
import { openMutationServer } from './mutation-server.ts';

const usage = [
  'Usage: npm run mutation -- NAME [FILE …] [--tests FILE,FILE] [--afresh] [--new-threads] [--processes N]',
  ...Object.entries(parts).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`),
  'With files of the part, only these are changed: stipend-rules.ts, or stipend-rules.ts:140-160 for some lines.',
  'With --tests FILE,FILE only these judge, which is quicker: all of the part notice no less.',
  'With --new-threads each change gets a thread of its own, which is slower: for what the server makes once and keeps.',
  'A change that a test has noticed is not tried again while both stay as they are, except --afresh.',
].join('\n');

process.chdir(path.join(import.meta.dirname, '..'));
const { values, positionals } = argumentsOrEnd(usage, {
  allowPositionals: true,
  options: {
    afresh: { type: 'boolean', default: false },
    'new-threads': { type: 'boolean', default: false },
    processes: { type: 'string', default: '2' },
    tests: { type: 'string' },
  },
});
const [name, ...asked] = positionals;
const judges: string[] | undefined = values.tests?.split(',');
const part = Object.hasOwn(parts, name ?? '') ? parts[name ?? ''] : undefined;
if (name === undefined) console.log(usage);
else if (!part) refuse(`There is no part called ${name}.`);
else {
  const unknown =
    asked.find((file) => !placeOf(part, file)) ?? judges?.find((file) => testsOf(part, [file]).length === 0);
  if (unknown === undefined) await mutate(name, part, asked);
  else refuse(`${unknown} is not in this part.`);
}

function refuse(why: string): void {
  console.error(`${why}\n${usage}`);
  process.exitCode = 2;
}

/** A change that no test can notice is switched off in the code, beside its reason: `// Stryker disable next-line …: why`. */
async function mutate(named: string, of: Part, asked: string[]): Promise<void> {
  const folder = path.join('test-results', 'mutation');
  mkdirSync(folder, { recursive: true });
  const tests = testsOf(of, judges);
  process.env.MUTATION_TESTS = tests.join(',');
  if (values['new-threads']) process.env.MUTATION_NEW_THREADS = 'yes';
  const needsDatabase = tests.some((file) => file.startsWith('server'));
  const known = path.join(folder, `${named}-known.json`);
  if (!judges && existsSync(known)) forgetSurvivors(known);
  const server = needsDatabase ? await openMutationServer() : null;
  try {
    await tryChanges(named, of, asked, { folder, known });
  } finally {
    await server?.close();
  }
}

async function tryChanges(
  named: string,
  of: Part,
  asked: string[],
  { folder, known }: { folder: string; known: string },
): Promise<void> {
  const { Stryker } = await import('@stryker-mutator/core');
  const run = new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    mutate: asked.length > 0 ? asked.flatMap((file) => placeOf(of, file) ?? []) : codeOf(of),
    // Its compiler is not the one that Stryker knows how to read settings for.
    tsconfigFile: 'no-tsconfig.json',
    coverageAnalysis: 'perTest',
    concurrency: Number(values.processes),
    // A busy machine must not look like an endless loop, which counts as noticed.
    timeoutMS: 60_000,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 30,
    // What all the tests notice is not forgotten for what a few do not.
    incremental: !judges,
    incrementalFile: known,
    force: values.afresh,
    clearTextReporter: { logTests: false, reportTests: false },
    reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
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
  const noticed = ['Killed', 'Timeout'];
  const known: { files: Record<string, { mutants: { status: string }[] }> } = JSON.parse(readFileSync(file, 'utf8'));
  for (const one of Object.values(known.files))
    one.mutants = one.mutants.filter(({ status }) => noticed.includes(status));
  writeFileSync(file, JSON.stringify(known));
}
