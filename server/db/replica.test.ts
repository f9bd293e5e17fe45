import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Db, openDatabase, withConnection } from '#server/db/database.ts';
import { hasReplayed, parsePosition, presentPosition } from '#server/db/log-position.ts';
import { migrate } from '#server/db/migrate.ts';
import { openReplica, type Replica } from '#server/db/replica.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { makeServerFolder, type Standby, startPrimary, startStandby } from '#test/support/standby.ts';

const quick = { namesStatements: true, tryEveryMs: 20 };
/** Far more than a standby on the same machine needs, so that only what a test holds back is late. */
const patient = 10_000;

let folder: Awaited<ReturnType<typeof makeServerFolder>>;
let primary: Awaited<ReturnType<typeof startPrimary>>;
let standby: Standby;
let database: ReturnType<typeof openDatabase>;
let db: Db;
beforeAll(async () => {
  folder = await makeServerFolder();
  const dataDir = path.join(folder.folder, 'primary');
  primary = await startPrimary(dataDir);
  await migrate(primary.connectionString);
  await withConnection(primary.connectionString, (client) =>
    client.query('create table numbers (number int primary key)'),
  );
  await withConnection(primary.connectionString, (client) => client.query('create database other'));
  await migrate(addressOfOther(primary.connectionString));
  standby = await startStandby({ dataDir, ...primary }, path.join(folder.folder, 'standby'));
  database = openDatabase(primary.connectionString);
  ({ db } = database);
});
afterAll(async () => {
  await database.close();
  await standby.close();
  await primary.stop();
  await folder.remove();
});
beforeEach(() => sql`truncate numbers`.execute(db));

function addressOfOther(address: string): string {
  const other = new URL(address);
  other.pathname = '/other';
  return other.href;
}

interface Line {
  why?: string;
}

/** A replica of the test, and the lines that it logs. */
function openWatched(options: Partial<Parameters<typeof openReplica>[2]> = {}, address = standby.connectionString) {
  const lines: Line[] = [];
  const replica = openReplica(address, database, { ...quick, waitLimitInMs: patient, ...options });
  const note = (facts: object) => void lines.push(facts);
  replica.start({ info: note, warn: note });
  onTestFinished(replica.stop);
  return { replica, lines };
}

const positionOf = async (on: Db) =>
  (await sql<{ position: string | null }>`select ${presentPosition} as position`.execute(on)).rows[0]?.position ?? null;
const write = (number: number) => sql`insert into numbers values (${number})`.execute(db);

interface Seen {
  numbers: number[];
  isReplica: boolean;
}

async function look(on: Db): Promise<Seen> {
  const { rows } = await sql<Seen>`
    select array(select number from numbers order by number) as numbers, pg_is_in_recovery() as is_replica`.execute(on);
  return rows[0] ?? { numbers: [], isReplica: false };
}
const read = async (replica: Replica) => replica.read({ position: await positionOf(db), run: look });

const holdNumbers = (on: Db) => sql`select pg_sleep(60) from (select count(*) from numbers) counted`.execute(on);

/** The standby itself, as it is without any waiting. */
function openStandby(): Db {
  const opened = openDatabase(standby.connectionString, { max: 1 });
  onTestFinished(opened.close);
  return opened.db;
}

const untilUsed = (replica: Replica) =>
  vi.waitFor(async () => expect((await read(replica)).isReplica).toBe(true), { timeout: patient });

test('a read sees on the replica what was committed before it, one write after the other', async () => {
  const { replica } = openWatched();
  await untilUsed(replica);
  for (let number = 1; number <= 200; number += 1) {
    await write(number);
    const seen = await read(replica);
    expect(seen).toEqual({ numbers: Array.from({ length: number }, (_, index) => index + 1), isReplica: true });
  }
});

test('a read waits while the replica is a little behind, and sees the write there', async () => {
  const { replica } = openWatched();
  await untilUsed(replica);
  await standby.pauseReplay();
  onTestFinished(standby.resumeReplay);
  await write(1);
  const reading = read(replica);
  expect(await look(openStandby())).toEqual({ numbers: [], isReplica: true });
  await standby.resumeReplay();
  expect(await reading).toEqual({ numbers: [1], isReplica: true });
});

