import { setTimeout as pause } from 'node:timers/promises';
import { buildParticipant } from '#test/factories/people.ts';
import { type Drill, findPorts, type Ground, type Outcome } from './ground.ts';
import { startOwnDatabase } from './own-database.ts';
import { openDrillDatabase, planProduct, signIn, startPart } from './product.ts';
import { type Radosgw, startRadosgw } from './radosgw.ts';
import { judgeBackup, judgeBucket, judgeFiles } from './s3-verdict.ts';
import { type Person, startTransfers, type Transfers } from './transfers.ts';
import { startMails, underLoad } from './under-load.ts';
import { type Breaking, judgeFailures } from './verdict.ts';

const buckets = ['files', 'backups', 'restored'];
const uploaders = 4;
const kills = 3;
const quietMs = 5_000;
const awayMs = 3_000;
/** Longer than anybody may wait for an answer. */
const hangsMs = 15_000;

/** Files go to a bucket whose server is killed three times and hangs once. Then comes a backup, and a restore from it. */
export const drill: Drill = async (ground) => {
  const s3 = await startRadosgw(ground, buckets);
  const address = await startOwnDatabase(ground);
  const mails = await startMails(ground);
  const [port = 0, workerPort = 0] = await findPorts(2);
  const product = planProduct(ground, `http://127.0.0.1:${port}`, {
    DATABASE_URL: address,
    SMTP_URL: mails.url,
    FILE_SPACE_MB: '100000',
    UPLOADS_PER_DAY_MB: '1000000',
    ...s3.settingsOf('files'),
  });
  ground.say('Starting a web process and a worker …');
  await startPart(ground, product, { name: 'web-1', port });
  await startPart(ground, product, { name: 'worker-1', port: workerPort, script: 'worker' });
  const { db } = openDrillDatabase(ground, address);
  const people: Person[] = [];
  for (let count = 0; count < uploaders; count += 1) {
    const { id } = await buildParticipant(db);
    people.push({ id, client: await signIn(db, product, { id }) });
  }
  const broken: Breaking[] = [];
  const transfers = startTransfers(product.publicUrl, people);
  ground.undo.push(transfers.leave);
  // Nothing but files needs the bucket, so no other request may fail while it is away.
  const others = await underLoad(ground, { product, address, mails, streamsStay: true }, () =>
    breakStorage(ground, s3, transfers, broken),
  );
  const { record } = transfers;
  const outcomes = [
    await judgeFiles(ground, record),
    await judgeBucket(ground, db, s3, record),
    await judgeBackup(ground, { s3, address, product, record }),
    others,
  ];
  return together([{ figures: [['Ceph', s3.version]], faults: judgeFailures(record, broken) }, ...outcomes]);
};

async function breakStorage(ground: Ground, s3: Radosgw, { stop }: Transfers, broken: Breaking[]): Promise<void> {
  await pause(quietMs);
  for (let count = 0; count < kills; count += 1) {
    ground.say('kill -9 radosgw …');
    broken.push({ at: performance.now(), lastsSeconds: awayMs / 1000 + 10 });
    await s3.kill();
    await pause(awayMs);
    await s3.start();
    await pause(quietMs);
  }
  ground.say('radosgw hangs …');
  broken.push({ at: performance.now(), lastsSeconds: hangsMs / 1000 + 10 });
  s3.hang();
  await pause(hangsMs);
  s3.goOn();
  await pause(quietMs);
  ground.say('Letting every upload come to its end …');
  await stop();
}

function together(outcomes: Outcome[]): Outcome {
  return {
    figures: outcomes.flatMap(({ figures }) => figures),
    faults: outcomes.flatMap(({ faults }) => faults),
  };
}
