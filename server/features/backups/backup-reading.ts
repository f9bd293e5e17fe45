import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { requireKnownHistory } from '#server/db/migrate.ts';
import { FileEntry, type Manifest, manifestPart, type Part, readManifest } from './backup-manifest.ts';
import type { BackupPlace } from './backup-place.ts';
import { type BackupKey, measured, opened, unpacked } from './sealing.ts';

/** A backup whose every byte was looked at. */
export interface CheckedBackup {
  manifest: Manifest;
  files: FileEntry[];
  readPart(part: Part): Promise<Readable>;
  readFile(file: FileEntry): Promise<Readable>;
}

/** Reads all of a backup once. Throws in words if it is not whole, not as it was written, or of another key. */
export async function checkBackup(place: BackupPlace, name: string, key: BackupKey | null): Promise<CheckedBackup> {
  const found = await place.read(name, manifestPart);
  if (!found) throw new Error(await noBackupHere(place, name));
  const manifest = readManifest(await text(found));
  await requireKnownBuild(manifest);
  requireKey(manifest, key);
  const usedKey = manifest.sealedFor === null ? null : key;
  const read = async (part: string) => {
    const bytes = await place.read(name, part);
    if (!bytes) throw new Error(`The backup is not whole: ${part} is missing.`);
    return bytes;
  };
  const readPart = async ({ part }: Part) => unpacked(await opened(await read(part), usedKey));
  const readFile = async ({ part }: FileEntry) => opened(await read(part), usedKey);

  const { tables, secret } = manifest;
  for (const part of [...tables, manifest.files.list, ...(secret ? [secret] : [])]) {
    await requireAsWritten(part, await read(part.part));
  }
  const { list, count } = manifest.files;
  const files = await readPart(list).then(readFileList).catch(asDamage(list));
  if (files.length !== count) throw damaged(list);
  for (const file of files) await requireAsWritten(file, await readFile(file).catch(asDamage(file)));
  return { manifest, files, readPart, readFile };
}

async function requireKnownBuild({ version, migrations }: Manifest): Promise<void> {
  try {
    await requireKnownHistory(new Map(migrations.map(({ name, checksum }) => [name, checksum])));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`This build cannot restore a backup of version ${version}. ${cause}`, { cause: error });
  }
}

function requireKey({ sealedFor }: Manifest, key: BackupKey | null): void {
  if (sealedFor === null) return;
  if (!key?.opens) {
    throw new Error(`The backup is encrypted: set BACKUP_KEY to the secret key that belongs to ${sealedFor}.`);
  }
  if (key.sealsFor === sealedFor) return;
  throw new Error(`The backup is encrypted for ${sealedFor}; BACKUP_KEY belongs to ${key.sealsFor}.`);
}

async function noBackupHere(place: BackupPlace, name: string): Promise<string> {
  const whole = await place.findWhole();
  const newest = whole.at(-1);
  const others = newest ? ` The newest whole backup beside it is ${newest}.` : '';
  return `${name} is no whole backup: it has no ${manifestPart}.${others}`;
}

/** Also what cannot even be read is damage, such as a sealed part that ends early. */
async function requireAsWritten(expected: { part: string; bytes: number; sha256: string }, bytes: Readable) {
  const { stream, measure } = measured(bytes);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(stream, nowhere).catch(asDamage(expected));
  const found = measure();
  if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256) throw damaged(expected);
}

function asDamage(part: { part: string }): (cause: unknown) => never {
  return (cause) => {
    if (cause instanceof Error && cause.message.startsWith('The backup is not whole')) throw cause;
    throw damaged(part, cause);
  };
}

function damaged({ part }: { part: string }, cause?: unknown): Error {
  return new Error(`The backup is damaged: ${part} is not as it was written.`, { cause });
}

async function readFileList(lines: Readable): Promise<FileEntry[]> {
  const files: FileEntry[] = [];
  for await (const line of createInterface({ input: lines, crlfDelay: Number.POSITIVE_INFINITY })) {
    files.push(FileEntry.parse(JSON.parse(line)));
  }
  return files;
}
