import { parseArgs } from 'node:util';
import { readConfig } from '#server/config.ts';
import { checkBackup } from '#server/features/backups/backup-reading.ts';
import { openPlace } from '#server/features/backups/open-place.ts';
import { restoreIntoFolder, restoreIntoServer } from '#server/features/backups/restore-target.ts';
import { readBackupKey } from '#server/features/backups/sealing.ts';
import { verifyLedgerOf } from '#server/features/payments/ledger.ts';

const usage = `Usage: npm run restore -- --from <folder/backup | s3://bucket/prefix/backup> [--into <data folder | postgres://…>]
Without --into, it restores into DATABASE_URL, or into DATA_DIR. Either must be empty.`;

try {
  const { from, into } = readArguments();
  const config = readConfig(settingsFor(into));
  const [, address = '', name = ''] = /^(.*?)([^/]+)\/*$/.exec(from) ?? [];
  const place = await openPlace(address === '' ? '.' : address, config.backup.s3);
  const key = config.backup.key ? await readBackupKey(config.backup.key) : null;
  const startedAt = Date.now();
  const secondsSince = (moment: number) => ((Date.now() - moment) / 1000).toFixed(1);

  console.log(`Reading all of ${name} …`);
  const backup = await checkBackup(place, name, key);
  console.log(`It is whole and as it was written (${secondsSince(startedAt)} s). Restoring …`);
  const restore = config.databaseUrl ? restoreIntoServer : restoreIntoFolder;
  const warnings = await restore(backup, config, verifyLedgerOf, console);

  const { tables, files, ledger, snapshotAt } = backup.manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`Restored: ${rows} rows, ${files.count} files, as of ${snapshotAt}, in ${secondsSince(startedAt)} s.`);
  console.log(`The ledger is right and ends as the backup says: ${ledger.lines}:${ledger.lastHash}`);
  console.log('At the next start its jobs go on. Emails and hand-overs that waited at that moment are sent then.');
  for (const warning of warnings) console.log(warning);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readArguments(): { from: string; into: string | undefined } {
  const options = { from: { type: 'string' }, into: { type: 'string' } } as const;
  let values: { from?: string | undefined; into?: string | undefined };
  try {
    values = parseArgs({ options }).values;
  } catch (cause) {
    throw new Error(usage, { cause });
  }
  if (!values.from || values.into === '') throw new Error(usage);
  return { from: values.from, into: values.into };
}

/** The target takes the place of the settings that name the instance. */
function settingsFor(into: string | undefined): NodeJS.ProcessEnv {
  if (into === undefined) return process.env;
  // Both addresses are of the database that the command names, never of the one in the settings.
  if (/^postgres(ql)?:/.test(into)) return { ...process.env, DATABASE_URL: into, DATABASE_DIRECT_URL: into };
  if (/^\w+:/.test(into)) throw new Error(usage);
  return { ...process.env, DATABASE_URL: '', DATABASE_DIRECT_URL: '', DATA_DIR: into };
}
