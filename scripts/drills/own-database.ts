import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import type { Ground } from './ground.ts';

const quiet = { info: () => undefined, warn: (message: string) => console.error(message) };

/** Runs the PostgreSQL of the package as a server of its own, and returns its address. */
export async function startOwnDatabase(ground: Ground): Promise<string> {
  ground.say('Starting the database …');
  // Started by root, it runs as another account. It would stay outside of this folder if that account could not pass.
  await chmod(ground.folder, 0o711);
  const database = await startEmbeddedDatabase({ dataDir: path.join(ground.folder, 'database'), log: quiet });
  ground.undo.push(database.stop);
  return database.connectionString;
}
