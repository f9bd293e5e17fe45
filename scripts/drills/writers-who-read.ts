import { setTimeout as pause } from 'node:timers/promises';
import { listPersonNotes, writePersonNote } from '#contract/person-notes.ts';
import { approveStipend, listStipends } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type Client, client } from '#test/support/app.ts';
import type { Ground } from './ground.ts';
import type { Product } from './product.ts';
import { buildWorld } from './world.ts';

export interface WritersWhoRead {
  record: {
    writes: number;
    reads: number;
    /** How long lists took, in ms. */
    times: number[];
    /** A sentence for each write that its writer did not find in the list, and for each request that failed. */
    missing: string[];
    failures: string[];
  };
  stop(): Promise<void>;
}

const sizes = { participants: 6, stipends: 1_500, cohorts: 0 };

/**
 * Six people write notes, and two approve stipends. Each writes at one web process and reads the list at the next one, at
 * once and in turns.
 */
export async function startWritersWhoRead(
  ground: Ground,
  db: Db,
  product: Product,
  urls: string[],
): Promise<WritersWhoRead> {
  ground.say('Making people and stipends …');
  const world = await buildWorld(db, product, sizes);
  const rows = await db.selectFrom('stipendEligibility').select(['id', 'version', 'cohortId']).execute();
  const stipends = rows.values();
  const record: WritersWhoRead['record'] = { writes: 0, reads: 0, times: [], missing: [], failures: [] };
  let isStopped = false;
  const at = (person: Client, turn: number) => client(urls[turn % urls.length] ?? '', person.cookie);

  async function writeAndRead(what: string, write: () => Promise<unknown>, isListed: () => Promise<boolean>) {
    try {
      await write();
      record.writes += 1;
      const startedAt = performance.now();
      const isThere = await isListed();
      record.times.push(performance.now() - startedAt);
      record.reads += 1;
      if (!isThere) record.missing.push(`${what} was acknowledged, and its writer did not find it in the list.`);
    } catch (error) {
      record.failures.push(`${what} or its list failed: ${error instanceof Error ? error.message : error}`);
      await pause(100);
    }
  }
  async function writeNotes(author: Client, id: string): Promise<void> {
    for (let turn = 0; !isStopped; turn += 1) {
      const text = `A note ${newId()}`;
      await writeAndRead(
        text,
        () => at(author, turn).call(writePersonNote, { params: { id }, body: { kind: 'staff', text } }),
        async () => {
          const { rows: notes } = await at(author, turn + 1).call(listPersonNotes, { params: { id }, query: {} });
          return notes.some((note) => note.text === text);
        },
      );
    }
  }
  async function approveStipends(): Promise<void> {
    for (let turn = 0; !isStopped; turn += 1) {
      const next = stipends.next().value;
      if (!next) return;
      const { id, version, cohortId } = next;
      const query = { week: 1, cohort: cohortId, status: 'approved' as const };
      await writeAndRead(
        `The approval ${id}`,
        () => at(world.admin, turn).call(approveStipend, { params: { id }, body: { version } }),
        async () => {
          const { rows: listed } = await at(world.admin, turn + 1).call(listStipends, { query });
          return listed.some((row) => row.id === id);
        },
      );
    }
  }
  ground.say('The load begins …');
  const running = [
    ...world.participants.map(({ id }, index) => writeNotes(index % 2 === 0 ? world.admin : world.coach, id)),
    approveStipends(),
    approveStipends(),
  ];
  const stop = async () => {
    isStopped = true;
    await Promise.all(running);
  };
  ground.undo.push(stop);
  return { record, stop };
}
