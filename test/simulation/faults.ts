import { execFile } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { TurnFault } from './plan.ts';
import { order, Unreachable } from './processes.ts';
import type { Scene } from './scene.ts';

const run = promisify(execFile);
const frozenMs = 1_500;
const hourInMs = 3_600_000;

/** Begins a turn's fault, and returns what ends it. */
export async function beginFault(scene: Scene, fault: TurnFault, dataDir: string): Promise<() => Promise<void>> {
  const { payer, mails, processes } = scene;
  const first = processes[0];
  switch (fault) {
    case 'none':
      return async () => undefined;
    case 'databaseKilled': {
      const [postmaster] = await databasePids(scene);
      process.kill(Number(postmaster), 'SIGKILL');
      return async () => undefined;
    }
    case 'databaseFrozen': {
      const pids = await databasePids(scene);
      signalAll(pids, 'SIGSTOP');
      const thawed = pause(frozenMs).then(() => signalAll(pids, 'SIGCONT'));
      return () => thawed;
    }
    case 'processStopped': {
      first.child.kill('SIGSTOP');
      const goesOn = pause(frozenMs).then(() => void first.child.kill('SIGCONT'));
      return () => goesOn;
    }
    case 'clockBack':
    case 'clockAhead': {
      const shift = fault === 'clockBack' ? -hourInMs : hourInMs;
      await tell(scene, new Date(scene.at.getTime() + shift));
      return () => tell(scene, scene.at);
    }
    case 'storageNotReady':
      return makeNotReady(dataDir);
    case 'mailsFail':
      mails.fault = 'keeps, then drops';
      return async () => {
        mails.fault = null;
      };
    case 'receiverFails':
      payer.system.answers.push('cut', { status: 500 }, 'cut');
      return async () => {
        payer.system.answers.length = 0;
      };
  }
}

/** Sets the clock of both processes. One that has just died gets it at its start. */
export async function tell({ processes }: Scene, at: Date): Promise<void> {
  await Promise.all(
    processes.map((one) =>
      order(one, { clock: at.toISOString() }).catch((error: unknown) => {
        if (!(error instanceof Unreachable)) throw error;
      }),
    ),
  );
}

/** The first is the process that the others belong to. */
async function databasePids({ pool }: Scene): Promise<number[]> {
  const { rows } = await pool.query<{ file: string }>(`select pg_read_file('postmaster.pid') as file`);
  const postmaster = Number(rows[0]?.file.split('\n')[0]);
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(postmaster)]);
  return [postmaster, ...stdout.trim().split(/\s+/).map(Number)];
}

/** Some may have ended meanwhile. */
function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** A device that takes no byte stands where the product tries its storage, so it says that it is not ready. */
async function makeNotReady(dataDir: string): Promise<() => Promise<void>> {
  const trial = path.join(dataDir, 'files', '.readiness');
  await symlink('/dev/full', trial).catch(() => undefined);
  return () => rm(trial, { force: true });
}
