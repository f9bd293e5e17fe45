import { readConfig } from '#server/config.ts';
import { findRunningDatabase } from '#server/platform/embedded-database.ts';
import { openStorage } from '#server/platform/storage.ts';
import { untilDatabaseEnded } from './database-processes.ts';
import { findPorts, type Ground, waitFor } from './ground.ts';
import { startOwnDatabase } from './own-database.ts';
import { startPayer } from './payer.ts';
import { type Part, type Product, planProduct, startPart } from './product.ts';
import { type Installation, startMails } from './under-load.ts';

/** One process with its embedded database, as `npm start` runs it. */
export async function startAlone(
  ground: Ground,
  env: Record<string, string> = {},
): Promise<{ installation: Installation; part: Part }> {
  const [port = 0] = await findPorts(1);
  const findAddress = async () => {
    let address: string | null = null;
    await waitFor('the database of the product running', async () => {
      // While it is only just starting, it has no address yet.
      address = await findRunningDatabase(dataDirOf(installation.product)).catch(() => null);
      return address !== null;
    });
    return address ?? '';
  };
  const installation = await planInstallation(ground, port, { findAddress, env });
  ground.undo.push(() => untilDatabaseEnded(dataDirOf(installation.product)));
  ground.say('Starting the product with its embedded database …');
  return {
    installation,
    part: await startPart(ground, installation.product, { name: 'server', port, script: 'both' }),
  };
}

interface Several {
  workers: number;
  /** Of a database that runs already. The default is the package's PostgreSQL, as a server of its own. */
  address?: string;
  /** By which the product reaches the same database. */
  way?: string;
  env?: Record<string, string>;
}

/** A web process and some workers on one PostgreSQL. */
export async function startSeveral(ground: Ground, { workers, address, way, env }: Several) {
  const [port = 0, ...ports] = await findPorts(1 + workers);
  const direct = address ?? (await startOwnDatabase(ground));
  const installation = await planInstallation(ground, port, {
    findAddress: () => direct,
    env: { DATABASE_URL: way ?? direct, ...env },
  });
  const { product } = installation;
  ground.say(`Starting a web process and ${workers === 1 ? 'a worker' : `${workers} workers`} …`);
  const web = await startPart(ground, product, { name: 'web', port });
  const started: Part[] = [];
  for (const [index, workerPort] of ports.entries())
    started.push(await startPart(ground, product, { name: `worker-${index + 1}`, port: workerPort, script: 'worker' }));
  return { installation, web, workers: started };
}

interface Plan extends Pick<Installation, 'findAddress'> {
  env: Record<string, string>;
}

/** Everything around the processes of the product: a mail server, a payment system, and where files are. */
export async function planInstallation(
  ground: Ground,
  port: number,
  { findAddress, env }: Plan,
): Promise<Installation> {
  const publicUrl = `http://127.0.0.1:${port}`;
  const mails = await startMails(ground);
  const payer = await startPayer(ground, publicUrl);
  const product = planProduct(ground, publicUrl, { SMTP_URL: mails.url, ...payer.settings, ...env });
  return { product, findAddress, mails, payer, storage: await openStorage(readConfig(product.env)) };
}

export function dataDirOf({ env }: Product): string {
  return env.DATA_DIR ?? '';
}