test('a commit that waits for no disk is in the position too', async () => {
  const hasty = openDatabase(primary.connectionString, { max: 1 });
  onTestFinished(hasty.close);
  await sql`set synchronous_commit = off`.execute(hasty.db);
  await sql`insert into numbers values (7)`.execute(hasty.db);
  const { place } = parsePosition((await positionOf(hasty.db)) ?? '');
  const { rows } = await sql<{ isLater: boolean }>`
    select ${place}::pg_lsn >= pg_current_wal_insert_lsn() as is_later`.execute(hasty.db);
  expect(rows).toEqual([{ isLater: true }]);
  expect(await hasReplayed(openStandby(), place, patient)).toBe(true);
  expect((await look(openStandby())).numbers).toEqual([7]);
});

describe('the primary answers instead', () => {
  test('when the replica is too far behind, until it has caught up', async () => {
    const { replica, lines } = openWatched({ waitLimitInMs: 300 });
    await untilUsed(replica);
    await standby.pauseReplay();
    onTestFinished(standby.resumeReplay);
    await write(1);
    expect(await read(replica)).toEqual({ numbers: [1], isReplica: false });
    await standby.resumeReplay();
    await untilUsed(replica);
    // On a busy machine the replica may be behind by itself at other times too.
    expect(new Set(lines.map(({ why }) => why))).toEqual(new Set([undefined, 'behind']));
  });

  test('when the replica is stopped in the middle, without a failed read, until it is back', async () => {
    const { replica, lines } = openWatched();
    await untilUsed(replica);
    const stopping = standby.stop();
    for (let number = 1; number <= 50; number += 1) {
      await write(number);
      expect((await read(replica)).numbers).toHaveLength(number);
    }
    await stopping;
    expect(await read(replica)).toMatchObject({ isReplica: false });
    await standby.startAgain();
    await untilUsed(replica);
    expect(lines.map(({ why }) => why)).toContain('away');
  });

  test.each([
    ['follows nobody', 'no-replica', () => primary.connectionString],
    ['has another database', 'other', () => addressOfOther(standby.connectionString)],
    ['does not answer', 'away', () => 'postgres://nobody@127.0.0.1:1/away'],
  ])('when the server %s', async (_, why, address) => {
    const { replica, lines } = openWatched({}, address());
    await vi.waitFor(() => expect(lines.map((line) => line.why)).toEqual([why]), { timeout: patient });
    await write(1);
    expect(await read(replica)).toEqual({ numbers: [1], isReplica: false });
  });

  test('when the primary is on a timeline on which the replica was not tried', async () => {
    const { replica } = openWatched();
    await untilUsed(replica);
    const { place } = parsePosition((await positionOf(db)) ?? '');
    const later = await replica.read({ position: `0000FFFF ${place}`, run: look });
    expect(later.isReplica).toBe(false);
    expect((await replica.read({ position: null, run: look })).isReplica).toBe(false);
  });

  test('when the replica cuts the read off, and only for this read', async () => {
    const { replica, lines } = openWatched();
    await untilUsed(replica);
    await standby.set('max_standby_streaming_delay', 0);
    const seen = await replica.read({
      position: await positionOf(db),
      run: async (on) => {
        const found = await look(on);
        // To replay this, the standby has to end the read that has the table.
        if (found.isReplica) await Promise.all([sql`truncate numbers`.execute(db), holdNumbers(on)]);
        return found;
      },
    });
    expect(seen.isReplica).toBe(false);
    await standby.set('max_standby_streaming_delay', 30_000);
    expect((await read(replica)).isReplica).toBe(true);
    expect(lines.filter(({ why }) => why !== undefined)).toEqual([]);
  });
});

test('what a read refuses is its answer, and it does not run again', async () => {
  const { replica } = openWatched();
  await untilUsed(replica);
  const run = vi.fn(() => Promise.reject(notFound('There is none.')));
  await expect(replica.read({ position: await positionOf(db), run })).rejects.toThrow(AppError);
  expect(run).toHaveBeenCalledTimes(1);
});
