import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, withConnection } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { numbersFrom } from '#test/simulation/random.ts';
import { fingerprintSchema } from '#test/support/schema-fingerprint.ts';
import { type Drill, findPorts } from '../ground.ts';
import { planInstallation } from '../installation.ts';
import { startOwnDatabase } from '../own-database.ts';
import { beginPart, killPart, untilReady } from '../product.ts';
import { underAllLoad } from '../under-load.ts';

const workMs = 5_000;
const shortestMs = 1_000;
const longestMs = 5_000;

/** Starts three web processes and a worker at once on an empty database, and kills one while they migrate. */
export const together: Drill = async (ground, { seed = 1 }) => {
  const address = await startOwnDatabase(ground);
  const [port = 0, secondPort = 0, doomedPort = 0, workerPort = 0] = await findPorts(4);
  const env = { DATABASE_URL: address };
  const installation = await planInstallation(ground, port, { findAddress: () => address, env });
  ground.say('Starting four processes at once on an empty database …');
  const [doomed, ...others] = await Promise.all([
    beginPart(ground, installation.product, { name: 'web-3', port: doomedPort }),
    beginPart(ground, installation.product, { name: 'web-1', port }),
    beginPart(ground, installation.product, { name: 'web-2', port: secondPort }),
    beginPart(ground, installation.product, { name: 'worker', port: workerPort, script: 'worker' }),
  ]);
  await pause(shortestMs + numbersFrom(seed)() * (longestMs - shortestMs));
  ground.say('kill -9 of one of them …');
  await killPart(doomed);
  for (const part of others) await untilReady(ground, part);
  const differing = await compareWithOneMigration(address);
  const outcome = await underAllLoad(ground, installation, {
    injected: 'four processes migrated an empty database at once, and one was killed meanwhile',
    breakThings: () => pause(workMs),
  });
  return {
    ...outcome,
    figures: [['objects of the schema unlike those of one migration alone', differing.length], ...outcome.figures],
    faults: [...differing.map((object) => `The schema has or lacks ${object}.`), ...outcome.faults],
  };
};

/** Migrates another database alone, and returns what differs. */
async function compareWithOneMigration(address: string): Promise<string[]> {
  const alone = new URL(address);
  alone.pathname = '/alone';
  await withConnection(address, (client) => client.query('create database alone'));
  await migrate(alone.href);
  const [together = [], one = []] = await Promise.all([address, alone.href].map(fingerprint));
  return [...together.filter((line) => !one.includes(line)), ...one.filter((line) => !together.includes(line))];
}

async function fingerprint(address: string): Promise<string[]> {
  const { pool, close } = openDatabase(address, { max: 1 });
  return fingerprintSchema(pool).finally(close);
}
