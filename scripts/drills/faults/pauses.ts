import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '#server/db/database.ts';
import type { Drill } from '../ground.ts';
import { startSeveral } from '../installation.ts';
import { type Breaks, underAllLoad } from '../under-load.ts';
import type { Judged } from '../verdict-of-things.ts';

/** A hand-over that failed is tried again after a minute, by a worker. */
const untilRetriesMs = 50_000;
/** By then, what the stopped worker had begun counts as lost, and the other one takes it. */
const stoppedMs = 200_000;
const workMs = 15_000;
const slowly = { status: 200, afterMs: 5_000 };

/** Stops one of two workers while it sends mails and hand-overs, and lets it go on when the other one has taken them. */
export const worker: Drill = async (ground) => {
  const { installation, workers } = await startSeveral(ground, { workers: 2 });
  const { mails, payer } = installation;
  const [part] = workers;
  if (!part) throw new Error('There is no worker.');
  ground.undo.push(() => void part.child.kill('SIGCONT'));
  const breakThings: Breaks['breakThings'] = async ({ breaking }) => {
    breaking({ lastsSeconds: 0, endsWorker: true });
    payer.system.usual = { status: 500 };
    await pause(untilRetriesMs);
    payer.system.usual = slowly;
    mails.fault = 'waits';
    await pause(workMs);
    ground.say('SIGSTOP to a worker that is sending …');
    part.child.kill('SIGSTOP');
    mails.fault = null;
    mails.release();
    await pause(stoppedMs);
    ground.say('SIGCONT …');
    part.child.kill('SIGCONT');
    payer.system.usual = { status: 200 };
    await pause(workMs);
  };
  const injected = `a worker stopped for ${stoppedMs / 1000} s (SIGSTOP) while it sent, and continued`;
  return underAllLoad(ground, installation, { injected, breakThings, judge: judgeTakenOver, losesAnswers: true });
};

/** Without anything that was tried twice, the other worker took nothing. */
async function judgeTakenOver(db: Db): Promise<Judged> {
  const taken = await db.selectFrom('deliveries').select('id').where('attempts', '>', 1).execute();
  return {
    figures: [['mails that the other worker took over', taken.length]],
    lost: 0,
    faults: taken.length === 0 ? ['The other worker took nothing over.'] : [],
  };
}
