import { changed } from '#server/platform/telling.ts';
import { startMailServer, type TestMailServer } from '#test/support/mail-server.ts';
import { type Ground, type Outcome, waitFor } from './ground.ts';
import { buildWorld, startLoad } from './load.ts';
import { openDrillDatabase, type Product } from './product.ts';
import { keepStreams } from './streams.ts';
import { type Breaking, judgeFailures, judgeJobs, judgeWrites } from './verdict.ts';

interface Running {
  product: Product;
  /** Of the database, for the drill itself. */
  address: string;
  mails: TestMailServer;
  /** Of a drill that breaks nothing by which a stream could end. */
  streamsStay?: boolean;
}

export async function startMails({ undo }: Ground): Promise<TestMailServer> {
  const mails = await startMailServer();
  undo.push(mails.close);
  return mails;
}

/** Lets people write, read and listen while `breakThings` runs. Then says what became of it all. */
export async function underLoad(
  ground: Ground,
  { product, address, mails, streamsStay = false }: Running,
  breakThings: (breaking: (what: Omit<Breaking, 'at'>) => void) => Promise<void>,
): Promise<Outcome> {
  const db = openDrillDatabase(ground, address);
  const world = await buildWorld(db, product);
  const listeners = world.participants.map(({ client }) => client);
  const streams = keepStreams(product.publicUrl, listeners);
  ground.undo.push(streams.close);
  ground.say('The load begins …');
  const load = startLoad(world);
  ground.undo.push(load.stop);
  await waitFor('the load running', () => load.record.messages.length > 20);

  const broken: Breaking[] = [];
  await breakThings((what) => broken.push({ at: performance.now(), ...what }));
  await load.stop();
  const heard = streams.heardSince();
  for (const { id } of world.participants) await changed(db, 'files', [id]);
  await waitFor('every stream hears of a change', () => heard() === listeners.length, 30);
  const writes = await judgeWrites(db, load.record);
  const jobs = await judgeJobs(ground, db, mails, broken.filter(({ endsWorker }) => endsWorker).length);
  return {
    figures: [
      ...writes.figures,
      ['live streams, all heard the last change', listeners.length],
      ['streams opened again', streams.resumed()],
      ['longest time that a stream was away', `${(streams.longestAway() / 1000).toFixed(1)} s`],
      ...jobs.figures,
    ],
    faults: [
      ...writes.faults,
      ...judgeFailures(load.record, broken),
      ...(streamsStay || streams.resumed() > 0 ? [] : ['No stream was cut off, so none could resume.']),
      ...jobs.faults,
    ],
  };
}
