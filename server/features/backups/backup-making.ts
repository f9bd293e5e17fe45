import { Readable } from 'node:stream';
import pg from 'pg';
import { databaseOn } from '#server/db/database.ts';
import { beginSnapshot, copyOut, findSequences, findTables, ofThisInstance } from '#server/db/table-copies.ts';
import { findStoredFiles, type StoredPlace } from '#server/features/files/stored-file-queries.ts';
import { findLedgerEnd } from '#server/features/payments/ledger-queries.ts';
import type { BackupLock } from '#server/platform/backup-lock.ts';
import { now } from '#server/platform/clock.ts';
import { keyFor } from '#server/platform/secret-box.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import { type FileEntry, knownFormat, type Manifest, type Part } from './backup-manifest.ts';
import type { BackupPlace } from './backup-place.ts';
import { type BackupKey, measured, packed, sealed } from './sealing.ts';

export interface BackupSource {
  connectionString: string;
  storage: Storage;
  /** The secret of the instance, and the copy of it that DATA_DIR keeps if no setting has it. */
  secret: string | null;
  keptSecret: string | null;
  /** The version of the product. */
  version: string;
}

export interface BackupTarget {
  place: BackupPlace;
  name: string;
  key: BackupKey | null;
}

type Rows = Pick<Manifest, 'snapshotAt' | 'postgres' | 'migrations' | 'ledger' | 'tables' | 'sequences'>;

const filesAtOnce = 4;

/**
 * Copies the rows of one moment, and then every file that they name. A file never changes and none is removed under the
 * lock, so all of them are there. The backup counts once its manifest is written, which comes last.
 */
export async function makeBackup(source: BackupSource, target: BackupTarget, lock: BackupLock): Promise<Manifest> {
  const { rows, storedFiles } = await copyRows(source, target);
  const files = await copyFiles(source.storage, storedFiles, target);
  const { secret, keptSecret, version } = source;
  const manifest: Manifest = {
    product: 'switchyard',
    format: knownFormat,
    version,
    ...rows,
    sealedFor: target.key?.sealsFor ?? null,
    secretCheck: secret && secretCheckOf(secret),
    files,
    secret: keptSecret === null ? null : await writePart(target, 'auth-secret', Readable.from([keptSecret])),
  };
  await lock.requireHeld();
  await target.place.finish(target.name, `${JSON.stringify(manifest, null, 1)}\n`);
  return manifest;
}

/** Tells secrets apart, and nothing about them. */
export function secretCheckOf(secret: string): string {
  return keyFor([secret], 'backup check').toString('hex');
}

export function sizeOfBackup({ tables, files, secret }: Manifest): number {
  const parts = [...tables, files.list, ...(secret ? [secret] : [])];
  return parts.reduce((sum, { bytes }) => sum + bytes, files.bytes);
}

async function copyRows({ connectionString }: BackupSource, target: BackupTarget) {
  const client = new pg.Client({ connectionString, application_name: 'switchyard backup', keepAlive: true });
  // The statement under way fails with the same error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await beginSnapshot(client);
    const db = databaseOn(client);
    const facts = await readFacts(client);
    const ledger = await findLedgerEnd(db);
    const tables: Rows['tables'] = [];
    for (const [place, table] of (await findTables(client, ofThisInstance)).entries()) {
      const stream = copyOut(client, table);
      const part = await writePart(target, `tables/${partNameOf(place, table.name)}`, stream);
      tables.push({ ...table, ...part, rows: stream.rowCount });
    }
    const rows: Rows = { ...facts, ledger, tables, sequences: await findSequences(client) };
    const storedFiles = await findStoredFiles(db);
    await client.query('commit');
    await client.end();
    return { rows, storedFiles };
  } catch (error) {
    // A copy that was left in the middle would keep a farewell waiting.
    client.connection.stream.destroy();
    throw error;
  }
}

async function readFacts(client: pg.Client): Promise<Pick<Rows, 'snapshotAt' | 'postgres' | 'migrations'>> {
  const { rows: servers } = await client.query<{ version: string; at: Date }>(
    `select current_setting('server_version_num') as version, now() as at`,
  );
  const { rows: migrations } = await client.query<Rows['migrations'][number]>(
    'select name, checksum from public.schema_migrations order by applied_at, name',
  );
  const { version = '0', at = now() } = servers[0] ?? {};
  return { snapshotAt: at.toISOString(), postgres: Math.floor(Number(version) / 10_000), migrations };
}

function partNameOf(place: number, table: string): string {
  return `${String(place + 1).padStart(3, '0')}-${table.replaceAll(/[^a-z0-9_.]/g, '')}`;
}

async function writePart({ place, name, key }: BackupTarget, part: string, bytes: Readable): Promise<Part> {
  const file = `${part}.zst${key ? '.age' : ''}`;
  const { stream, measure } = measured(await sealed(packed(bytes), key));
  await place.write(name, file, stream);
  return { part: file, ...measure() };
}

async function copyFiles(storage: Storage, found: StoredPlace[], target: BackupTarget): Promise<Manifest['files']> {
  const entries: FileEntry[] = [];
  let missing = 0;
  const waiting = found.values();
  await Promise.all(
    Array.from({ length: filesAtOnce }, async () => {
      for (const file of waiting) {
        const entry = await copyFile(storage, file, target);
        if (entry) entries.push(entry);
        else missing += 1;
      }
    }),
  );
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
  const list = await writePart(target, 'files.jsonl', Readable.from(lines));
  return { count: entries.length, bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0), missing, list };
}

/** Returns null if the storage has no such file. */
async function copyFile(storage: Storage, { id, paths }: StoredPlace, target: BackupTarget): Promise<FileEntry | null> {
  const { place, name, key } = target;
  for (const path of paths) {
    const stored = await storage.read(path);
    if (!stored) continue;
    const part = `files/${id}${key ? '.age' : ''}`;
    const { stream, measure } = measured(stored.stream as Readable);
    await place.write(name, part, await sealed(stream, key));
    return { path, part, ...measure() };
  }
  return null;
}
