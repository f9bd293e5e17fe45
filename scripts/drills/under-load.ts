import type { Db } from '#server/db/database.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import { changed } from '#server/platform/telling.ts';
import { startMailServer, type TestMailServer } from '#test/support/mail-server.ts';
import { busyness } from '#test/support/patience.ts';
import { type Ground, type Outcome, waitFor } from './ground.ts';
import { allLines, type Load, startLoad, usualLines } from './load.ts';
import type { Payer } from './payer.ts';
import { openDrillDatabase, type Product } from './product.ts';
import { keepStreams } from './streams.ts';
import { type Breaking, judgeFailures, judgeJobs, judgeWrites } from './verdict.ts';
import { type Judged, judgeAllJobs, judgeFiles, judgeHandovers, judgePeople } from './verdict-of-things.ts';
import { buildWorld, type Kept, type World } from './world.ts';

interface Running {
  product: Product;
  /** Of the database, for the drill itself. */
  address: string;
  mails: TestMailServer;
  /** Of a drill that breaks nothing by which a stream could end. */
  streamsStay?: boolean;
}

type Note = (what: Omit<Breaking, 'at'>) => void;

export async function startMails({ undo }: Ground): Promise<TestMailServer> {
  const mails = await startMailServer();
  undo.push(mails.close);
  return mails;
}

/** Lets people write, read and listen while `breakThings` runs. Then says what became of it all. */
export async function underLoad(
  ground: Ground,
  { product, address, mails, streamsStay = false }: Running,
  breakThings: (breaking: Note) => Promise<void>,
): Promise<Outcome> {
  const { db } = openDrillDatabase(ground, address);
  const world = await buildWorld(db, product);
  const listeners = world.participants.map(({ client }) => client);
  const streams = keepStreams(product.publicUrl, listeners);
  ground.undo.push(streams.close);
  const load = await beginLoad(ground, startLoad(world, usualLines));
  const broken: Breaking[] = [];
  await breakThings((what) => broken.push({ at: performance.now(), ...what }));
  await load.stop();
  const heard = streams.heardSince();
  for (const { id } of world.participants) await changed(db, 'files', [id]);
  await waitFor('every stream hears of a change', () => heard() === listeners.length, 30);
  const writes = await judgeWrites(db, load.record);
  const jobs = await judgeJobs(ground, db, mails, mostOnTheirWay(broken));
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

export interface Installation {
  product: Product;
  /** The database may have another address after a start. */
  findAddress: () => Promise<string> | string;
  mails: TestMailServer;
  payer: Payer;
  storage: Storage;
}

const worldOfFaults = { participants: 6, stipends: 400, cohorts: 150 };

export interface Scene {
  /** Says that something breaks now. */
  breaking: Note;
  /** Resolves once people get answers again, to all that they do. */
  untilAnswers(): Promise<void>;
  world: World;
  db: Db;
}

/** What a fault breaks, and what it holds beyond what all faults hold. */
export interface Breaks {
  injected: string;
  /** Runs before anybody is made. */
  prepare?(db: Db): Promise<void>;
  breakThings(scene: Scene): Promise<void>;
  judge?(db: Db): Promise<Judged>;
  /** The mail server keeps its answers to itself, so any mail may be given up for want of one. */
  losesAnswers?: boolean;
}

/**
 * Lets people do all kinds of work while `breakThings` runs. Then reads back what was acknowledged, and says what was
 * lost, what is there twice, and what ended in no way.
 */
export async function underAllLoad(
  ground: Ground,
  { product, findAddress, mails, payer, storage }: Installation,
  { injected, prepare, breakThings, judge, losesAnswers = false }: Breaks,
): Promise<Outcome> {
  ground.say('Making people and stipends …');
  const before = openDrillDatabase(ground, await findAddress());
  await prepare?.(before.db);
  const world = await buildWorld(before.db, product, worldOfFaults);
  const load = await beginLoad(ground, startLoad(world, allLines));
  const broken: Breaking[] = [];
  await breakThings({
    // A busy machine takes as many times longer to start a process again.
    breaking: (what) => broken.push({ at: performance.now(), ...what, lastsSeconds: what.lastsSeconds * busyness() }),
    untilAnswers: () => untilAnswers(load.record),
    world,
    db: before.db,
  });
  await load.stop();
  ground.say('The load has ended. Reading back what was acknowledged …');
  const { db } = openDrillDatabase(ground, await findAddress());
  const mostGivenUp = losesAnswers ? Number.POSITIVE_INFINITY : mostOnTheirWay(broken);
  const writes = await judgeWrites(db, load.record);
  const files = await judgeFiles(db, storage, load.record);
  const people = await judgePeople(db, load.record);
  const money = await judgeHandovers(db, payer, load.record);
  const sent = await judgeJobs(ground, db, mails, mostGivenUp);
  const jobs = await judgeAllJobs(ground, db);
  const more = judge ? [await judge(db)] : [];
  const all = [writes, files, people, money, sent, ...more, jobs];
  return {
    figures: all.flatMap(({ figures }) => figures),
    faults: [...all.flatMap(({ faults }) => faults), ...judgeFailures(load.record, broken)],
    summary: {
      injected,
      underWay: wordsOf(load.record, sent.count),
      lost: all.reduce((total, { lost }) => total + lost, 0),
      secondsWithoutAnswers: Math.round(load.record.longestSilence / 100) / 10,
    },
  };
}

async function untilAnswers(record: Kept): Promise<void> {
  const counts = () => [record.notes, record.messages, record.files, record.imported].map(({ length }) => length);
  const before = counts();
  await waitFor('answers again', () => counts().every((count, index) => count > (before[index] ?? 0)), 120);
}

/** Ten mails of a worker are on their way at once. */
function mostOnTheirWay(broken: Breaking[]): number {
  return 10 * broken.filter(({ endsWorker }) => endsWorker).length;
}

async function beginLoad(ground: Ground, load: Load): Promise<Load> {
  ground.say('The load begins …');
  ground.undo.push(load.stop);
  await waitFor('the load running', () => load.record.messages.length > 20);
  return load;
}

function wordsOf({ notes, messages, approved, paid, files, imported, handedOver }: Kept, mails: number): string {
  const writes = notes.length + messages.length + approved.length + paid.length;
  const kinds: [string, number][] = [
    ['writes', writes],
    ['uploads', files.length],
    ['imported people', imported.length],
    ['hand-overs', handedOver.length],
    ['mails', mails],
  ];
  return kinds.map(([kind, count]) => `${count.toLocaleString('en-US')} ${kind}`).join(', ');
}
