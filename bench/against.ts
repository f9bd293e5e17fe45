import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import type { Answered, Asked } from './against-side.ts';
import { addCheckout, findTwoCommits, removeCheckout } from './checkout.ts';
import { alignColumns, median, quantile } from './figures.ts';
import { databaseTimeInMs, parentOf } from './processor-time.ts';
import { chooseScenarios } from './scenario-files.ts';

interface Options {
  root: string;
  ref: string;
  names: string[];
  turns: number;
  /** The most rounds of a turn. */
  rounds: number;
  print: (line: string) => void;
  signal: AbortSignal;
}
interface Side {
  commit: string;
  checkout: string;
  /** Where the scenarios are. */
  folder: string;
  database: Database;
  process: ChildProcess | null;
}
interface Database {
  connectionString: string;
  postmaster: number;
  stop(): Promise<void>;
}
interface Turn {
  applicationInMs: number;
  databaseInMs: number;
  wallInMs: number;
}
interface Taken {
  other: Turn[];
  present: Turn[];
}
interface Fault {
  fault: string;
}

const headings = ['', 'application, ms', '', 'database, ms', '', 'on the clock, ms', '', 'processor time'];
/** Where the measuring commit's scenarios lie in the other one's checkout. */
const laidBeside = 'bench-that-measures';

/**
 * Measures the last commit and another one in turns, on the same scenarios. Returns a sentence if they cannot be
 * measured. It reads processor time, so that other work on the machine changes little.
 */
