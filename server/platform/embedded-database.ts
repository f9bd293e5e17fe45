import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { withConnection } from '#server/db/database.ts';
import { addressOfEmbedded, databaseName } from './embedded-database-address.ts';
import { prepareBinaries } from './embedded-database-binaries.ts';
import {
  type Cluster,
  clearLeftovers,
  clusterExists,
  dismissWatchdog,
  initialiseCluster,
  startCluster,
  startWatchdog,
  writePassword,
} from './embedded-database-control.ts';
import { locateDatabaseFolder } from './embedded-database-location.ts';
import { claimOwnership, releaseOwnership } from './embedded-database-processes.ts';
import { keepRunning, type WatchOptions } from './embedded-database-watch.ts';

export type EmbeddedDatabase = { connectionString: string; stop(): Promise<void> };

interface Options extends WatchOptions {
  dataDir: string;
  /** Gives up durability, for tests. */
  fast?: boolean;
}

/**
 * Runs PostgreSQL from an npm package, with its data below `dataDir`. It ends with this process, however this process
 * ends. If it ends earlier, it is started again.
 */
export async function startEmbeddedDatabase(options: Options): Promise<EmbeddedDatabase> {
  const dataDir = path.resolve(options.dataDir);
  const { folder, account } = await locateDatabaseFolder(dataDir, options.log);
  const binaries = await prepareBinaries(dataDir, account);
  const cluster: Cluster = { dataDir, folder, account, binaries, fast: options.fast ?? false };
  const owner = await claimOwnership(folder, account);
  const watchdog = startWatchdog(cluster, owner);
  try {
    await clearLeftovers(cluster);
    const password = await preparePassword(cluster);
    const port = await startCluster(cluster);
    const connectionString = addressOfEmbedded(password, port);
    await createDatabaseWhenMissing(connectionString);
    const stopWatching = keepRunning(cluster, port, options);
    return {
      connectionString,
      stop: async () => {
        await stopWatching();
        await clearLeftovers(cluster);
        dismissWatchdog(watchdog);
        await releaseOwnership(folder, owner);
      },
    };
  } catch (error) {
    await clearLeftovers(cluster);
    dismissWatchdog(watchdog);
    await releaseOwnership(folder, owner);
    throw error;
  }
}

async function preparePassword(cluster: Cluster): Promise<string> {
  const file = path.join(cluster.folder, 'password');
  if (clusterExists(cluster)) return (await readFile(file, 'utf8')).trim();
  const password = randomBytes(24).toString('base64url');
  await writePassword(cluster, file, password);
  await initialiseCluster(cluster, file);
  return password;
}

async function createDatabaseWhenMissing(connectionString: string): Promise<void> {
  const maintenance = new URL(connectionString);
  maintenance.pathname = '/postgres';
  await withConnection(maintenance.href, async (client) => {
    const existing = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (existing.rowCount === 0) await client.query(`create database ${databaseName}`);
  });
}
