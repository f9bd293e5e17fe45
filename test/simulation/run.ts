import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { addDays } from '#contract/weeks.ts';
import { openDatabase } from '#server/db/database.ts';
import { replaceClock } from '#server/platform/clock.ts';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { AppError } from '#server/platform/errors.ts';
import { startMailServer } from '#test/support/mail-server.ts';
import { settingsFor } from '#test/support/payment-system.ts';
import { acts } from './acts.ts';
import { beginFault, tell } from './faults.ts';
import { findBroken } from './invariants.ts';
import { startKeeping } from './kept.ts';
import { startPayer } from './payer.ts';
import { planDay, type Sizes, type Step, type Turn } from './plan.ts';
import { type PlantedBug, plantedInDatabase } from './planted.ts';
import { endSimulated, order, type ProcessSettings, restartSimulated, startSimulated } from './processes.ts';
import { findUnequalCopy } from './restored-copy.ts';
import type { Scene } from './scene.ts';
import { buildWorld, proveEverybody } from './world.ts';

export interface Simulation extends Sizes {
  seed: number;
  planted?: PlantedBug | undefined;
  say?: (line: string) => void;
}

export interface Outcome {
  figures: Scene['figures'] & { acknowledged: number; kills: number; days: number };
  /** Empty if all held. */
  violations: string[];
}

const settlesInMs = 60_000;
/** No job of a simulation takes so long, unless its process was killed. */
const lostAfterMs = 4_000;

