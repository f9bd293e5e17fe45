import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { findDatabaseFolder } from '#server/platform/embedded-database-location.ts';
import { readUnlessGone } from '#server/platform/embedded-database-processes.ts';
import { waitFor } from '../ground.ts';

/** The processes of the embedded database of a data folder: the first one, then those that it has made. */
export async function findDatabaseProcesses(dataDir: string): Promise<number[]> {
  const folder = await findDatabaseFolder(dataDir);
  if (!folder) throw new Error(`${dataDir} has no database.`);
  const pidFile = path.join(folder, 'data', 'postmaster.pid');
  let first = Number.NaN;
  await waitFor('the database started', async () => {
    first = Number.parseInt((await readUnlessGone(pidFile)) ?? '', 10);
    return first > 0 && (await readParent(first)) !== null;
  });
  const all = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const parents = await Promise.all(all.map(readParent));
  return [first, ...all.filter((_, index) => parents[index] === first)];
}

async function readParent(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
