import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { openDatabase } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { checksumOfSchema } from '#server/db/schema-files.ts';
import { followOwnChanges } from '#server/derivations.ts';
import { jobList } from '#server/job-list.ts';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { isEmbeddedDatabaseInUse } from '#server/platform/embedded-database-processes.ts';
import { prepareJobQueues } from '#server/platform/jobs.ts';

/** A PostgreSQL server with one migrated template database. Test databases are its clones. */
export type TestServerAddress = { connectionString: string; template: string };
export type TestServer = TestServerAddress & { close(): Promise<void> };

const keptFolder = '.test-data';
const runsAtOnce = 8;

/**
 * Uses the server that this run has already opened and named in TEST_DATABASE_URL. Otherwise it opens an embedded one
 * and keeps its folder for the next run. The opener drops its databases at the end.
 */
export async function openTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { connectionString: given, template: await prepareTemplate(given), close: async () => undefined };

  const embedded = await startUnusedDatabase();
  try {
    const { connectionString } = embedded;
    await dropLeftovers(connectionString);
    const template = await prepareTemplate(connectionString);
    const close = () => dropLeftovers(connectionString).finally(embedded.stop);
    return { connectionString, template, close };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

export async function createDatabaseOn({ connectionString, template }: TestServerAddress) {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(connectionString, (server) =>
    server.query(`create database ${name} template ${template} strategy file_copy`),
  );
  const own = addressOf(connectionString, name);
  const { db, pool, close } = openDatabase(own, { max: 5, beforeCommit: followOwnChanges });
  return {
    connectionString: own,
    db,
    pool,
    /** Closes the database first. */
    renameTo: async (other: string) => {
      await close();
      await onServer(connectionString, (server) => server.query(`alter database ${name} rename to ${other}`));
    },
    /**
     * Ends all connections to it. It is dropped with the others at the end. When hundreds of files were just deleted,
     * ext4 takes a long time to place a new one, and each database has hundreds.
     */
    leave: async () => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
      await close();
    },
  };
}

async function startUnusedDatabase() {
  const log = { info: () => undefined, warn: (message: string) => process.stderr.write(`${message}\n`) };
  for (let place = 0; ; place += 1) {
    try {
      return await startEmbeddedDatabase({ dataDir: path.join(keptFolder, String(place)), log, fast: true });
    } catch (error) {
      if (!isEmbeddedDatabaseInUse(error) || place + 1 === runsAtOnce) throw error;
    }
  }
}

async function prepareTemplate(connectionString: string): Promise<string> {
  const template = await templateName();
  await onServer(connectionString, async (server) => {
    if (await databaseExists(server, template)) return;
    const draft = `test_${randomBytes(8).toString('hex')}`;
    await server.query(`create database ${draft}`);
    await migrate(addressOf(connectionString, draft));
    await prepareJobQueues(addressOf(connectionString, draft), jobList);
    // Only a finished template gets the name. If two runs prepare it at once, one is enough.
    if (await databaseExists(server, template)) await server.query(`drop database ${draft}`);
    else await server.query(`alter database ${draft} rename to ${template}`);
  });
  return template;
}

/** Drops databases that tests have left, even in killed runs, and templates of a schema that has since changed. */
async function dropLeftovers(connectionString: string): Promise<void> {
  const current = await templateName();
  await onServer(connectionString, async (server) => {
    const { rows } = await server.query<{ name: string }>(
      "select datname as name from pg_database where datname ~ '^(test|template)_[0-9a-f]{16}$' and datname <> $1",
      [current],
    );
    for (const { name } of rows) await server.query(`drop database ${name} with (force)`);
  });
}

/** The name changes with the schema and with the list of jobs. */
async function templateName(): Promise<string> {
  const made = `${await checksumOfSchema()} ${jobList.map(({ name }) => name).join(' ')}`;
  return `template_${createHash('sha256').update(made).digest('hex').slice(0, 16)}`;
}

async function databaseExists(server: pg.Client, name: string): Promise<boolean> {
  return (await server.query('select 1 from pg_database where datname = $1', [name])).rowCount === 1;
}

async function onServer<T>(connectionString: string, work: (server: pg.Client) => Promise<T>): Promise<T> {
  const server = new pg.Client({ connectionString });
  await server.connect();
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}

function addressOf(connectionString: string, name: string): string {
  const address = new URL(connectionString);
  address.pathname = `/${name}`;
  return address.href;
}
