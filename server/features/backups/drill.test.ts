import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { downloadFile } from '#contract/files.ts';
import { type Db, openDatabase } from '#server/db/database.ts';
import { verifyLedger } from '#server/features/payments/ledger.ts';
import { findRunningDatabase, startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { client } from '#test/support/app.ts';
import { sizeOf } from '#test/support/depth.ts';
import { type Acknowledged, startLoad } from '#test/support/load.ts';
import { killServerProcesses, openProcessSession, startServerProcess } from '#test/support/server-process.ts';
import type { Manifest } from './backup-manifest.ts';

const run = promisify(execFile);
const log = { info: () => undefined, warn: () => undefined };
const writesFirst = sizeOf({ usual: 30, deep: 3_000 });
const stipendsThatWait = sizeOf({ usual: 40, deep: 2_000 });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'switchyard-drill-'));
});
afterEach(async () => {
  killServerProcesses();
  await rm(folder, { recursive: true, force: true });
});

async function startProduct(dataDir: string) {
  const app = { config: { dataDir, publicUrl: 'http://127.0.0.1' } };
  const settings = {
    DEMO: '0',
    REQUIRE_ADMIN_SECOND_FACTOR: '0',
    RATE_LIMIT_FACTOR: '100000',
    UPLOADS_PER_DAY: '99999',
  };
  const [url, child] = await startServerProcess({ connectionString: '', app }, settings);
  const address = (await findRunningDatabase(dataDir)) ?? '';
  return { url, child, app, database: openDatabase(address, { max: 2 }) };
}

function runCommand(script: string, args: string[], dataDir: string): Promise<{ stdout: string }> {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
  return run(process.execPath, [script, ...args], { env });
}

const was = (kind: Acknowledged['kind'], writes: Acknowledged[]) => writes.filter((write) => write.kind === kind);

/** Everything that was acknowledged is there, as it was said. */
async function expectKept(db: Db, writes: Acknowledged[]): Promise<void> {
  const notes = await db.selectFrom('personNotes').select('note').execute();
  expect(notes.map(({ note }) => note)).toEqual(
    expect.arrayContaining(was('note', writes).map(({ content }) => content)),
  );
  const files = await db
    .selectFrom('userFiles')
    .innerJoin('storedFiles', 'path', 'filePath')
    .select('storedFiles.id')
    .execute();
  expect(files.map(({ id }) => id)).toEqual(expect.arrayContaining(was('file', writes).map(({ id }) => id)));
  const approved = await db.selectFrom('stipendLedger').select('stipendId').where('kind', '=', 'approval').execute();
  expect(approved.map(({ stipendId }) => stipendId)).toEqual(
    expect.arrayContaining(was('approval', writes).map(({ id }) => id)),
  );
}

test('under load, a backup holds all that was acknowledged before it: each row, file and the ledger, after kill -9 too', async () => {
  const dataDir = path.join(folder, 'first');
  const product = await startProduct(dataDir);
  const { db } = product.database;
  const [admin, robin] = [await buildAdmin(db), await buildParticipant(db)];
  const stipends = [];
  for (let built = 0; built < stipendsThatWait; built += 1) stipends.push(await buildStipend(db));
  const signIn = async (person: { id: string }) =>
    client(product.url, await openProcessSession({ db, app: product.app }, person));
  const load = startLoad({
    admin: await signIn(admin),
    participant: await signIn(robin),
    participantId: robin.id,
    stipends: stipends.map(({ id, version }) => ({ id, version })),
  });
  await vi.waitUntil(() => load.acknowledged.length >= writesFirst, { interval: 20 });

  await runCommand('scripts/backup.ts', ['--to', path.join(folder, 'backups')], dataDir);
  const countAtEnd = load.acknowledged.length;
  await vi.waitUntil(() => load.acknowledged.length > countAtEnd, { interval: 20 });
  await product.database.close();
  load.stop();
  product.child.kill('SIGKILL');
  await once(product.child, 'exit');
  await load.ended;

  const [name = ''] = await readdir(path.join(folder, 'backups'));
  const manifest = JSON.parse(await readFile(path.join(folder, 'backups', name, 'manifest.json'), 'utf8')) as Manifest;
  const before = load.acknowledged.filter(({ at }) => at < new Date(manifest.snapshotAt));
  expect(before.length).toBeGreaterThanOrEqual(writesFirst);
  for (const kind of ['note', 'file', 'approval'] as const) expect(was(kind, before), kind).not.toEqual([]);

  const elsewhere = path.join(folder, 'second');
  const { stdout } = await runCommand(
    'scripts/restore.ts',
    ['--from', path.join(folder, 'backups', name), '--into', elsewhere],
    folder,
  );
  expect(stdout).toContain(`ends as the backup says: ${manifest.ledger.lines}:${manifest.ledger.lastHash}`);
  const restored = await startProduct(elsewhere);
  await expectKept(restored.database.db, before);
  const again = client(restored.url, await openProcessSession({ db: restored.database.db, app: restored.app }, robin));
  for (const { id, content } of was('file', before)) {
    const answer = await again.fetch(downloadFile.path.replace(':id', id));
    expect(await answer.text()).toBe(content);
  }
  await restored.database.close();

  const survivor = await startEmbeddedDatabase({ dataDir, log });
  const original = openDatabase(survivor.connectionString, { max: 1 });
  await expectKept(original.db, load.acknowledged);
  const kept = { line: manifest.ledger.lines, hash: manifest.ledger.lastHash };
  expect((await verifyLedger(original.db, kept)).problems).toEqual([]);
  await original.close();
  await survivor.stop();
});
