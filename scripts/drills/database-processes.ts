import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { findDatabaseFolder } from '#server/platform/embedded-database-location.ts';
import { readUnlessGone } from '#server/platform/embedded-database-processes.ts';
import { waitFor } from './ground.ts';

/** The processes of the embedded database of a data folder: the first one, then those that it has made. */
export async function findDatabaseProcesses(dataDir: string): Promise<number[]> {
  let first: number | null = null;
  await waitFor('the database started', async () => {
    first = await findFirst(dataDir);
    return first !== null;
  });
  const all = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const parents = await Promise.all(all.map(readParent));
  return [first ?? 0, ...all.filter((_, index) => parents[index] === first)];
}

/** The database of a killed process is stopped by its watchdog. */
export async function untilDatabaseEnded(dataDir: string): Promise<void> {
  await waitFor('the database ended', async () => (await findFirst(dataDir)) === null);
}

async function findFirst(dataDir: string): Promise<number | null> {
  const folder = await findDatabaseFolder(dataDir);
  const pidFile = folder && (await readUnlessGone(path.join(folder, 'data', 'postmaster.pid')));
  const pid = Number.parseInt(pidFile ?? '', 10);
  return pid > 0 && existsSync(`/proc/${pid}`) ? pid : null;
}

async function readParent(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
