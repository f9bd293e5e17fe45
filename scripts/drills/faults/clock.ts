import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { type Drill, waitFor } from '../ground.ts';
import { startAlone } from '../installation.ts';
import { type Breaks, underAllLoad } from '../under-load.ts';
import type { Judged } from '../verdict-of-things.ts';

const hourInMs = 3_600_000;
const eachMs = 20_000;
const longestMinuteSeconds = 180;
const shifts: [words: string, shiftMs: number][] = [
  ['an hour ahead', hourInMs],
  ['an hour behind', -hourInMs],
  ['right again', 0],
];

/** The clock of the process jumps an hour ahead, two hours back, and back again. That of its database does not. */
export const jumps: Drill = async (ground) => {
  const file = path.join(ground.folder, 'shift');
  await writeFile(file, '0');
  const log = path.join(ground.folder, 'server.log');
  const preload = path.join(import.meta.dirname, 'shifted-clock.ts');
  const { installation, part } = await startAlone(ground, {
    NODE_OPTIONS: `--import=${preload}`,
    SHIFTED_CLOCK_FILE: file,
  });
  const minutes: number[] = [];
  const breakThings: Breaks['breakThings'] = async ({ breaking, db }) => {
    await pause(eachMs / 4);
    // Money asks an admin anew for a proof after a quarter of an hour, also if a clock says so that jumped.
    breaking({ lastsSeconds: shifts.length * longestMinuteSeconds, why: /proof_required/ });
    for (const [words, shiftMs] of shifts) {
      ground.say(`The clock stands ${words} …`);
      await writeFile(file, String(shiftMs));
      part.child.kill('SIGUSR2');
      const isHeard = async () => (await readFile(log, 'utf8')).includes(`shifted by ${shiftMs} ms`);
      await waitFor('the clock shifted', isHeard);
      const [before, since] = [await countMinutes(db), performance.now()];
      const hasPassed = async () => (await countMinutes(db)) > before;
      await Promise.all([pause(eachMs), waitFor('a job of every minute', hasPassed, 3 * longestMinuteSeconds)]);
      minutes.push((performance.now() - since) / 1000);
    }
  };
  const injected = "the product's clock jumped an hour ahead, two hours back, and back again";
  return underAllLoad(ground, installation, { injected, breakThings, judge: async () => judgeMinutes(minutes) });
};

/** Jobs of every minute are made by the database's clock, so none of these jumps may hold them up. */
function judgeMinutes(minutes: number[]): Judged {
  const longest = Math.round(Math.max(...minutes));
  return {
    figures: [['longest wait for a job of every minute', `${longest} s`]],
    lost: 0,
    faults: longest > longestMinuteSeconds ? [`A job of every minute came after ${longest} seconds.`] : [],
  };
}

/** How many jobs of every minute there have been. */
async function countMinutes(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job where name = 'resume-imports'`.execute(db);
  return rows[0]?.count ?? 0;
}
