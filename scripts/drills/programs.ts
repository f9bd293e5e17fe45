import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Ground, Skipped } from './ground.ts';

export interface Program {
  place: string;
  /** What it needs to find its own libraries. */
  env: Record<string, string | undefined>;
}

const kept = path.resolve('node_modules', '.cache', 'drills');
const libraries = ['usr/lib', 'lib', `usr/lib/${gnuName()}`, `lib/${gnuName()}`];

/**
 * Finds a program of the system, or takes it out of Debian's packages into a folder of its own. Nothing is installed and
 * no service starts, so this needs no root.
 */
export function findProgram(ground: Ground, name: string, packages: string[]): Program {
  const own = path.join(kept, packages.join('+'));
  const found = findIn((process.env.PATH ?? '').split(path.delimiter).concat('/usr/sbin', '/usr/local/sbin'), name);
  if (found) return { place: found, env: {} };
  if (!existsSync(own)) unpack(ground, packages, own);
  const place = findIn(
    ['usr/bin', 'usr/sbin'].map((folder) => path.join(own, folder)),
    name,
  );
  if (!place) throw new Skipped(`The packages ${packages.join(', ')} hold no ${name} here.`);
  const own_ = (folder: string) => path.join(own, folder);
  return {
    place,
    env: {
      LD_LIBRARY_PATH: libraries.map(own_).join(':'),
      PYTHONPATH: own_('usr/lib/python3/dist-packages'),
    },
  };
}

function findIn(folders: string[], name: string): string | null {
  return folders.map((folder) => path.join(folder, name)).find((place) => existsSync(place)) ?? null;
}

function unpack({ say }: Ground, packages: string[], into: string): void {
  const needs = `It needs ${packages.join(', ')}`;
  if (!existsSync('/usr/bin/apt-get')) throw new Skipped(`${needs}, and there is no apt-get to take it from.`);
  const planned = spawnSync('apt-get', ['install', '--simulate', '--no-install-recommends', ...packages], {
    encoding: 'utf8',
  });
  const names = [...planned.stdout.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name ?? '');
  if (planned.status !== 0 || names.length === 0)
    throw new Skipped(`${needs}, and apt-get knows no such package: apt-get update may help.`);
  say(`Taking ${names.join(', ')} out of Debian's packages, into ${path.relative('.', into)} …`);
  const draft = `${into}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(path.join(draft, 'archives'), { recursive: true });
  const archives = path.join(draft, 'archives');
  const fetched = spawnSync('apt-get', ['download', '-q', ...names], { cwd: archives, encoding: 'utf8' });
  if (fetched.status !== 0) throw new Skipped(`${needs}, and apt-get could not download it: ${fetched.stderr.trim()}`);
  for (const file of readdirSync(archives)) {
    const done = spawnSync('dpkg-deb', ['-x', path.join(archives, file), draft], { encoding: 'utf8' });
    if (done.status !== 0) throw new Skipped(`${needs}, and ${file} could not be opened: ${done.stderr.trim()}`);
  }
  rmSync(archives, { recursive: true });
  renameSync(draft, into);
}

export function gnuName(): string {
  return process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
}
