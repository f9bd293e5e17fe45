import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Binaries } from './embedded-database-binaries.ts';
import type { DatabaseAccount } from './embedded-database-processes.ts';
import { findRunningProcess, type Owner, readUnlessGone } from './embedded-database-processes.ts';

export type Cluster = {
  dataDir: string;
  folder: string;
  account: DatabaseAccount | null;
  binaries: Binaries;
  fast: boolean;
};
const superuser = 'switchyard';
export const databaseName = 'switchyard';

const runFile = promisify(execFile);
const slowDisk = 120;

export async function initialiseCluster(cluster: Cluster, passwordFile: string): Promise<void> {
  const draft = path.join(cluster.folder, 'data.unfinished');
  await rm(draft, { recursive: true, force: true });
  await runAsAccount(cluster, cluster.binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
    ...(cluster.fast ? ['--no-sync'] : []),
  ]);
  await rename(draft, clusterData(cluster));
}

/** Starts the cluster on a free port, unless it has a port already. */
export async function startCluster(cluster: Cluster, samePort?: number): Promise<number> {
  const version = await majorVersionOf(cluster);
  if (version !== cluster.binaries.majorVersion) {
    throw new Error(
      `The database in ${cluster.folder} was made by PostgreSQL ${version}, this build brings ${cluster.binaries.majorVersion}. Start it with the build that made it.`,
    );
  }
  const logFile = path.join(cluster.folder, 'postgres.log');
  const giveUpAt = performance.now() + 20_000;
  for (;;) {
    const port = samePort ?? (await findFreePort());
    const before = (await readUnlessGone(logFile))?.length ?? 0;
    try {
      await pgCtl(cluster, ['start', '-l', logFile, '-o', serverOptions(cluster, port).map(quoteForShell).join(' ')]);
      return port;
    } catch (cause) {
      const output = ((await readUnlessGone(logFile)) ?? '').slice(before).trim();
      // Backends of a killed postmaster need a moment to notice. Another process can also take the port first.
      const mayPass = /pre-existing shared memory block|Address already in use/.test(output);
      if (!mayPass || performance.now() > giveUpAt) throw new Error(`PostgreSQL did not start:\n${output}`, { cause });
      await delay(200);
    }
  }
}

export async function majorVersionOf(cluster: Cluster): Promise<string> {
  return (await readFile(path.join(clusterData(cluster), 'PG_VERSION'), 'utf8')).trim();
}

async function stopCluster(cluster: Cluster): Promise<void> {
  await pgCtl(cluster, ['stop', '-m', 'fast']);
}

/** Stops what a dead owner left running, and removes the pid file that it left. */
export async function clearLeftovers(cluster: Cluster): Promise<void> {
  const pidFile = pidFileOf(cluster);
  if ((await readUnlessGone(pidFile)) === null) return;
  if (!(await isClusterRunning(cluster))) return rm(pidFile, { force: true });
  try {
    await stopCluster(cluster);
  } catch (error) {
    // The dead owner's watchdog may have been first.
    if ((await readUnlessGone(pidFile)) !== null) throw error;
  }
}

export async function isClusterRunning(cluster: Cluster): Promise<boolean> {
  const content = await readUnlessGone(pidFileOf(cluster));
  if (content === null) return false;
  const postmaster = await findRunningProcess(Number.parseInt(content, 10));
  return postmaster?.command.includes(clusterData(cluster)) ?? false;
}

function pidFileOf(cluster: Cluster): string {
  return path.join(clusterData(cluster), 'postmaster.pid');
}

/**
 * The watchdog waits on a pipe that only we hold open. The pipe ends however we end, and then it stops PostgreSQL. It
 * reads which process that is before it asks whose the folder is: on a busy machine the next owner's database may run
 * by the time it acts.
 */
export function startWatchdog(cluster: Cluster, owner: Owner): ChildProcess {
  const script = `trap '' INT TERM HUP
    read -r farewell && exit 0
    for attempt in 1 2 3 4 5; do
      postmaster=
      read -r postmaster < "$2/data/postmaster.pid"
      grep -q "$1" "$2/owner.json" || exit 0
      [ -n "$postmaster" ] && kill -INT "$postmaster" && exit 0
      sleep 1
    done`;
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', owner.token, cluster.folder], {
    ...accountOptions(cluster),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.unref();
  const pipe = watchdog.stdin as typeof watchdog.stdin & { unref?(): void };
  pipe.unref?.();
  // Somebody may have killed the watchdog. Our farewell to it must not bring us down.
  pipe.on('error', () => undefined);
  return watchdog;
}

export function dismissWatchdog(watchdog: ChildProcess): void {
  watchdog.stdin?.end('farewell\n');
}

export function passwordFileIn(folder: string): string {
  return path.join(folder, 'password');
}

export function addressOf(password: string, port: number): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${databaseName}`;
}

export function clusterData(cluster: Cluster): string {
  return path.join(cluster.folder, 'data');
}

export async function writePassword(cluster: Cluster, file: string, password: string): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, `${password}\n`, { mode: 0o600, flush: true });
  if (cluster.account) await chown(file, cluster.account.uid, cluster.account.gid);
}

export function clusterExists(cluster: Cluster): boolean {
  return existsSync(clusterData(cluster));
}

function serverOptions(cluster: Cluster, port: number): string[] {
  const durability = cluster.fast ? 'off' : 'on';
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: durability,
    synchronous_commit: durability,
    full_page_writes: durability,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The detail of a failed insert quotes the row, which can hold personal data.
    log_error_verbosity: 'terse',
    // The process list then shows whose database this is, wherever its files are.
    'switchyard.data_dir': cluster.dataDir,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function pgCtl(cluster: Cluster, args: string[]): Promise<void> {
  await runAsAccount(cluster, cluster.binaries.pgCtl, [...args, '-D', clusterData(cluster), '-w', '-t', `${slowDisk}`]);
}

async function runAsAccount(cluster: Cluster, program: string, args: string[]): Promise<void> {
  await runFile(program, args, accountOptions(cluster));
}

function accountOptions({ account }: Cluster) {
  const identity = account ? { uid: account.uid, gid: account.gid } : {};
  return { ...identity, cwd: '/', env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' } };
}

function quoteForShell(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
