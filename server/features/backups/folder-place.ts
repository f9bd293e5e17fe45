import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { manifestPart } from './backup-manifest.ts';
import type { BackupPlace } from './backup-place.ts';

const draftEnding = '.unfinished';

export function openFolderPlace(address: string): BackupPlace {
  const folder = path.resolve(address);
  const made = new Set<string>();
  const draftOf = (backup: string) => path.join(folder, `${backup}${draftEnding}`);
  return {
    shown: folder,
    write: async (backup, part, bytes) => {
      const file = path.join(draftOf(backup), part);
      const parent = path.dirname(file);
      if (!made.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 });
      made.add(parent);
      await pipeline(bytes, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
    },
    read: async (backup, part) => {
      const file = path.join(folder, backup, part);
      return (await exists(file)) ? createReadStream(file) : null;
    },
    finish: async (backup, manifest) => {
      const draft = draftOf(backup);
      await writeFile(path.join(draft, manifestPart), manifest, { flag: 'wx', mode: 0o600, flush: true });
      for (const parent of [...made].filter((place) => place.startsWith(draft))) await syncFolder(parent);
      await rename(draft, path.join(folder, backup));
      await syncFolder(folder);
    },
    findWhole: async () => {
      if (!(await exists(folder))) return [];
      const names = (await readdir(folder)).filter((name) => !name.endsWith(draftEnding)).toSorted();
      const whole: string[] = [];
      for (const name of names) if (await exists(path.join(folder, name, manifestPart))) whole.push(name);
      return whole;
    },
    remove: async (backup) => {
      await rm(path.join(folder, backup, manifestPart), { force: true });
      await rm(path.join(folder, backup), { recursive: true, force: true });
      await rm(draftOf(backup), { recursive: true, force: true });
    },
  };
}

async function exists(place: string): Promise<boolean> {
  return stat(place).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}

async function syncFolder(place: string): Promise<void> {
  const handle = await open(place, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
