import path from 'node:path';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import type { Ground } from './ground.ts';

const quiet = { info: () => undefined, warn: (message: string) => console.error(message) };

/** Runs the PostgreSQL of the package as a server of its own, and returns its address. */
export async function startOwnDatabase(
  ground: Ground,
  dataDir: string = path.join(ground.folder, 'database'),
): Promise<string> {
  ground.say('Starting the database …');
  const database = await startEmbeddedDatabase({ dataDir, log: quiet });
  ground.undo.push(database.stop);
  return database.connectionString;
}
