import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '#server/db/database.ts';
import { createDatabaseOn, openTestServer, type TestServer } from '../test/support/test-server.ts';
import { type InstanceWithDatabase, startInstance } from './instance.ts';

/**
 * Starts an instance with a demo programme of its own. Filling it takes as long as many tests. So the first instance of
 * a run fills it, and the others begin with a copy of its database and files.
 */
export async function startDemoInstance(env: Record<string, string> = {}): Promise<InstanceWithDatabase> {
  const server = await openTestServer();
  const { template, folder } = await filledDemo(server);
  const database = await createDatabaseOn({ ...server, template });
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-e2e-'));
  await cp(folder, dataDir, { recursive: true });
  const instance = await startInstance({
    ...env,
    DEMO: '1',
    DATABASE_URL: database.connectionString,
    DATA_DIR: dataDir,
  });
  return {
    ...instance,
    db: database.db,
    stop: async () => {
      await instance.stop();
      await database.leave();
      await rm(dataDir, { recursive: true, force: true });
      await server.close();
    },
  };
}

/** The filled database and files of this run. If two workers ask at once, one fills them and one waits. */
export async function filledDemo(server: TestServer) {
  const { DEMO_TEMPLATE: template, DEMO_FILES: folder } = process.env;
  if (!template || !folder) throw new Error('The set-up of all browser tests names no place for the demo programme.');
  const { patientDb: db, close } = openDatabase(server.connectionString, { max: 1 });
  try {
    await db.connection().execute(async (connection) => {
      const lock = sql`hashtext('the filled demo programme')`;
      await sql`select pg_advisory_lock(${lock})`.execute(connection);
      if (!existsSync(folder)) await fillDemo(server, { template, folder });
      await sql`select pg_advisory_unlock(${lock})`.execute(connection);
    });
  } finally {
    await close();
  }
  return { template, folder };
}

async function fillDemo(server: TestServer, { template, folder }: { template: string; folder: string }) {
  const draft = await createDatabaseOn(server);
  const dataDir = `${folder}.draft`;
  // Removes what an interrupted try left.
  await rm(dataDir, { recursive: true, force: true });
  const instance = await startInstance({ DEMO: '1', DATABASE_URL: draft.connectionString, DATA_DIR: dataDir });
  await instance.stop();
  await draft.renameTo(template);
  // Renamed last, so that the folder is complete as soon as it exists.
  await rename(dataDir, folder);
}
