import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openTestApp } from '../test/support/app.ts';
import { createDatabaseOn, openTestServer } from '../test/support/test-server.ts';

export async function openBenchApp() {
  const server = await openTestServer();
  const database = await createDatabaseOn(server);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-bench-'));
  // Scenarios fill tables with statements that take a long time.
  const limits = { answerLimitInMs: 10 * 60_000 };
  const app = await openTestApp(database.connectionString, { DATA_DIR: dataDir }, undefined, limits);
  return {
    ...app,
    close: async () => {
      await app.close();
      await database.leave();
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
