// Breaks an installation of its own in every way that we know of, and says what was lost: npm run faults. -- list names the ways.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { codeOf, type Drill, type Ending, runDrill } from './drills/ground.ts';

const faults: Record<string, { about: string; load: () => Promise<Drill> }> = {
  'kill-server': {
    about: 'kill -9 of the only process, with its database, at random moments',
    load: async () => (await import('./drills/faults/kills.ts')).server,
  },
  'kill-worker': {
    about: 'kill -9 of one of two workers at random moments',
    load: async () => (await import('./drills/faults/kills.ts')).worker,
  },
  'kill-database': {
    about: 'kill -9 of the embedded database at random moments',
    load: async () => (await import('./drills/faults/kills.ts')).database,
  },
  'database-away': {
    about: 'the database resets its connections and refuses new ones for half a minute',
    load: async () => (await import('./drills/faults/database.ts')).away,
  },
  'database-frozen': {
    about: 'the database stands still for half a minute',
    load: async () => (await import('./drills/faults/database.ts')).frozen,
  },
  'database-full': {
    about: 'the disk of the database is full for a while (needs root, for a disk of its own)',
    load: async () => (await import('./drills/faults/full.ts')).database,
  },
  'uploads-full': {
    about: 'the disk of the uploads is full for a while (needs root, for a disk of its own)',
    load: async () => (await import('./drills/faults/full.ts')).files,
  },
  'disk-full': {
    about: 'the only disk, with the database and the uploads, is full for a while (needs root, for a disk of its own)',
    load: async () => (await import('./drills/faults/full.ts')).everything,
  },
  storage: {
    about: 'S3 fails, is slow, hangs up, lies and stalls',
    load: async () => (await import('./drills/faults/neighbors.ts')).storage,
  },
  mail: {
    about: 'the mail server refuses, stalls, hangs up at each moment, and keeps its answer',
    load: async () => (await import('./drills/faults/neighbors.ts')).mail,
  },
  payments: {
    about: 'the payment system fails, is late, hangs up, lies, and confirms out of order and three times',
    load: async () => (await import('./drills/faults/neighbors.ts')).payments,
  },
  push: {
    about: 'the push service fails, hangs up and stalls',
    load: async () => (await import('./drills/faults/phones.ts')).push,
  },
  phone: {
    about: 'the provider of text messages fails, hangs up and stalls',
    load: async () => (await import('./drills/faults/phones.ts')).sms,
  },
  migrations: {
    about: 'four processes migrate an empty database at once, and one is killed meanwhile',
    load: async () => (await import('./drills/faults/migrations.ts')).together,
  },
  clock: {
    about: "the product's clock jumps an hour ahead and an hour back",
    load: async () => (await import('./drills/faults/clock.ts')).jumps,
  },
  'stopped-worker': {
    about: 'a worker stands still for minutes, and goes on when another one has taken its jobs',
    load: async () => (await import('./drills/faults/pauses.ts')).worker,
  },
};
const list = Object.entries(faults).map(([name, { about }]) => `  ${name.padEnd(18)} ${about}`);
const usage = `Usage: npm run faults                all of them, one after the other
       npm run faults -- NAME …      these alone
       npm run faults -- --seed N    with the random moments of an earlier run
       npm run faults -- list
${list.join('\n')}`;

process.chdir(path.join(import.meta.dirname, '..'));
try {
  const { names, seed } = readArguments();
  if (names[0] === 'list') console.log(list.join('\n'));
  else process.exit(await runAll(names.length > 0 ? names : Object.keys(faults), seed));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}

function readArguments(): { names: string[]; seed: number } {
  const { positionals: names, values } = tryToParse();
  const unknown = names.find((name) => !Object.hasOwn(faults, name) && name !== 'list');
  if (unknown !== undefined) throw new Error(`There is no fault called ${unknown}.\n${usage}`);
  if (names.includes('list') && names.length > 1) throw new Error(`list stands alone.\n${usage}`);
  const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000));
  if (!/^\d{1,9}$/.test(seed)) throw new Error(`A seed is a whole number of at most nine digits.\n${usage}`);
  return { names, seed: Number(seed) };
}

function tryToParse() {
  try {
    return parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true });
  } catch (cause) {
    throw new Error(usage, { cause });
  }
}

async function runAll(names: string[], seed: number): Promise<number> {
  console.log(`The seed of this run is ${seed}.`);
  const endings: [string, Ending][] = [];
  for (const name of names) {
    console.log(`\n${name}: ${faults[name]?.about}`);
    const ending = await runOne(name, seed);
    console.log(lineOf(name, ending));
    endings.push([name, ending]);
  }
  console.log(`\n${endings.map(([name, ending]) => lineOf(name, ending)).join('\n')}`);
  return Math.max(...endings.map(([, ending]) => codeOf(ending)));
}

async function runOne(name: string, seed: number): Promise<Ending> {
  const drill = await faults[name]?.load();
  if (!drill) throw new Error(`There is no fault called ${name}.`);
  return runDrill(name, drill, { seed });
}

/** The lines together are a table in Markdown. */
function lineOf(name: string, ending: Ending): string {
  const command = `\`npm run faults -- ${name}\``;
  if ('skipped' in ending) return `| ${command} | skipped: ${ending.skipped} | | | |`;
  const { summary, faults: found } = ending;
  if (!summary) throw new Error(`${name} has no summary.`);
  const { injected, underWay, lost, secondsWithoutAnswers } = summary;
  const wrong = found.length > 0 ? `, ${found.length} faults` : '';
  return `| ${command} | ${injected} | ${underWay} | ${lost}${wrong} | ${secondsWithoutAnswers} |`;
}
