import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { type Db, databaseOn } from '#server/db/database.ts';
import { refuseOldServer } from '#server/db/migrate.ts';
import { beginLoading } from '#server/db/table-copies.ts';
import { isEmptyDatabase, loadTables } from '#server/db/table-loading.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import type { FileEntry, Manifest } from './backup-manifest.ts';
import type { CheckedBackup } from './backup-reading.ts';
import { measured } from './sealing.ts';

export interface RestoreTarget {
  connectionString: string;
  storage: Storage;
  /** Computes the ledger anew, and says what is wrong with it. */
  verifyLedger(db: Db): Promise<{ lines: number; lastHash: string; problems: string[] }>;
}

const filesAtOnce = 4;

export async function requireEmptyDatabase(connectionString: string): Promise<void> {
  await onConnection(connectionString, requireEmpty);
}

/**
 * Fills an empty database and an empty storage. The database takes all rows in one transaction, which ends only once
 * rows, references, ledger and files are as the manifest says. Otherwise it takes none, and the files go again.
 */
export async function restoreBackup(backup: CheckedBackup, target: RestoreTarget): Promise<void> {
  const { manifest, files } = backup;
  await onConnection(target.connectionString, async (client) => {
    await beginLoading(client);
    await requireEmpty(client);
    await loadTables(client, {
      history: new Map(manifest.migrations.map(({ name, checksum }) => [name, checksum])),
      tables: manifest.tables,
      sequences: manifest.sequences,
      open: ({ name }) => backup.readPart(tableOf(manifest, name)),
    });
    // Without figures of the tables, the questions about the ledger took minutes.
    await client.query('analyze');
    await requireSameLedger(client, manifest, target);
    try {
      await inTurns(files, (file) => restoreFile(backup, file, target.storage));
      await client.query('commit');
    } catch (error) {
      await inTurns(files, ({ path }) => target.storage.remove(path));
      throw error;
    }
  });
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  refuseOldServer(rows[0]?.server_version_num ?? '');
  if (!(await isEmptyDatabase(client))) throw new Error('The database is not empty: restore into an empty one.');
}

export async function readKeptSecret({ manifest, readPart }: CheckedBackup): Promise<string | null> {
  return manifest.secret ? text(await readPart(manifest.secret)) : null;
}

function tableOf({ tables }: Manifest, name: string) {
  const table = tables.find((candidate) => candidate.name === name);
  if (!table) throw new Error(`The backup has no table ${name}.`);
  return table;
}

async function requireSameLedger(
  client: pg.Client,
  { ledger }: Manifest,
  { verifyLedger }: RestoreTarget,
): Promise<void> {
  const { lines, lastHash, problems } = await verifyLedger(databaseOn(client));
  if (problems[0]) throw new Error(`The ledger of the restored rows is not right: ${problems[0]}`);
  if (lines === ledger.lines && lastHash === ledger.lastHash) return;
  throw new Error(`The ledger ends in ${lines}:${lastHash}, and the backup says ${ledger.lines}:${ledger.lastHash}.`);
}

/** Reads what was stored again, because a storage may answer well and keep something else. */
async function restoreFile(backup: CheckedBackup, file: FileEntry, storage: Storage): Promise<void> {
  await storage.write(file.path, await backup.readFile(file));
  const stored = await storage.read(file.path);
  if (!stored) throw new Error(`The storage did not keep ${file.path}.`);
  const { stream, measure } = measured(stored.stream);
  await pipeline(stream, new Writable({ write: (_chunk, _encoding, done) => done() }));
  if (measure().sha256 !== file.sha256) throw new Error(`The storage kept ${file.path} otherwise than it was.`);
}

async function inTurns<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const workers = Array.from({ length: filesAtOnce }, async () => {
    for (const item of waiting) await work(item);
  });
  const failed = (await Promise.allSettled(workers)).find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Ends the connection at once, whatever is under way on it: what was not committed is then taken back. */
async function onConnection<Result>(connectionString: string, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client({ connectionString, application_name: 'switchyard restore', keepAlive: true });
  // The statement under way fails with the same error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const result = await work(client);
    await client.end();
    return result;
  } catch (error) {
    client.connection.stream.destroy();
    throw error;
  }
}
