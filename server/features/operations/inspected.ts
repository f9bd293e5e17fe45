import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Finding } from '#contract/operations.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { findLastBackup, type LastBackup } from '#server/features/backups/backup-queries.ts';
import { findDatabaseFolder } from '#server/platform/embedded-database-location.ts';
import type { Secrets } from '#server/platform/secret-box.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import { type DatabaseFacts, findDatabaseFacts } from './database-facts-queries.ts';

/** What looks are taken at: the parts of an installation, and what was read of them once for all looks. */
export interface Inspected {
  config: Config;
  /** AUTH_SECRET, given or generated, and the former one if it is still accepted. */
  secrets: Secrets;
  db: Db;
  storage: Storage;
  facts: DatabaseFacts;
  machine: MachineFacts;
  backup: LastBackup | null;
}

export interface MachineFacts {
  freeBytes: number;
  diskBytes: number;
  /** Files with a secret in them that other accounts of this machine can read. */
  readableFiles: string[];
}

export const settingsFile = '.env';

/** What a look answers. Null if all is well. */
export type Answer = Omit<Finding, 'code'> | null;

export const warning = (problem: string, remedy: string): Answer => ({ severity: 'warning', problem, remedy });
export const fault = (problem: string, remedy: string): Answer => ({ severity: 'error', problem, remedy });

export async function readInspected(
  parts: Pick<Inspected, 'config' | 'secrets' | 'db' | 'storage'>,
): Promise<Inspected> {
  const [facts, machine, backup] = await Promise.all([
    findDatabaseFacts(parts.db),
    readMachine(parts.config),
    findLastBackup(parts.db),
  ]);
  return { ...parts, facts, machine, backup };
}

export async function readMachine({ dataDir }: Pick<Config, 'dataDir'>): Promise<MachineFacts> {
  const cluster = await findDatabaseFolder(dataDir);
  const passwords = cluster === null ? [] : [path.join(cluster, 'password')];
  const secrets = [path.join(dataDir, 'auth-secret'), ...passwords, path.resolve(settingsFile)];
  const open = await Promise.all([...secrets, path.join(dataDir, 'files')].map(isReadableByOthers));
  return { ...(await readDisk({ dataDir })), readableFiles: open.flatMap((file) => file ?? []) };
}

export async function readDisk({ dataDir }: Pick<Config, 'dataDir'>) {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  return { freeBytes: bavail * bsize, diskBytes: blocks * bsize };
}

async function isReadableByOthers(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  const others = found?.isDirectory() ? 0o007 : 0o044;
  return found && (found.mode & others) !== 0 ? file : null;
}