/** Runs a term from a seed: every act through the API, and after each day everything that must hold. Stops at the first day on which something does not. */
export async function simulate({ seed, days, people, planted, say = () => undefined }: Simulation): Promise<Outcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-simulation-'));
  const undo: (() => Promise<unknown> | unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const dataDir = path.join(folder, 'data');
    await mkdir(dataDir);
    const log = { info: () => undefined, warn: () => undefined };
    const database = await startEmbeddedDatabase({ dataDir: folder, log, restartDelaysInMs: Array(100).fill(0) });
    undo.push(database.stop);
    const [payer, mails] = [await startPayer(), await startMailServer()];
    undo.push(payer.system.close, mails.close);
    const secret = randomBytes(32).toString('hex');
    const settings: ProcessSettings = {
      planted: planted ?? '',
      clock: () => scene?.at.toISOString() ?? new Date().toISOString(),
      env: {
        ...{ PORT: '0', DATABASE_URL: database.connectionString, DATA_DIR: dataDir, AUTH_SECRET: secret, DEMO: '0' },
        ...{
          REQUIRE_ADMIN_SECOND_FACTOR: '0',
          RATE_LIMIT_FACTOR: '100000',
          UPLOADS_PER_DAY: '99999',
          LOG_LEVEL: 'silent',
        },
        ...{
          SMTP_URL: mails.url,
          NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/node'),
          ...settingsFor(payer.system),
        },
      },
    };
    let scene: Scene | null = null;
    const first = await startSimulated(settings);
    undo.push(() => endSimulated(first, 'SIGKILL'));
    const second = await startSimulated(settings);
    undo.push(() => endSimulated(second, 'SIGKILL'));
    const opened = openDatabase(database.connectionString, { max: 4 });
    undo.push(opened.close);
    const { db, pool } = opened;
    const world = await buildWorld(db, secret, first.url, { days, people });
    for (const statement of planted ? (plantedInDatabase[planted] ?? []) : []) await pool.query(statement);
    scene = {
      ...{ db, pool, world, payer, mails, processes: [first, second], kept: startKeeping() },
      ...{
        today: world.firstDay,
        at: new Date(`${world.firstDay}T12:00:00Z`),
        turnFault: 'none',
        mayFailOthers: false,
      },
      ...{ figures: { acts: 0, refused: 0, cut: 0, faults: {} }, violations: [] },
    } satisfies Scene;
    const running = scene;
    undo.push(replaceClock(() => running.at));
    let day = 0;
    while (day < days && running.violations.length === 0) {
      await liveDay(running, planDay(seed, day, { days, people }), { day, dataDir, settings });
      running.violations.push(...(await findBroken(running)).map((what) => `${running.today}: ${what}`));
      day += 1;
      say(`Day ${day} (${running.today}): ${running.figures.acts} acts, ${running.kept.count()} acknowledged for good`);
    }
    if (running.violations.length === 0) running.violations.push(...(await findUnequalCopy(running, settings.env)));
    const kills = running.processes.reduce((sum, { starts }) => sum + starts - 1, 0);
    return {
      figures: { ...running.figures, acknowledged: running.kept.count(), kills, days: day },
      violations: running.violations,
    };
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

interface Day {
  day: number;
  dataDir: string;
  settings: ProcessSettings;
}

async function liveDay(scene: Scene, turns: Turn[], { day, dataDir, settings }: Day): Promise<void> {
  scene.today = addDays(scene.world.firstDay, day);
  await proveEverybody(scene.db);
  for (const turn of turns) {
    // Noon in the zones of both programmes lies between 17:00 and 19:00 UTC.
    scene.at = new Date(Date.parse(`${scene.today}T06:00:00Z`) + turn.minute * 60_000);
    scene.turnFault = turn.fault;
    scene.mayFailOthers = turn.steps.some(({ fault }) => fault === 'killed' || fault === 'commitFails');
    await tell(scene, scene.at);
    const end = await beginFault(scene, turn.fault, dataDir);
    note(scene, turn.fault);
    await Promise.all(turn.steps.map((step) => runStep(scene, step)));
    await end();
    await recover(scene, settings);
  }
  scene.turnFault = 'none';
  scene.at = new Date(Date.parse(`${addDays(scene.today, 1)}T05:00:00Z`));
  await tell(scene, scene.at);
  await order(scene.processes[0], { runScheduledJobs: true });
  await settle(scene);
}

async function runStep(scene: Scene, step: Step): Promise<void> {
  note(scene, step.fault);
  const act = acts[step.act];
  scene.figures.acts += 1;
  const twice: Step[] = step.fault === 'doneTwice' ? [{ ...step, process: step.process === 0 ? 1 : 0 }] : [];
  await Promise.all(
    [step, ...twice].map((one) =>
      act(scene, one).catch((error: unknown) => {
        if (!isOwnLookCut(scene, error)) throw error;
      }),
    ),
  );
}

/** The simulation looks into the database, too, to choose what is acted upon. */
function isOwnLookCut({ turnFault }: Scene, error: unknown): boolean {
  if (turnFault !== 'databaseKilled' && turnFault !== 'databaseFrozen') return false;
  if (error instanceof AppError) return error.code === 'unavailable';
  return (
    error instanceof Error &&
    /terminating connection|Connection terminated|ECONN|the database system is/.test(error.message)
  );
}

function note({ figures }: Scene, fault: string): void {
  if (fault !== 'none') figures.faults[fault] = (figures.faults[fault] ?? 0) + 1;
}

/** Starts again what has died, and waits until the database and both processes answer. */
async function recover(scene: Scene, settings: ProcessSettings): Promise<void> {
  // A connection from before may answer on for a moment after the server of it was killed.
  await comesBack('The database', () => withNewConnection(settings.env.DATABASE_URL ?? ''));
  for (const one of scene.processes) if (one.isDown()) await restartSimulated(one, settings);
  for (const { url } of scene.processes) {
    await comesBack('A process', async () => {
      const { status } = await fetch(`${url}/readyz`);
      if (status !== 200) throw new Error(`It answers ${status}.`);
    });
  }
}

async function withNewConnection(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}

async function comesBack(what: string, ask: () => Promise<unknown>): Promise<void> {
  const giveUpAt = performance.now() + settlesInMs;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (performance.now() > giveUpAt) throw new Error(`${what} did not come back.`, { cause: error });
    }
    await pause(100);
  }
}

/** Waits until every job that may run has ended. */
async function settle(scene: Scene): Promise<void> {
  const giveUpAt = performance.now() + settlesInMs;
  const loseAt = performance.now() + lostAfterMs;
  for (;;) {
    const { rows } = await scene.pool.query<{ name: string }>(
      `select distinct name from pgboss.job where state = 'active' or state in ('created', 'retry') and start_after <= now()`,
    );
    if (rows.length === 0) return;
    if (performance.now() > loseAt) await loseJobsOfKilled(scene);
    if (performance.now() > giveUpAt) {
      scene.violations.push(`${scene.today}: jobs do not end: ${rows.map(({ name }) => name).join(', ')}`);
      return;
    }
    await pause(50);
  }
}

/** The queue does this itself after the minutes that a job may take. Nobody waits for them here. */
async function loseJobsOfKilled({ pool }: Scene): Promise<void> {
  await pool.query(
    `update pgboss.job set state = 'retry', retry_count = retry_count + 1, start_after = now()
    where state = 'active' and started_on < now() - make_interval(secs => $1) and retry_count < retry_limit`,
    [lostAfterMs / 1000],
  );
}
