import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { z } from 'zod';
import { downloadFile } from '#contract/files.ts';
import { type Db, withConnection } from '#server/db/database.ts';
import { removeAbandonedUploadsJob } from '#server/features/files/file-jobs.ts';
import { findOrphans } from '#server/features/files/orphan-queries.ts';
import { removeStoredFileQueue } from '#server/features/files/stored-file-queue.ts';
import { defineQueue, enqueue } from '#server/platform/jobs.ts';
import { openStorage } from '#server/platform/storage.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { type Ground, lastWords, type Outcome, startProgram, waitFor } from './ground.ts';
import type { Product } from './product.ts';
import type { Radosgw } from './radosgw.ts';
import type { Transferred } from './transfers.ts';

const mebibyte = 1024 * 1024;
const removalsSettleInSeconds = 300;

/** Reads every file whose upload was acknowledged, whole and by the product. */
export async function judgeFiles(ground: Ground, record: Transferred): Promise<Outcome> {
  ground.say(`Reading ${record.files.length} files …`);
  const faults: string[] = [];
  for (const { id, client, bytes } of record.files) {
    const answer = await client.fetch(downloadFile.path.replace(':id', id));
    const found = Buffer.from(await answer.arrayBuffer());
    if (answer.status !== 200) faults.push(`File ${id} is lost: ${answer.status} ${found}`);
    else if (!found.equals(bytes)) faults.push(`File ${id} is not what was uploaded.`);
  }
  return {
    figures: [
      ['files uploaded, of all sizes', `${record.files.length}, ${Math.round(record.bytes / mebibyte)} MB`],
      ['of them lost or changed', faults.length],
      ['uploads cut in the middle and resumed', record.cuts],
      ['ranges read', record.ranges],
      ['requests about files refused with a sentence', record.refusals],
      ['requests about files without an answer', record.failures.length - record.refusals],
      ['slowest answer about a file', `${(record.slowestAnswer / 1000).toFixed(1)} s`],
    ],
    faults: [...record.faults, ...faults],
  };
}

/** Lets uploads that people left expire. Then rows and bucket are compared. */
export async function judgeBucket(ground: Ground, db: Db, s3: Radosgw, record: Transferred): Promise<Outcome> {
  ground.say(`Letting ${record.left.length} uploads expire that nobody went on with …`);
  await sql`update stored_files set continued_at = now() - interval '2 days' where completed_at is null`.execute(db);
  await inTransaction(db, (transaction) =>
    enqueue(transaction, defineQueue(removeAbandonedUploadsJob.name, z.object({})), {}),
  );
  const unfinished = async () => {
    const rows = await db.selectFrom('storedFiles').select('id').where('completedAt', 'is', null).execute();
    return rows.length;
  };
  await waitFor('every abandoned upload expired', async () => (await unfinished()) === 0);
  const removals = async () => {
    const { rows } = await sql`
      select from pgboss.job where name = ${removeStoredFileQueue.name} and state < 'completed'`.execute(db);
    return rows.length;
  };
  await waitFor('every removal done', async () => (await removals()) === 0, removalsSettleInSeconds);
  const storage = await openStorage({ s3: s3.configOf('files'), dataDir: ground.folder });
  const { missing, unowned } = await findOrphans(db, storage);
  const { Uploads: open = [] } = await s3.client.listMultipartUploads({ Bucket: 'files' });
  const count = (what: number, sentence: string) => (what === 0 ? [] : [`${what} ${sentence}`]);
  return {
    figures: [
      ['unfinished uploads that expired', record.left.length],
      ['uploads given up', record.givenUp.length],
      ['rows without an object', missing.count],
      ['objects without a row', unowned.count],
      ['multipart uploads still open in the bucket', open.length],
    ],
    faults: [
      ...count(missing.count, `rows have no object: ${missing.names}`),
      ...count(unowned.count, `objects have no row: ${unowned.names}`),
      ...count(open.length, `multipart uploads are still open: ${open.slice(0, 3).map(({ Key }) => Key)}`),
      ...(record.left.length === 0 ? ['No upload was left, so none could expire.'] : []),
    ],
  };
}

interface BackupPlan {
  s3: Radosgw;
  address: string;
  product: Product;
  record: Transferred;
}

/** A backup into one bucket, and a restore from it into an empty database and another bucket. */
export async function judgeBackup(ground: Ground, { s3, address, product, record }: BackupPlan): Promise<Outcome> {
  ground.say('Making a backup into a bucket …');
  const made = await runCommand(ground, 'backup', ['--to', 's3://backups/nightly'], product.env);
  const [, name = ''] = /^(\S+) is whole/m.exec(made.said) ?? [];
  ground.say(`Restoring ${name} into another bucket …`);
  const target = new URL(address);
  target.pathname = '/restored';
  await withConnection(address, (connection) => connection.query('create database restored'));
  const env = { ...product.env, ...s3.settingsOf('restored') };
  const restored = await runCommand(
    ground,
    'restore',
    ['--from', `s3://backups/nightly/${name}`, '--into', target.href],
    env,
  );
  let changed = 0;
  const storage = await openStorage({ s3: s3.configOf('restored'), dataDir: ground.folder });
  for (const { id, ownerId, bytes } of record.files) {
    const stored = await storage.read(`${ownerId}/${id}`);
    if (!stored || !(await buffer(stored.stream)).equals(bytes)) changed += 1;
  }
  return {
    figures: [
      ['backup into a bucket', `${made.seconds} s`],
      ['restore from it, into another bucket', `${restored.seconds} s`],
      ['files of it lost or changed', changed],
    ],
    faults: changed === 0 ? [] : [`${changed} files are not in the restored bucket as they were.`],
  };
}

async function runCommand(ground: Ground, name: string, args: string[], env: Record<string, string>) {
  const startedAt = performance.now();
  const command: [string, ...string[]] = [process.execPath, `scripts/${name}.ts`, ...args];
  const child = startProgram(ground, name, command, { env: { PATH: process.env.PATH, ...env } });
  await once(child, 'close');
  const said = await lastWords(ground, name);
  if (child.exitCode !== 0) throw new Error(`npm run ${name} ended with ${child.exitCode}: ${said}`);
  return { said, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) };
}
