import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from '../ground.ts';
import { startSeveral } from '../installation.ts';
import { startOwnDatabase } from '../own-database.ts';
import { underAllLoad } from '../under-load.ts';
import { findDatabaseProcesses } from './database-processes.ts';

const awayMs = 30_000;
const workMs = 5_000;
/** The product answers again at once. A statement that hung is given up after eight seconds. */
const graceSeconds = 10;

/** Stops every process of the database for half a minute, as a machine that hangs does, and lets it go on. */
export const frozen: Drill = async (ground) => {
  const address = await startOwnDatabase(ground);
  const { installation } = await startSeveral(ground, { workers: 1, address });
  let stopped: number[] = [];
  const goOn = () => {
    for (const pid of stopped.splice(0).toReversed()) process.kill(pid, 'SIGCONT');
  };
  // A database that stands still cannot be ended.
  ground.undo.push(goOn);
  return underAllLoad(ground, installation, `the database frozen for ${awayMs / 1000} s`, async (breaking) => {
    await pause(workMs);
    ground.say('SIGSTOP to all processes of the database …');
    breaking({ lastsSeconds: awayMs / 1000 + graceSeconds, endsWorker: true });
    stopped = await findDatabaseProcesses(path.join(ground.folder, 'database'));
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    await pause(awayMs);
    ground.say('SIGCONT …');
    goOn();
    await pause(workMs + graceSeconds * 1000);
  });
};
