import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** The system account that PostgreSQL runs as when we are root, because PostgreSQL refuses to run as root. */
export type DatabaseAccount = { name: string; uid: number; gid: number };

type RunningProcess = { startedAt: string; command: string };
export type Owner = { pid: number; startedAt: string; token: string };

const runFile = promisify(execFile);

/** Makes this process the only owner of the database folder. It takes over a folder whose owner has died. */
export async function claimOwnership(folder: string, account: DatabaseAccount | null): Promise<Owner> {
  const file = ownerFile(folder);
  const self = await findRunningProcess(process.pid);
  const owner: Owner = { pid: process.pid, startedAt: self?.startedAt ?? '', token: randomUUID() };
  const draft = `${file}.${owner.token}`;
  await writeFile(draft, JSON.stringify(owner), { mode: 0o600 });
  if (account) await chown(draft, account.uid, account.gid);
  try {
    while (!(await linkUnlessTaken(draft, file))) {
      const present = await readOwner(file);
      if (present && (await isOwnerAlive(present))) throw inUseError(folder, present);
      await rm(file, { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
  return owner;
}

export async function releaseOwnership(folder: string, owner: Owner): Promise<void> {
  const present = await readOwner(ownerFile(folder));
  if (present?.token === owner.token) await rm(ownerFile(folder), { force: true });
}

/** Whether a living process has the database folder. */
export async function isOwned(folder: string): Promise<boolean> {
  const owner = await readOwner(ownerFile(folder));
  return owner !== null && (await isOwnerAlive(owner));
}

export function isEmbeddedDatabaseInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EMBEDDED_DATABASE_IN_USE';
}

/**
 * Null if there is no such process, and for a zombie. A zombie holds nothing any more, though its id still answers
 * signals.
 */
export async function findRunningProcess(pid: number): Promise<RunningProcess | null> {
  return existsSync('/proc/self/stat') ? readFromProc(pid) : askPs(pid);
}

function ownerFile(folder: string): string {
  return path.join(folder, 'owner.json');
}

async function linkUnlessTaken(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readOwner(file: string): Promise<Owner | null> {
  const content = await readUnlessGone(file);
  if (content === null) return null;
  try {
    return JSON.parse(content) as Owner;
  } catch (error) {
    // A power cut can leave an empty file. Then nobody owns the folder.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function isOwnerAlive(owner: Owner): Promise<boolean> {
  const running = await findRunningProcess(owner.pid);
  return running !== null && running.startedAt === owner.startedAt;
}

function inUseError(folder: string, owner: Owner): Error {
  const message = `The embedded database in ${folder} is in use by process ${owner.pid}. Stop that process, or set DATA_DIR to another folder.`;
  return Object.assign(new Error(message), { code: 'EMBEDDED_DATABASE_IN_USE' });
}

async function readFromProc(pid: number): Promise<RunningProcess | null> {
  const stat = await readUnlessGone(`/proc/${pid}/stat`);
  const command = await readUnlessGone(`/proc/${pid}/cmdline`);
  if (stat === null || command === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  // The start time counts from boot, so it identifies a process only together with the boot id.
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  return { startedAt: `${boot} ${fields[19]}`, command: command.replaceAll('\0', ' ') };
}

async function askPs(pid: number): Promise<RunningProcess | null> {
  try {
    const { stdout } = await runFile('ps', ['-o', 'state=,lstart=,command=', '-p', String(pid)]);
    const match = /^\s*(\S+)\s+((?:\S+\s+){4}\S+)\s+(.*)$/m.exec(stdout);
    if (!match?.[1] || !match[2] || match[1].startsWith('Z')) return null;
    return { startedAt: match[2], command: match[3] ?? '' };
  } catch (error) {
    if ((error as { code?: unknown }).code === 1) return null;
    throw error;
  }
}

/** /proc answers ESRCH if the process ends between opening and reading. */
export async function readUnlessGone(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return null;
    throw error;
  }
}
