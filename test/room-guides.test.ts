import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const rooms = [...foldersOf('server/features').map((name) => `server/features/${name}`), 'server/sign-in'];

test.each(rooms)('%s has a guide, and every file that it names is there', (room) => {
  const guide = readFileSync(path.join(room, 'README.md'), 'utf8');
  const named = [...guide.matchAll(/`([\w./-]+\.(?:tsx?|sql))`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(0);
  const near = filesNear(room);
  const isNamed = (name: string) =>
    name.includes('/') ? existsSync(name) || existsSync(path.join(room, name)) : near.has(name);
  expect(named.filter((name) => !isNamed(name))).toEqual([]);
});

function foldersOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** A guide names files of its room, of the room's screens and of the contract without their folder, or with a part of it. */
function filesNear(room: string): Set<string> {
  const screens = foldersOf('web/features').includes(path.basename(room))
    ? [`web/features/${path.basename(room)}`]
    : [];
  const folders = [room, 'contract', ...screens];
  return new Set(folders.flatMap((folder) => namesBelow(folder).map((name) => path.basename(name))));
}

function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}
