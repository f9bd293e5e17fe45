import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const inputs = ['web', 'contract', 'package-lock.json', 'package.json'];
// Written last: a build that was interrupted leaves none.
const stamp = path.join('dist', 'web.built');

process.chdir(root);
if (!existsSync(stamp) || newestChange() > statSync(stamp).mtimeMs) buildWeb();
await import('#server/main.ts');

function newestChange(): number {
  const changes = inputs.flatMap((input) => {
    if (!statSync(input).isDirectory()) return [statSync(input).mtimeMs];
    const below = readdirSync(input, { recursive: true, encoding: 'utf8' });
    return ['', ...below].map((entry) => statSync(path.join(input, entry)).mtimeMs);
  });
  return Math.max(...changes);
}

function buildWeb(): void {
  const startedAt = new Date();
  console.log('Building the browser app …');
  const vite = path.join('node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error('The browser app could not be built; what vite printed stands above.');
    process.exit(1);
  }
  writeFileSync(stamp, `${startedAt.toISOString()}\n`);
}
