import { createWriteStream, mkdirSync } from 'node:fs';
import { mkdir, open, opendir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import { ERRORS } from '@tus/server';
import { storageIsFull } from './errors.ts';
import { isOfFullStorage } from './storage-errors.ts';
import type { ByteRange, Storage } from './storage-shape.ts';

const trialName = '.readiness';

/** Keeps files under DATA_DIR/files, each with the upload's state beside it as `.json`. */
export function openFolderStorage(dataDir: string): Storage {
  const folder = path.join(dataDir, 'files');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const placeOf = (storedPath: string) => {
    const place = path.resolve(folder, storedPath);
    if (!place.startsWith(`${folder}${path.sep}`)) throw new Error('A stored path led out of the folder of files.');
    return place;
  };
  const tusStore = new FileStore({ directory: folder });
  // The library's own write tells nothing about why it failed.
  tusStore.write = (bytes, storedPath, offset) => writeToDisk(placeOf(storedPath), bytes, offset);
  return {
    tusStore,
    read: (storedPath, range) => readFromDisk(placeOf(storedPath), range),
    settle: async (storedPath) => {
      const place = placeOf(storedPath);
      await syncToDisk(place);
      await syncFolders(path.dirname(place), folder);
    },
    remove: async (storedPath) => {
      const place = placeOf(storedPath);
      await Promise.all([rm(place, { force: true }), rm(`${place}.json`, { force: true })]);
    },
    paths: () => pathsBelow(folder),
    write: async (storedPath, bytes) => {
      const place = placeOf(storedPath);
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      await pipeline(bytes, createWriteStream(`${place}.draft`, { mode: 0o600, flush: true }));
      await rename(`${place}.draft`, place);
      await syncFolders(path.dirname(place), folder);
    },
    isEmpty: async () => (await readdir(folder)).every((name) => name === '.readiness'),
    isHealthy: async () => {
      await writeForTrial(path.join(folder, trialName));
      return true;
    },
  };
}

async function* pathsBelow(folder: string): AsyncGenerator<string> {
  for await (const entry of await opendir(folder, { recursive: true })) {
    const place = path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/');
    if (entry.isFile() && place !== trialName) yield place;
  }
}

async function readFromDisk(place: string, range?: ByteRange) {
  const handle = await open(place, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!handle) return null;
  const { size } = await handle.stat();
  return { stream: handle.createReadStream(range ?? {}), size };
}

async function writeToDisk(place: string, bytes: Readable, offset: number): Promise<number> {
  const file = createWriteStream(place, { flags: 'r+', start: offset });
  try {
    await pipeline(bytes, file);
  } catch (error) {
    throw isOfFullStorage(error) ? storageIsFull(error) : ERRORS.FILE_WRITE_ERROR;
  }
  return offset + file.bytesWritten;
}

/** Writes more than fits beside a file's own metadata, all the way to the disk. */
async function writeForTrial(place: string): Promise<void> {
  try {
    await writeFile(place, Buffer.alloc(64 * 1024), { mode: 0o600, flush: true });
  } finally {
    await rm(place, { force: true });
  }
}

async function syncToDisk(place: string): Promise<void> {
  const handle = await open(place, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** After a power cut, a new file is found only if the folders on its way are on disk too. */
async function syncFolders(from: string, upTo: string): Promise<void> {
  await syncToDisk(from);
  if (from !== upTo) await syncFolders(path.dirname(from), upTo);
}
