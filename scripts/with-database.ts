import { readConfig } from '#server/config.ts';
import { type Db, openDatabase } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';

/** Runs a command on the instance's database after its migrations. The embedded database must not be in use. */
export async function withDatabase(work: (db: Db) => Promise<void>): Promise<void> {
  const config = readConfig();
  const embedded = config.databaseUrl ? null : await startEmbeddedDatabase({ dataDir: config.dataDir, log: console });
  try {
    const connectionString = config.databaseUrl ?? embedded?.connectionString ?? '';
    await migrate(connectionString);
    const { patientDb: db, close } = openDatabase(connectionString, {
      max: 1,
      namesStatements: config.namesStatements,
    });
    try {
      await work(db);
    } finally {
      await close();
    }
  } finally {
    await embedded?.stop();
  }
}
