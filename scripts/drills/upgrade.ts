import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Drill, endProgram, findPorts, type Ground, Skipped } from './ground.ts';
import { startNginx } from './nginx.ts';
import { startOwnDatabase } from './own-database.ts';
import { type Part, planProduct, startPart } from './product.ts';
import { startMails, underLoad } from './under-load.ts';

const names = ['web-1', 'web-2', 'worker-1'];
const quietMs = 4_000;

/** Replaces two web processes and a worker of an earlier version by this one's, one after the other, under load. */
export const drill: Drill = async (ground, { from }) => {
  const { root, version } = checkOut(ground, from ?? versionBefore());
  ground.say(`The earlier version is ${version}.`);
  const [port = 0, ...ports] = await findPorts(1 + names.length);
  await startNginx(ground, port, ports.slice(0, 2));
  const address = await startOwnDatabase(ground);
  const mails = await startMails(ground);
  const product = planProduct(ground, `http://127.0.0.1:${port}`, { DATABASE_URL: address, SMTP_URL: mails.url });
  const parts: Part[] = [];
  for (const [index, name] of names.entries()) {
    ground.say(`Starting the earlier ${name} …`);
    const script = name.startsWith('web') ? 'main' : 'worker';
    parts.push(await startPart(ground, product, { name, port: ports[index] ?? 0, script, root }));
  }
  const { figures, faults } = await underLoad(ground, { product, address, mails }, async (breaking) => {
    for (const part of parts) {
      await pause(quietMs);
      ground.say(`SIGTERM to the earlier ${part.name}, then this version's …`);
      breaking({ lastsSeconds: 2, endsWorker: part.script === 'worker' });
      await endProgram(part.child, 'SIGTERM');
      part.child = (await startPart(ground, product, { ...part, root: process.cwd() })).child;
    }
    await pause(quietMs);
  });
  return { figures: [['the earlier version', version], ['processes replaced', names.length], ...figures], faults };
};

/** The last release, or else the commit before the newest migration. */
function versionBefore(): string {
  const release = git('describe', '--tags', '--abbrev=0');
  if (release) return release;
  const newest = git('log', '--diff-filter=A', '-1', '--format=%H', '--', 'server/db/migrations');
  if (!newest) throw new Skipped('It needs the history of the repository, to take an earlier version from.');
  return `${newest}^`;
}

/** The earlier version in a folder of its own, with the packages of this one. */
function checkOut({ folder, undo }: Ground, ref: string) {
  const commit = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  if (!commit) throw new Error(`There is no version called ${ref} in the repository.`);
  const root = path.join(folder, 'earlier');
  undo.push(() => void git('worktree', 'remove', '--force', root));
  if (git('worktree', 'add', '--detach', root, commit) === null) throw new Error(`${ref} could not be checked out.`);
  symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
  return { root, version: git('log', '-1', '--format=%h of %cs', commit) ?? commit };
}

function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
