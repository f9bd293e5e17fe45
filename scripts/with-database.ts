import { type Config, readConfig } from '#server/config.ts';
import { type Db, openDatabase, withConnection } from '#server/db/database.ts';
import { findPending, migrate } from '#server/db/migrate.ts';
import { findRunningDatabase, startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { findDatabaseFolder } from '#server/platform/embedded-database-location.ts';

/** Runs a command on the instance's database after its migrations. The embedded database must not be in use. */
export async function withDatabase(work: (db: Db) => Promise<void>, { connections = 1 } = {}): Promise<void> {
  const config = readConfig();
  const embedded = config.databaseUrl ? null : await startEmbeddedDatabase({ dataDir: config.dataDir, log: console });
  try {
    const connectionString = config.databaseDirectUrl ?? embedded?.connectionString ?? '';
    await migrate(connectionString);
    const { patientDb: db, close } = openDatabase(connectionString, {
      max: connections,
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

/**
 * Runs a command on the instance's database as it stands, beside the processes that use it. If none runs the embedded
 * database, the command does for its time.
 */
export async function besideInstance(work: (connectionString: string, config: Config) => Promise<void>): Promise<void> {
  const config = readConfig();
  const { databaseDirectUrl, dataDir } = config;
  const address = databaseDirectUrl ?? (await findRunningDatabase(dataDir));
  if (address) return work(address, config);
  if (!(await findDatabaseFolder(dataDir)))
    throw new Error(`There is no database in ${dataDir}: DATA_DIR names another.`);
  const embedded = await startEmbeddedDatabase({ dataDir, log: console });
  try {
    await work(embedded.connectionString, config);
  } finally {
    await embedded.stop();
  }
}

/** Runs a command beside the instance, on a database that this build knows. */
export async function onDatabase(work: (db: Db, config: Config) => Promise<void>): Promise<void> {
  await besideInstance(async (address, config) => {
    const [first, ...others] = await withConnection(address, findPending);
    if (first) {
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      throw new Error(`The database lacks ${first}${more}: start this build once, or run npm run db:migrate.`);
    }
    const { patientDb: db, close } = openDatabase(address, { max: 1, namesStatements: config.namesStatements });
    try {
      await work(db, config);
    } finally {
      await close();
    }
  });
}
