import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compressFiles } from './compress-files.ts';
import { findCycles } from './cycles.ts';

const inWords = (files: string[]) => new Intl.ListFormat('en').format(files);
const inputs = ['web', 'contract', 'package-lock.json', 'package.json'];
// The build writes this file last, so an interrupted build leaves none.
const stamp = path.join('dist', 'web.built');

/** Builds the browser app if one of its sources is newer than the last build. Returns false if the build fails. */
export function buildWebWhenStale(): boolean {
  return existsSync(stamp) && newestChange() <= statSync(stamp).mtimeMs ? true : buildWeb();
}

/** A built file runs after those that it needs. In a circle, one of them would run before another that it needs. */
export function findCirclesOfBuiltFiles(manifest: Manifest): string[][] {
  const files = Object.entries(manifest).map(([file, { imports = [] }]) => [file, { imports }] as const);
  return findCycles(new Map(files));
}

type Manifest = Record<string, { imports?: string[] }>;

function newestChange(): number {
  const changes = inputs.flatMap((input) => {
    if (!statSync(input).isDirectory()) return [statSync(input).mtimeMs];
    const below = readdirSync(input, { recursive: true, encoding: 'utf8' });
    return ['', ...below].map((entry) => statSync(path.join(input, entry)).mtimeMs);
  });
  return Math.max(...changes);
}

function buildWeb(): boolean {
  const startedAt = new Date();
  console.log('Building the browser app …');
  const vite = path.join('node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error('The browser app could not be built; what vite printed stands above.');
    return false;
  }
  const manifest: Manifest = JSON.parse(readFileSync(path.join('dist', 'web', 'manifest.json'), 'utf8'));
  const circles = findCirclesOfBuiltFiles(manifest);
  if (circles.length > 0) {
    for (const files of circles) console.error(`${inWords(files)} need each other, so some would run too early.`);
    console.error('The browser app was not taken over. Give what they share a part of its own in web/vite.config.ts.');
    return false;
  }
  compressFiles(path.join('dist', 'web'));
  writeFileSync(stamp, `${startedAt.toISOString()}\n`);
  return true;
}

if (import.meta.main) process.exitCode = buildWebWhenStale() ? 0 : 1;
