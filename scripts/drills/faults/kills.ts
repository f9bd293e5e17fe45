import { setTimeout as pause } from 'node:timers/promises';
import { numbersFrom } from '#test/simulation/random.ts';
import { findDatabaseProcesses } from '../database-processes.ts';
import type { Drill } from '../ground.ts';
import { dataDirOf, startAlone, startSeveral } from '../installation.ts';
import { killPart, restartPart } from '../product.ts';
import { type Breaks, underAllLoad } from '../under-load.ts';

/** A database that ends seven times within a minute each ends its process too. */
const kills = 5;
const shortestMs = 1_000;
const longestMs = 6_000;

/** A start takes that long on a busy machine, with the recovery of the database. */
const startSeconds = 60;

/** Returns waits of random length, the same ones for the same seed. */
function randomWaits(seed: number): () => Promise<void> {
  const draw = numbersFrom(seed);
  return () => pause(shortestMs + draw() * (longestMs - shortestMs));
}

/** Kills the only process, and starts it again. Its database ends with it. */
export const server: Drill = async (ground, { seed = 1 }) => {
  const { installation, part } = await startAlone(ground);
  const wait = randomWaits(seed);
  const injected = `${kills} × kill -9 of the only process, with its database`;
  const breakThings: Breaks['breakThings'] = async ({ breaking, untilAnswers }) => {
    for (let count = 1; count <= kills; count += 1) {
      await wait();
      ground.say(`kill -9 of the server, ${count} of ${kills} …`);
      breaking({ lastsSeconds: startSeconds, endsWorker: true });
      await killPart(part);
      await restartPart(ground, installation.product, part);
      await untilAnswers();
    }
    await wait();
  };
  return underAllLoad(ground, installation, { injected, breakThings });
};

/** Kills one of two workers at a time. Nobody who asks for a page notices. */
export const worker: Drill = async (ground, { seed = 1 }) => {
  const { installation, workers } = await startSeveral(ground, { workers: 2 });
  const wait = randomWaits(seed);
  const injected = `${kills} × kill -9 of a worker`;
  const breakThings: Breaks['breakThings'] = async ({ breaking, untilAnswers }) => {
    for (let count = 1; count <= kills; count += 1) {
      const part = workers[count % workers.length];
      if (!part) throw new Error('There is no worker.');
      await wait();
      ground.say(`kill -9 of ${part.name}, ${count} of ${kills} …`);
      breaking({ lastsSeconds: 0, endsWorker: true });
      await killPart(part);
      await restartPart(ground, installation.product, part);
      await untilAnswers();
    }
    await wait();
  };
  return underAllLoad(ground, installation, { injected, breakThings });
};

/** Kills the embedded database, which the product starts again by itself. */
export const database: Drill = async (ground, { seed = 1 }) => {
  const { installation } = await startAlone(ground);
  const wait = randomWaits(seed);
  const injected = `${kills} × kill -9 of the database, all of its processes`;
  const breakThings: Breaks['breakThings'] = async ({ breaking, untilAnswers }) => {
    for (let count = 1; count <= kills; count += 1) {
      await wait();
      ground.say(`kill -9 of the database, ${count} of ${kills} …`);
      breaking({ lastsSeconds: startSeconds, endsWorker: true });
      for (const pid of await findDatabaseProcesses(dataDirOf(installation.product))) endHard(pid);
      await untilAnswers();
    }
    await wait();
  };
  return underAllLoad(ground, installation, { injected, breakThings });
};

/** A process of the database may have ended with the one before it. */
function endHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
