import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openTestApp } from '#test/support/app.ts';
import { backUp, restoreTo, rowsOf } from '#test/support/backed-up.ts';
import { endSimulated } from './processes.ts';
import type { Scene } from './scene.ts';

/** Ends the processes, backs up, restores beside, and compares every table. */
export async function findUnequalCopy(scene: Scene, env: Record<string, string>): Promise<string[]> {
  for (const one of scene.processes) await endSimulated(one, 'SIGTERM');
  const { DATABASE_URL: address = '', ...others } = env;
  const app = await openTestApp(address, others);
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-copy-'));
  const copy = new URL(address);
  copy.pathname = '/copy';
  await scene.pool.query('create database copy');
  const restored = new pg.Pool({ connectionString: copy.href, max: 2 });
  try {
    const before = await rowsOf(scene.pool);
    const backup = await backUp(app, { to: path.join(folder, 'backups') });
    await restoreTo(backup, copy.href, path.join(folder, 'data'));
    const after = await rowsOf(restored);
    return Object.keys(before)
      .filter((table) => before[table] !== after[table])
      .map((table) => `The restored table ${table} differs from the one that was backed up.`);
  } finally {
    await restored.end();
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}
