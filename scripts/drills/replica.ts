import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Standby, startStandby } from '#test/support/standby.ts';
import { type Drill, findPorts, type Ground, waitFor } from './ground.ts';
import { startOwnDatabase } from './own-database.ts';
import { openDrillDatabase, planProduct, startPart } from './product.ts';
import { startWritersWhoRead, type WritersWhoRead } from './writers-who-read.ts';

const names = ['web-1', 'web-2'];
const phaseMs = 8_000;
const delayMs = 50;

interface Counts {
  replica: number;
  primary: number;
}

/** Two web processes on a primary and its replica, which is delayed, stopped and started again, and paused under load. */
export const drill: Drill = async (ground) => {
  const dataDir = path.join(ground.folder, 'database');
  const address = await startOwnDatabase(ground, dataDir);
  ground.say('Copying the database to a replica …');
  const standby = await startStandby({ dataDir, connectionString: address }, path.join(ground.folder, 'replica'));
  ground.undo.push(standby.close);
  const ports = await findPorts(names.length);
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const product = planProduct(ground, urls[0] ?? '', {
    DATABASE_URL: address,
    DATABASE_REPLICA_URL: standby.connectionString,
  });
  ground.say('Starting two web processes …');
  for (const [index, name] of names.entries()) await startPart(ground, product, { name, port: ports[index] ?? 0 });
  const { db } = openDrillDatabase(ground, address);
  const people = await startWritersWhoRead(ground, db, product, urls);
  await waitFor('reads at the replica', async () => (await countReads(urls)).replica > 20);

  const phases = await breakReplica(ground, standby, { people, urls });
  await people.stop();
  const { writes, reads, missing, failures } = people.record;
  return {
    figures: [
      ['acknowledged writes', writes],
      ['lists read after them', reads],
      ['own writes missing in them', missing.length],
      ['requests without an answer, or refused', failures.length],
      ...phases.map(({ name, ...phase }): [string, string] => [name, wordsOf(phase)]),
    ],
    faults: [
      ...missing.slice(0, 5),
      ...failures.slice(0, 5),
      ...(writes === 0 ? ['No write was acknowledged.'] : []),
      ...phases.flatMap(({ name, expected, counts }) =>
        counts[expected] > 0 ? [] : [`${name}: the ${expected} answered no read.`],
      ),
    ],
  };
};

interface Phase {
  name: string;
  /** Who has to answer some of its reads. */
  expected: keyof Counts;
  counts: Counts;
  /** Of lists, in ms. */
  times: number[];
}

async function breakReplica(
  ground: Ground,
  standby: Standby,
  { people, urls }: { people: WritersWhoRead; urls: string[] },
): Promise<Phase[]> {
  const phases: Phase[] = [];
  const phase = async (name: string, expected: Phase['expected'], prepare: () => Promise<void> = async () => {}) => {
    ground.say(`${name} …`);
    await prepare();
    const before = await countReads(urls);
    people.record.times.length = 0;
    await pause(phaseMs);
    const after = await countReads(urls);
    const counts = { replica: after.replica - before.replica, primary: after.primary - before.primary };
    phases.push({ name, expected, counts, times: [...people.record.times] });
  };
  const back = async () => {
    const before = await countReads(urls);
    await waitFor('the replica used again', async () => (await countReads(urls)).replica > before.replica + 20);
  };
  await phase('the replica follows', 'replica');
  await phase(`it replays ${delayMs} ms late`, 'replica', () => standby.set('recovery_min_apply_delay', delayMs));
  await standby.set('recovery_min_apply_delay', 0);
  await phase('it is stopped', 'primary', standby.stop);
  await phase('it was started again', 'replica', async () => {
    await standby.startAgain();
    await back();
  });
  await phase('it replays nothing', 'primary', standby.pauseReplay);
  await phase('it goes on', 'replica', async () => {
    await standby.resumeReplay();
    await back();
  });
  return phases;
}

/** What both web processes count. */
async function countReads(urls: string[]): Promise<Counts> {
  const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  const sumOf = (server: string) =>
    texts
      .flatMap((text) => [...text.matchAll(/^switchyard_replica_reads_total\{server="(\w+)".*\} (\d+)$/gm)])
      .reduce((sum, [, name, value]) => sum + (name === server ? Number(value) : 0), 0);
  return { replica: sumOf('replica'), primary: sumOf('primary') };
}

function wordsOf({ counts: { replica, primary }, times }: Omit<Phase, 'name'>): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
  const share = Math.round((100 * replica) / Math.max(1, replica + primary));
  return `${share} % of ${replica + primary} reads at the replica; a list took ${at(0.5)} ms, 99 % at most ${at(0.99)} ms`;
}
