import { setTimeout as pause } from 'node:timers/promises';
import { type Drill, findPorts } from './ground.ts';
import { startNginx } from './nginx.ts';
import { startOwnDatabase } from './own-database.ts';
import { killPart, type Part, planProduct, restartPart, startPart } from './product.ts';
import { startMails, underLoad } from './under-load.ts';

const names = ['web-1', 'web-2', 'web-3', 'worker-1', 'worker-2'];
const quietMs = 4_000;

/** Kills each of three web processes and two workers under load, and starts it again. */
export const drill: Drill = async (ground) => {
  const [port = 0, ...ports] = await findPorts(1 + names.length);
  await startNginx(ground, port, ports.slice(0, 3));
  const address = await startOwnDatabase(ground);
  const mails = await startMails(ground);
  const product = planProduct(ground, `http://127.0.0.1:${port}`, { DATABASE_URL: address, SMTP_URL: mails.url });
  const parts: Part[] = [];
  for (const [index, name] of names.entries()) {
    ground.say(`Starting ${name} …`);
    const script = name.startsWith('web') ? 'main' : 'worker';
    parts.push(await startPart(ground, product, { name, port: ports[index] ?? 0, script }));
  }
  const { figures, faults } = await underLoad(ground, { product, address, mails }, async (breaking) => {
    for (const part of parts) {
      await pause(quietMs);
      ground.say(`kill -9 ${part.name} …`);
      breaking({ lastsSeconds: 2, endsWorker: part.script === 'worker' });
      await killPart(part);
      await pause(quietMs);
      await restartPart(ground, product, part);
    }
    await pause(quietMs);
  });
  return { figures: [['processes killed and started again', names.length], ...figures], faults };
};
