import { mkdirSync } from 'node:fs';
import { access, constants, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { FileStore } from '@tus/file-store';
import type { ByteRange, Storage } from './storage-shape.ts';

/** Keeps files under DATA_DIR/files, each with the upload's state beside it as `.json`. */
export function openFolderStorage(dataDir: string): Storage {
  const folder = path.join(dataDir, 'files');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const placeOf = (storedPath: string) => {
    const place = path.resolve(folder, storedPath);
    if (!place.startsWith(`${folder}${path.sep}`)) throw new Error('A stored path led out of the folder of files.');
    return place;
  };
  return {
    tusStore: new FileStore({ directory: folder }),
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
    isHealthy: async () => {
      await access(folder, constants.R_OK | constants.W_OK);
      return true;
    },
  };
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

async function syncToDisk(place: string): Promise<void> {
  const handle = await open(place, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A new file is only found again after a power cut when the folders on its way are on disk too. */
async function syncFolders(from: string, upTo: string): Promise<void> {
  await syncToDisk(from);
  if (from !== upTo) await syncFolders(path.dirname(from), upTo);
}
