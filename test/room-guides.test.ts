import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const rooms = [...foldersOf('server/features').map((name) => `server/features/${name}`), 'server/sign-in'];

test.each(rooms)('%s has a guide, and every file that it names is there', (room) => {
  const guide = readFileSync(path.join(room, 'README.md'), 'utf8');
  const named = [...guide.matchAll(/`([\w./-]+\.(?:tsx?|sql))`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(0);
  const near = filesNear(room);
  expect(named.filter((name) => !(name.includes('/') ? isThere(name) : near.has(name)))).toEqual([]);
});

function foldersOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** A guide names files of its room, of the room's screens and of the contract without their folder. */
function filesNear(room: string): Set<string> {
  const screens = foldersOf('web/features').includes(path.basename(room))
    ? [`web/features/${path.basename(room)}`]
    : [];
  const folders = [room, 'contract', ...screens];
  return new Set(folders.flatMap((folder) => namesBelow(folder).map((name) => path.basename(name))));
}

function isThere(file: string): boolean {
  return namesBelow(path.dirname(file)).includes(path.basename(file));
}

function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}
