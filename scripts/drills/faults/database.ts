import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startDatabaseProxy } from '#test/support/database-proxy.ts';
import { findDatabaseProcesses } from '../database-processes.ts';
import type { Drill } from '../ground.ts';
import { startSeveral } from '../installation.ts';
import { startOwnDatabase } from '../own-database.ts';
import { type Breaks, underAllLoad } from '../under-load.ts';

const troubleMs = 30_000;
const workMs = 5_000;
/** The product answers again at once. A statement that hung is given up after eight seconds. */
const graceSeconds = 10;
const window = { lastsSeconds: troubleMs / 1000 + graceSeconds, endsWorker: true };

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
  const breakThings: Breaks['breakThings'] = async ({ breaking }) => {
    await pause(workMs);
    ground.say('SIGSTOP to all processes of the database …');
    breaking(window);
    stopped = await findDatabaseProcesses(path.join(ground.folder, 'database'));
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    await pause(troubleMs);
    ground.say('SIGCONT …');
    goOn();
    await pause(workMs + graceSeconds * 1000);
  };
  const injected = `the database frozen for ${troubleMs / 1000} s (SIGSTOP)`;
  return underAllLoad(ground, installation, { injected, breakThings });
};

/** Resets all connections to the database, and refuses new ones for half a minute. */
export const away: Drill = async (ground) => {
  const address = await startOwnDatabase(ground);
  const proxy = await startDatabaseProxy(address);
  ground.undo.push(proxy.close);
  const { installation } = await startSeveral(ground, { workers: 1, address, way: proxy.connectionString });
  const breakThings: Breaks['breakThings'] = async ({ breaking }) => {
    await pause(workMs);
    ground.say('The database goes away …');
    breaking(window);
    await proxy.goAway();
    await pause(troubleMs);
    ground.say('The database is back …');
    await proxy.comeBack();
    await pause(workMs + graceSeconds * 1000);
  };
  const injected = `the database away for ${troubleMs / 1000} s (connections reset, new ones refused)`;
  return underAllLoad(ground, installation, { injected, breakThings });
};
