import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compressFiles } from './compress-files.ts';

const inputs = ['web', 'contract', 'package-lock.json', 'package.json'];
// The build writes this file last, so an interrupted build leaves none.
const stamp = path.join('dist', 'web.built');

/** Builds the browser app if one of its sources is newer than the last build. Returns false if the build fails. */
export function buildWebWhenStale(): boolean {
  return existsSync(stamp) && newestChange() <= statSync(stamp).mtimeMs ? true : buildWeb();
}

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
  compressFiles(path.join('dist', 'web'));
  writeFileSync(stamp, `${startedAt.toISOString()}\n`);
  return true;
}
