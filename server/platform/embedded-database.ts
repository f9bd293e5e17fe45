import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { withConnection } from '#server/db/database.ts';
import { prepareBinaries } from './embedded-database-binaries.ts';
import {
  addressOf,
  type Cluster,
  clearLeftovers,
  clusterExists,
  databaseName,
  dismissWatchdog,
  initialiseCluster,
  passwordFileIn,
  startCluster,
  startWatchdog,
  writePassword,
} from './embedded-database-control.ts';
import { findDatabaseFolder, locateDatabaseFolder } from './embedded-database-location.ts';
import { claimOwnership, isOwned, readUnlessGone, releaseOwnership } from './embedded-database-processes.ts';
import { endUpgrade, isOlder, upgradeCluster } from './embedded-database-upgrade.ts';
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
    await endUpgrade(cluster);
    const password = await preparePassword(cluster);
    if (await isOlder(cluster)) await upgradeCluster(cluster, { password, log: options.log, prepareDatabase });
    const port = await startCluster(cluster);
    const connectionString = addressOf(password, port);
    await prepareDatabase(connectionString);
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

/** Returns the address of the database that another process runs in this data folder. Null if none does. */
export async function findRunningDatabase(dataDir: string): Promise<string | null> {
  const folder = await findDatabaseFolder(path.resolve(dataDir));
  if (folder === null || !(await isOwned(folder))) return null;
  const [, , , port, , , , state = ''] = (
    (await readUnlessGone(path.join(folder, 'data', 'postmaster.pid'))) ?? ''
  ).split('\n');
  if (state.trim() !== 'ready') throw new Error(`The database in ${folder} is only just starting. Try again.`);
  return addressOf(await readPassword(folder), Number(port));
}

async function preparePassword(cluster: Cluster): Promise<string> {
  const file = passwordFileIn(cluster.folder);
  if (clusterExists(cluster)) return readPassword(cluster.folder);
  const password = randomBytes(24).toString('base64url');
  await writePassword(cluster, file, password);
  await initialiseCluster(cluster, file);
  return password;
}

async function readPassword(folder: string): Promise<string> {
  return (await readFile(passwordFileIn(folder), 'utf8')).trim();
}

/** Makes the database unless it is there. */
async function prepareDatabase(connectionString: string): Promise<void> {
  const maintenance = new URL(connectionString);
  maintenance.pathname = '/postgres';
  await withConnection(maintenance.href, async (client) => {
    const existing = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (existing.rowCount === 0) await client.query(`create database ${databaseName}`);
  });
}
