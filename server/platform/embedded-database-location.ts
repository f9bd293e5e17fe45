import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { machineTime } from './clock.ts';
import { type DatabaseAccount, readUnlessGone } from './embedded-database-processes.ts';

export type DatabaseLog = { info(message: string): void; warn(message: string): void };

export const systemFolder = '/var/lib/switchyard';
const pointerName = 'where-the-database-is.txt';

/** Finds or makes the folder that holds the cluster, its password and its log. */
export async function locateDatabaseFolder(dataDir: string, log: DatabaseLog) {
  await mkdir(dataDir, { recursive: true });
  const inside = path.join(dataDir, 'postgres');
  const pointed = await readPointer(dataDir);
  if (process.getuid?.() !== 0) {
    if (pointed)
      throw new Error(`${dataDir} was started as root, and its database is in ${pointed}. Start it as root.`);
    await makeFolder(inside, null);
    return { folder: inside, account: null };
  }

  const account = await chooseAccount(path.join(pointed ?? inside, 'data'));
  if (pointed) {
    if (existsSync(pointed)) return { folder: pointed, account };
    throw new Error(
      `The database folder ${pointed} is gone. Restore it, or delete ${path.join(dataDir, pointerName)} to begin with an empty database.`,
    );
  }
  // Other accounts may pass through to what they own inside, but cannot list the folder.
  await chmod(dataDir, ((await stat(dataDir)).mode & 0o777) | 0o011);
  const isNew = !existsSync(inside);
  await makeFolder(inside, account);
  if (canRun(account, 'cd "$1"', inside)) return { folder: inside, account };
  if (!isNew)
    throw new Error(`The system account "${account.name}" cannot enter ${inside}, and PostgreSQL cannot run as root.`);
  await rmdir(inside);
  return { folder: await makeFolderOutside(dataDir, account, log), account };
}

/** Returns the folder of the cluster without making anything. Null if this data folder has no database yet. */
export async function findDatabaseFolder(dataDir: string): Promise<string | null> {
  const folder = (await readPointer(dataDir)) ?? path.join(dataDir, 'postgres');
  return existsSync(path.join(folder, 'data')) ? folder : null;
}

export function canRun(account: DatabaseAccount, script: string, argument: string): boolean {
  const { uid, gid } = account;
  return spawnSync('/bin/sh', ['-c', script, 'sh', argument], { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0;
}

async function chooseAccount(cluster: string): Promise<DatabaseAccount> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
  if (existsSync(cluster)) {
    const { uid, gid } = await stat(cluster);
    if (uid !== 0) return { name: accounts.find((account) => account.uid === uid)?.name ?? String(uid), uid, gid };
  }
  const found = ['postgres', 'nobody'].flatMap((name) => accounts.filter((account) => account.name === name))[0];
  if (found) return found;
  throw new Error('PostgreSQL can\'t run as root, and there is no system account "postgres" or "nobody" to run it as.');
}

async function makeFolder(folder: string, account: DatabaseAccount | null): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
}

async function makeFolderOutside(dataDir: string, account: DatabaseAccount, log: DatabaseLog): Promise<string> {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const folder = path.join(systemFolder, name);
  await mkdir(systemFolder, { recursive: true });
  await chmod(systemFolder, 0o755);
  if (existsSync(folder)) {
    const aside = `${folder}.replaced-${machineTime().getTime()}`;
    await rename(folder, aside);
    log.warn(`An earlier database of ${dataDir}, which no longer points to it, was moved to ${aside}.`);
  }
  await makeFolder(folder, account);
  await writeFile(path.join(dataDir, pointerName), describePointer(folder, account));
  log.info(`The account "${account.name}" cannot enter ${dataDir}: the database is in ${folder}.`);
  return folder;
}

function describePointer(folder: string, account: DatabaseAccount): string {
  return `The database of this data folder is not in here but in

folder: ${folder}

Switchyard was started as root. PostgreSQL refuses to run as root, so it runs as the system account
"${account.name}", which cannot enter the folders above this one. The folder's name is the beginning of the
SHA-256 of this data folder's absolute path. Back up and restore both together. Without this file the next
start begins with an empty database, and moves the present one aside.
`;
}

async function readPointer(dataDir: string): Promise<string | null> {
  const content = await readUnlessGone(path.join(dataDir, pointerName));
  return content === null ? null : (/^folder: (.+)$/m.exec(content)?.[1] ?? null);
}
