import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Ground, Skipped } from '../ground.ts';

export interface SmallDisk {
  folder: string;
  /** Takes all the room that is left. */
  fill(): Promise<void>;
  empty(): Promise<void>;
}

const blockBytes = 1024 * 1024;

/** A disk in memory, of so many megabytes. It needs root. */
export async function mountSmallDisk(
  { folder: ground, undo }: Ground,
  name: string,
  megabytes: number,
): Promise<SmallDisk> {
  if (process.getuid?.() !== 0) throw new Skipped('It needs root, to make a disk of its own that can be full.');
  const folder = path.join(ground, name);
  await mkdir(folder);
  const options = `size=${megabytes}m,mode=0755`;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { encoding: 'utf8' });
  if (mounted.error) throw new Skipped(`It needs mount, which could not be started: ${mounted.error.message}.`);
  if (mounted.status !== 0) throw new Skipped(`No disk in memory can be mounted here: ${mounted.stderr.trim()}`);
  undo.push(() => {
    const ended = spawnSync('umount', [folder], { encoding: 'utf8' });
    if (ended.status !== 0) throw new Error(`The disk ${folder} could not be unmounted: ${ended.stderr.trim()}`);
  });
  const ballast = path.join(folder, 'ballast');
  return {
    folder,
    fill: async () => {
      const { bavail, bsize } = await statfs(folder);
      const blocks = Math.ceil((bavail * bsize) / blockBytes) + 1;
      const block = Buffer.alloc(blockBytes);
      const zeros = Readable.from(Array.from({ length: blocks }, () => block));
      await pipeline(zeros, createWriteStream(ballast)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
      });
    },
    empty: () => rm(ballast, { force: true }),
  };
}
