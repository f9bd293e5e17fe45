import { execFile } from 'node:child_process';
import { appendFile, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { withConnection } from '#server/db/database.ts';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { prepareBinaries } from '#server/platform/embedded-database-binaries.ts';
import {
  type Cluster,
  clearLeftovers,
  clusterData,
  dismissWatchdog,
  startCluster,
  startWatchdog,
} from '#server/platform/embedded-database-control.ts';
import { findDatabaseFolder, locateDatabaseFolder } from '#server/platform/embedded-database-location.ts';
import { claimOwnership, releaseOwnership } from '#server/platform/embedded-database-processes.ts';

export interface Standby {
  connectionString: string;
  /** It stops replaying what it receives, as one that cannot keep up. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  set(setting: 'recovery_min_apply_delay' | 'max_standby_streaming_delay', ms: number): Promise<void>;
  stop(): Promise<void>;
  /** At the same address. */
  startAgain(): Promise<void>;
  /** It takes writes from now on, and follows nobody. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

const runFile = promisify(execFile);
const log = { info: () => undefined, warn: (message: string) => void process.stderr.write(`${message}\n`) };

/** A PostgreSQL of its own, as tests need it that stop or promote a server. */
export async function startPrimary(dataDir: string) {
  return startEmbeddedDatabase({ dataDir, log });
}

/** A folder that the account of the database can enter. */
export async function makeServerFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-servers-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Copies the running primary and starts the copy as its hot standby, by streaming replication. */
export async function startStandby(primary: { dataDir: string; connectionString: string }, dataDir: string) {
  const { folder, account } = await locateDatabaseFolder(dataDir, log);
  const binaries = await prepareBinaries(dataDir, account);
  const cluster: Cluster = { dataDir, folder, account, binaries, fast: false };
  await copyPrimary(primary, cluster);
  const owner = await claimOwnership(folder, account);
  const watchdog = startWatchdog(cluster, owner);
  const port = await startCluster(cluster);
  const address = new URL(primary.connectionString);
  address.port = `${port}`;
  const say = (...statements: string[]) =>
    withConnection(address.href, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  const stop = () => clearLeftovers(cluster);
  return {
    connectionString: address.href,
    pauseReplay: () => say('select pg_wal_replay_pause()'),
    resumeReplay: () => say('select pg_wal_replay_resume()'),
    set: (setting, ms) => say(`alter system set ${setting} = '${ms}ms'`, 'select pg_reload_conf()'),
    stop,
    startAgain: async () => void (await startCluster(cluster, port)),
    promote: () => say('select pg_promote()'),
    close: async () => {
      await stop();
      dismissWatchdog(watchdog);
      await releaseOwnership(folder, owner);
    },
  } satisfies Standby;
}

/** As pg_basebackup does, which the package does not bring. */
async function copyPrimary(primary: { dataDir: string; connectionString: string }, cluster: Cluster): Promise<void> {
  const from = await findDatabaseFolder(primary.dataDir);
  if (from === null) throw new Error(`There is no database in ${primary.dataDir}.`);
  const to = clusterData(cluster);
  const { port, username, password } = new URL(primary.connectionString);
  const source = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  await withConnection(primary.connectionString, async (client) => {
    await client.query("select pg_backup_start('standby', true)");
    // It also keeps the owner.
    await runFile('cp', ['-a', path.join(from, 'data'), to]);
    const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)');
    await writeFile(path.join(to, 'backup_label'), rows[0]?.label ?? '');
  });
  await rm(path.join(to, 'postmaster.pid'), { force: true });
  await writeFile(path.join(to, 'standby.signal'), '');
  await appendFile(path.join(to, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  for (const file of ['backup_label', 'standby.signal'])
    if (cluster.account) await chown(path.join(to, file), cluster.account.uid, cluster.account.gid);
}
