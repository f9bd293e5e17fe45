import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '#server/config.ts';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { type DatabaseLog, findDatabaseFolder } from '#server/platform/embedded-database-location.ts';
import { openStorage } from '#server/platform/storage.ts';
import { unfinishedRestoreIn } from '#server/platform/unfinished-restore.ts';
import { secretCheckOf } from './backup-making.ts';
import type { CheckedBackup } from './backup-reading.ts';
import { keptSecretName, readIfThere } from './backup-source.ts';
import { type RestoreTarget, readKeptSecret, requireEmptyDatabase, restoreBackup } from './restoring.ts';

type Settings = Pick<Config, 'databaseDirectUrl' | 'dataDir' | 's3' | 'authSecret'>;
type VerifyLedger = RestoreTarget['verifyLedger'];

/** Makes an instance with an embedded database in an empty folder. Leaves the folder empty if that fails. */
export async function restoreIntoFolder(
  backup: CheckedBackup,
  config: Settings,
  verifyLedger: VerifyLedger,
  log: DatabaseLog,
): Promise<string[]> {
  const { dataDir } = config;
  const isNew = !existsSync(dataDir);
  if (!isNew && (await readdir(dataDir)).length > 0) {
    throw new Error(`${dataDir} is not empty: restore into an empty folder.`);
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const mark = unfinishedRestoreIn(dataDir);
  await writeFile(mark, `Restoring ${backup.manifest.snapshotAt}\n`, { flag: 'wx', mode: 0o600 });
  try {
    const embedded = await startEmbeddedDatabase({ dataDir, log });
    try {
      await fill(backup, config, embedded.connectionString, verifyLedger);
    } finally {
      await embedded.stop();
    }
    await rm(mark);
  } catch (error) {
    const elsewhere = await findDatabaseFolder(dataDir);
    if (elsewhere) await rm(elsewhere, { recursive: true, force: true });
    for (const name of await readdir(dataDir)) await rm(path.join(dataDir, name), { recursive: true, force: true });
    if (isNew) await rm(dataDir, { recursive: true });
    throw failed(error, `${dataDir} is as empty as before`);
  }
  return warningsOf(backup, config);
}

/** Fills an empty database of a server, and the storage that the settings name. Leaves both empty if that fails. */
export async function restoreIntoServer(
  backup: CheckedBackup,
  config: Settings,
  verifyLedger: VerifyLedger,
): Promise<string[]> {
  const connectionString = config.databaseDirectUrl ?? '';
  await requireEmptyDatabase(connectionString);
  await requireNoOtherSecret(backup, config);
  const folder = path.join(config.dataDir, 'files');
  const isFolderNew = !config.s3 && !existsSync(folder);
  const storage = await openStorage(config);
  if (!(await storage.isEmpty())) {
    throw new Error('The storage of files is not empty: restore into an empty one.');
  }
  try {
    await fill(backup, config, connectionString, verifyLedger);
  } catch (error) {
    if (!config.s3) for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true });
    if (isFolderNew) await rm(folder, { recursive: true, force: true });
    throw failed(error, 'The database and the storage are as empty as before');
  }
  return warningsOf(backup, config);
}

async function fill(
  backup: CheckedBackup,
  config: Settings,
  connectionString: string,
  verifyLedger: VerifyLedger,
): Promise<void> {
  const secretFile = path.join(config.dataDir, keptSecretName);
  const kept = config.authSecret ? null : await readKeptSecret(backup);
  const isWritten = kept !== null && !existsSync(secretFile);
  if (isWritten) {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    await writeFile(secretFile, kept, { flag: 'wx', mode: 0o600, flush: true });
  }
  try {
    await restoreBackup(backup, { connectionString, storage: await openStorage(config), verifyLedger });
  } catch (error) {
    if (isWritten) await rm(secretFile);
    throw error;
  }
}

async function requireNoOtherSecret(backup: CheckedBackup, { authSecret, dataDir }: Settings): Promise<void> {
  if (authSecret || backup.manifest.secret === null) return;
  const present = await readIfThere(path.join(dataDir, keptSecretName));
  if (present === null || secretCheckOf(present.trim()) === backup.manifest.secretCheck) return;
  throw new Error(`${dataDir} holds the secret of another instance: set DATA_DIR to an empty folder.`);
}

function warningsOf({ manifest }: CheckedBackup, { authSecret }: Settings): string[] {
  if (authSecret && manifest.secretCheck !== null && secretCheckOf(authSecret) !== manifest.secretCheck) {
    return ['AUTH_SECRET is not the one of the backup: second factors and sealed messages need the same one.'];
  }
  if (!authSecret && manifest.secret === null && manifest.secretCheck !== null) {
    return ['Where the backup was made, AUTH_SECRET was a setting: set the same one before the next start.'];
  }
  return [];
}

function failed(error: unknown, state: string): Error {
  const cause = error instanceof Error ? error.message : String(error);
  return new Error(`${cause}\nNothing was restored. ${state}.`, { cause: error });
}
