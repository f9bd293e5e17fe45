import { setTimeout as pause } from 'node:timers/promises';
import { type Cluster, startCluster } from './cluster.ts';
import { type Drill, findPorts, type Ground, waitFor } from './ground.ts';
import { planProduct, startPart } from './product.ts';
import { startMails, underLoad } from './under-load.ts';

const quietMs = 5_000;
/** A lease of 20 seconds, and the time to take over. */
const recoversInSeconds = 30;

/** A web process and a worker on a Patroni cluster whose primary is killed under load, and then the other one. */
export const drill: Drill = async (ground) => {
  const cluster = await startCluster(ground);
  const mails = await startMails(ground);
  const [port = 0, workerPort = 0] = await findPorts(2);
  const { address } = cluster;
  const product = planProduct(ground, `http://127.0.0.1:${port}`, { DATABASE_URL: address, SMTP_URL: mails.url });
  ground.say('Starting a web process and a worker …');
  await startPart(ground, product, { name: 'web-1', port });
  await startPart(ground, product, { name: 'worker-1', port: workerPort, script: 'worker' });
  const takeovers: number[] = [];
  const running = { product, address, mails, streamsStay: true };
  const { figures, faults } = await underLoad(ground, running, async (breaking) => {
    for (let time = 1; time <= 2; time += 1) {
      await pause(quietMs);
      breaking({ lastsSeconds: recoversInSeconds, endsWorker: true });
      takeovers.push(await killPrimary(ground, cluster));
      await pause(quietMs);
    }
  });
  return {
    figures: [
      ['cluster', cluster.version],
      ['primaries killed', takeovers.length],
      ['time until the other node was the primary', takeovers.map((seconds) => `${seconds.toFixed(1)} s`).join(', ')],
      ...figures,
    ],
    faults,
  };
};

/** Returns the seconds until the other node had taken over. The killed one follows it afterward. */
async function killPrimary(ground: Ground, cluster: Cluster): Promise<number> {
  const primary = await cluster.findPrimary();
  if (!primary) throw new Error('No node is the primary.');
  ground.say(`kill -9 ${primary.name}, the primary …`);
  const startedAt = performance.now();
  await cluster.kill(primary);
  await waitFor('the other node the primary', async () => (await cluster.findPrimary()) !== undefined, 120);
  const seconds = (performance.now() - startedAt) / 1000;
  ground.say(`${primary.name} comes back and follows …`);
  await cluster.rejoin(primary);
  return seconds;
}