export async function measureAgainst(options: Options): Promise<string | null> {
  const { root, ref, names, print, signal } = options;
  const { files, unknown } = chooseScenarios(path.join(root, 'bench'), names);
  if (unknown.length > 0) return `No scenario is called ${unknown.join(' or ')}.`;
  const commits = await findTwoCommits(root, ref);
  if (commits.refusal !== null) return commits.refusal;

  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-against-'));
  const checkouts = ['other', 'present'].map((name) => path.join(folder, name)) as [string, string];
  const databases: Database[] = [];
  try {
    await addCheckout(root, commits.other, checkouts[0], signal);
    // The present commit has one too, so that nobody has to stop working meanwhile.
    await addCheckout(root, commits.present, checkouts[1], signal);
    await cp(path.join(checkouts[1], 'bench'), path.join(checkouts[0], laidBeside), { recursive: true });
    for (const name of ['of-other', 'of-present']) databases.push(await openDatabase(path.join(folder, name)));
    const [ofOther, ofPresent] = databases as [Database, Database];
    const sides: [Side, Side] = [
      { commit: commits.other, checkout: checkouts[0], folder: laidBeside, database: ofOther, process: null },
      { commit: commits.present, checkout: checkouts[1], folder: 'bench', database: ofPresent, process: null },
    ];
    print(
      `${commits.other} (left) and ${commits.present} (right), ${options.turns} turns each; medians of a round, and the middle half of the turns`,
    );
    for (const file of files) await measureScenario(sides, file, { ...options, temporary: folder });
    return null;
  } finally {
    for (const { stop } of databases) await stop();
    for (const checkout of checkouts) await removeCheckout(root, checkout);
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureScenario(sides: [Side, Side], file: string, options: Options & { temporary: string }) {
  const { turns, print } = options;
  try {
    const [other, present] = [await prepare(sides[0], file, options), await prepare(sides[1], file, options)];
    const rounds = Math.min(options.rounds, Math.ceil(present.rounds / turns));
    const rows = [[`${file.replace('.bench.ts', '')}, ${rounds} rounds a turn`, ...headings.slice(1)]];
    for (const [index, name] of present.cases.entries()) {
      const ofOther = other.cases.indexOf(name);
      if (ofOther < 0) {
        print(`${name}: only ${sides[1].commit} has it.`);
        continue;
      }
      const taken = await takeTurns(sides, [ofOther, index], rounds, options);
      if ('fault' in taken) print(`${name}: ${taken.fault}`);
      else rows.push([name, ...figuresOf(taken)]);
    }
    for (const line of alignColumns(rows)) print(line);
  } finally {
    await Promise.all(sides.map(end));
  }
}

/**
 * Both commits run the scenario of the one that measures, because a scenario that has changed measures something else.
 * If it does not run on the other commit, that commit runs its own.
 */
async function prepare(side: Side, file: string, options: Options & { temporary: string }) {
  const { print, signal, temporary } = options;
  const start = async (folder: string) => {
    side.process = fork(path.join(import.meta.dirname, 'against-side.ts'), [], {
      cwd: side.checkout,
      env: { ...process.env, TEST_DATABASE_URL: side.database.connectionString, TMPDIR: temporary },
      signal,
    });
    // Whoever waits for an answer hears of an interruption by the side's end. Nobody else has to.
    side.process.on('error', () => undefined);
    return ask(side.process, { prepare: path.join(folder, file) });
  };
  let answer = await start(side.folder);
  if ('fault' in answer && side.folder === laidBeside) {
    print(`${file}: ${side.commit} runs its own scenario, because ours does not run there: ${answer.fault}`);
    await end(side);
    answer = await start('bench');
  }
  if (!('cases' in answer)) throw new Error(`${file} does not run on ${side.commit}: ${faultOf(answer)}`);
  return answer;
}

async function takeTurns(
  sides: [Side, Side],
  cases: [number, number],
  rounds: number,
  { turns, signal }: Options,
): Promise<Taken | Fault> {
  const taken: Taken = { other: [], present: [] };
  for (let turn = 0; turn < turns; turn += 1) {
    // Otherwise the same side would go first each time, on the colder machine.
    for (const place of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      signal.throwIfAborted();
      const took = await takeTurn(sides[place], cases[place], rounds);
      if ('fault' in took) return took;
      taken[place === 0 ? 'other' : 'present'].push(took);
    }
  }
  return taken;
}

async function takeTurn(side: Side, index: number, rounds: number): Promise<Turn | Fault> {
  const child = side.process as ChildProcess;
  // Connections that were closed while the other side ran are opened again before anything counts.
  const warmedUp = await ask(child, { run: index, rounds: 1 });
  const before = databaseTimeInMs(side.database.postmaster);
  const answer = 'fault' in warmedUp ? warmedUp : await ask(child, { run: index, rounds });
  const databaseInMs = (databaseTimeInMs(side.database.postmaster) - before) / rounds;
  if (!('wallInMs' in answer)) return { fault: `It does not run on ${side.commit}: ${faultOf(answer)}` };
  return { applicationInMs: answer.processorInMs / rounds, databaseInMs, wallInMs: median(answer.wallInMs) };
}

function figuresOf({ other, present }: Taken): string[] {
  const ratios = present.map((turn, index) => timeOf(turn) / timeOf(other[index] as Turn));
  const [low, high] = [quantile(ratios, 0.25), quantile(ratios, 0.75)].map((ratio) => ratio.toFixed(2));
  const parts = ['applicationInMs', 'databaseInMs', 'wallInMs'] as const;
  const middle = (turns: Turn[], part: keyof Turn) => median(turns.map((turn) => turn[part])).toFixed(2);
  return [
    ...parts.flatMap((part) => [middle(other, part), middle(present, part)]),
    `${(median(present.map(timeOf)) / median(other.map(timeOf))).toFixed(2)} times (${low} to ${high})`,
  ];
}

function timeOf({ applicationInMs, databaseInMs }: Turn): number {
  return applicationInMs + databaseInMs;
}

function ask(child: ChildProcess, asked: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('A side has ended.'));
    child.once('exit', ended);
    child.once('error', reject);
    child.once('message', (answer: Answered) => {
      child.off('exit', ended);
      child.off('error', reject);
      resolve(answer);
    });
    child.send(asked);
  });
}

function faultOf(answer: Answered): string {
  return 'fault' in answer ? answer.fault : 'it answered something else';
}

async function end(side: Side): Promise<void> {
  const child = side.process;
  side.process = null;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}

/** Each side has a server of its own, which vacuums nothing by itself, so that no turn pays for that. */
async function openDatabase(dataDir: string): Promise<Database> {
  const log = { info: () => undefined, warn: (message: string) => process.stderr.write(`${message}\n`) };
  const { connectionString, stop } = await startEmbeddedDatabase({ dataDir, log, fast: true });
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('alter system set autovacuum = off');
    await client.query('select pg_reload_conf()');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return { connectionString, stop, postmaster: parentOf(rows[0]?.pid ?? 0) };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await client.end();
  }
}
