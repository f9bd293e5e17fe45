import { existsSync } from 'node:fs';
import path from 'node:path';
import { superuser } from './embedded-database-control.ts';
import { findDatabaseFolder } from './embedded-database-location.ts';
import { findRunningProcess, readUnlessGone } from './embedded-database-processes.ts';

export const databaseName = 'switchyard';

export function addressOfEmbedded(password: string, port: number | string): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${databaseName}`;
}

/**
 * The state of the embedded database, for a command that runs beside the server. It makes nothing and starts nothing.
 */
export async function findEmbeddedDatabase(
  dataDir: string,
): Promise<{ state: 'missing' | 'stopped' } | { state: 'running'; connectionString: string }> {
  const folder = await findDatabaseFolder(path.resolve(dataDir));
  const cluster = path.join(folder, 'data');
  if (!existsSync(cluster)) return { state: 'missing' };
  const [pid, , , port] = ((await readUnlessGone(path.join(cluster, 'postmaster.pid'))) ?? '').split('\n');
  const postmaster = pid ? await findRunningProcess(Number(pid)) : null;
  if (!port || !postmaster?.command.includes(cluster)) return { state: 'stopped' };
  const password = await readUnlessGone(path.join(folder, 'password'));
  return { state: 'running', connectionString: addressOfEmbedded((password ?? '').trim(), port.trim()) };
}
