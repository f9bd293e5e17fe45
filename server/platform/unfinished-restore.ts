import { existsSync } from 'node:fs';
import path from 'node:path';

/** Is there from the beginning of a restore into this folder to its end. */
export function unfinishedRestoreIn(dataDir: string): string {
  return path.join(dataDir, 'restore-unfinished');
}

export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(unfinishedRestoreIn(dataDir))) return;
  throw new Error(`A restore into ${dataDir} was cut off. Delete that folder, and restore again.`);
}
