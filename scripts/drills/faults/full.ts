import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Drill } from '../ground.ts';
import { startAlone, startSeveral } from '../installation.ts';
import { startOwnDatabase } from '../own-database.ts';
import { type Breaks, type Scene, underAllLoad } from '../under-load.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

/** Room for the database, its log of changes, and the uploads of a minute. */
const megabytes = 800;
const fullMs = 20_000;
const workMs = 5_000;
/** A database that ended for want of room is started again within that time. */
const graceSeconds = 40;

/** Fills the disk of the database, and makes room again. */
export const database: Drill = async (ground) => {
  const disk = await mountSmallDisk(ground, 'small', megabytes);
  const address = await startOwnDatabase(ground, path.join(disk.folder, 'database'));
  const { installation } = await startSeveral(ground, { workers: 1, address });
  const injected = `the disk of the database full for ${fullMs / 1000} s`;
  return underAllLoad(ground, installation, {
    injected,
    breakThings: ({ breaking }) => fillAndEmpty(disk, breaking, ground.say),
  });
};

/** Fills the disk of the uploads, and makes room again. */
export const files: Drill = async (ground) => {
  const disk = await mountSmallDisk(ground, 'small', megabytes);
  const { installation } = await startSeveral(ground, {
    workers: 1,
    env: { DATA_DIR: path.join(disk.folder, 'data') },
  });
  const injected = `the disk of the uploads full for ${fullMs / 1000} s`;
  return underAllLoad(ground, installation, {
    injected,
    breakThings: ({ breaking }) => fillAndEmpty(disk, breaking, ground.say),
  });
};

/** Fills the only disk of an installation that has everything on it, and makes room again. */
export const everything: Drill = async (ground) => {
  const disk = await mountSmallDisk(ground, 'small', megabytes);
  const { installation } = await startAlone(ground, { DATA_DIR: path.join(disk.folder, 'data') });
  const injected = `the only disk full for ${fullMs / 1000} s`;
  const breakThings: Breaks['breakThings'] = ({ breaking }) => fillAndEmpty(disk, breaking, ground.say);
  return underAllLoad(ground, installation, { injected, breakThings });
};

async function fillAndEmpty(disk: SmallDisk, breaking: Scene['breaking'], say: (line: string) => void): Promise<void> {
  await pause(workMs);
  say('The disk is full …');
  breaking({ lastsSeconds: graceSeconds, endsWorker: true });
  await disk.fill();
  breaking({ lastsSeconds: fullMs / 1000 + graceSeconds });
  await pause(fullMs);
  say('There is room again …');
  await disk.empty();
  await pause(workMs + graceSeconds * 1000);
}
