import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase, withConnection } from '#server/db/database.ts';
import { findPending } from '#server/db/migrate.ts';
import { runBackup } from '#server/features/backups/backup-runs.ts';
import { backupSourceOf } from '#server/features/backups/backup-source.ts';
import { openPlace } from '#server/features/backups/open-place.ts';
import { makeBackupKey, readBackupKey } from '#server/features/backups/sealing.ts';
import { openStorage } from '#server/platform/storage.ts';
import { besideInstance } from './with-database.ts';

const usage = `Usage: npm run backup -- --to <folder | s3://bucket/prefix>
       npm run backup -- --new-key
Without --to, the backup goes to BACKUP_TO. With BACKUP_KEY, it is encrypted.`;

try {
  const { to, 'new-key': isKeyWanted } = readArguments();
  if (isKeyWanted) await printNewKey();
  else await besideInstance((connectionString, config) => backUp(connectionString, config, to ?? config.backup.to));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readArguments() {
  const options = { to: { type: 'string' }, 'new-key': { type: 'boolean', default: false } } as const;
  const { values } = tryTo(() => parseArgs({ options }));
  if (values.to === '' || (values['new-key'] && values.to !== undefined)) throw new Error(usage);
  return values;
}

function tryTo<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw new Error(usage, { cause });
  }
}

async function printNewKey(): Promise<void> {
  const { sealsFor, opens } = await makeBackupKey();
  console.log(`BACKUP_KEY=${sealsFor}`);
  console.log('The line above is all that the server needs: it can make backups with it, and read none.');
  console.log('Keep the line below elsewhere. Whoever has it reads the backups, and nobody else can.');
  console.log(`BACKUP_KEY=${opens}`);
}

async function backUp(
  connectionString: string,
  config: Parameters<Parameters<typeof besideInstance>[0]>[1],
  to: string | null,
): Promise<void> {
  if (!to) throw new Error(usage);
  const place = await openPlace(to, config.backup.s3);
  const pending = await withConnection(connectionString, findPending);
  if (pending.length > 0) {
    throw new Error(
      `The database is of an older build (${pending[0]} has not run): back it up with that build, or start this one first.`,
    );
  }
  if (!config.s3 && !existsSync(path.join(config.dataDir, 'files'))) {
    throw new Error(`There is no folder of files in ${config.dataDir}: DATA_DIR names another.`);
  }
  const key = config.backup.key ? await readBackupKey(config.backup.key) : null;
  const { db, close } = openDatabase(connectionString, { max: 1, namesStatements: config.namesStatements });
  try {
    const source = await backupSourceOf(config, connectionString, await openStorage(config));
    const startedAt = Date.now();
    const { name, manifest, sizeInBytes } = await runBackup(db, source, { place, key, isScheduled: false });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    console.log(`${name} is whole: ${rows} rows, ${manifest.files.count} files, ${sizeInBytes} bytes, ${seconds} s.`);
    console.log(`It lies in ${place.shown}${key ? `, encrypted for ${key.sealsFor}` : ', not encrypted'}.`);
    if (manifest.files.missing > 0) {
      console.log(`${manifest.files.missing} files were not in the storage any more, so it does not have them.`);
    }
  } finally {
    await close();
  }
}
