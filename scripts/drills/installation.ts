import { findRunningDatabase } from '#server/platform/embedded-database.ts';
import { openStorage } from '#server/platform/storage.ts';
import { findPorts, type Ground } from './ground.ts';
import { startOwnDatabase } from './own-database.ts';
import { startPayer } from './payer.ts';
import { type Part, planProduct, type Product, startPart } from './product.ts';
import { type Installation, startMails } from './under-load.ts';

/** One process with its embedded database, as `npm start` runs it. */
export async function startAlone(ground: Ground): Promise<{ installation: Installation; part: Part }> {
  const [port = 0] = await findPorts(1);
  const installation = await plan(ground, port, async () => {
    const address = await findRunningDatabase(dataDirOf(installation.product));
    if (!address) throw new Error('The database of the product does not run.');
    return address;
  });
  ground.say('Starting the product with its embedded database …');
  return { installation, part: await startPart(ground, installation.product, { name: 'server', port, script: 'both' }) };
}

interface Several {
  workers: number;
  /** Of a database that runs already. The default is the package's PostgreSQL, as a server of its own. */
  address?: string;
}

/** A web process and some workers on one PostgreSQL. */
export async function startSeveral(ground: Ground, { workers, address }: Several) {
  const [port = 0, ...ports] = await findPorts(1 + workers);
  const direct = address ?? (await startOwnDatabase(ground));
  const installation = await plan(ground, port, () => direct, { DATABASE_URL: direct });
  const { product } = installation;
  ground.say(`Starting a web process and ${workers === 1 ? 'a worker' : `${workers} workers`} …`);
  const web = await startPart(ground, product, { name: 'web', port });
  const started: Part[] = [];
  for (const [index, workerPort] of ports.entries())
    started.push(
      await startPart(ground, product, { name: `worker-${index + 1}`, port: workerPort, script: 'worker' }),
    );
  return { installation, web, workers: started };
}

async function plan(
  ground: Ground,
  port: number,
  findAddress: Installation['findAddress'],
  env: Record<string, string> = {},
): Promise<Installation> {
  const publicUrl = `http://127.0.0.1:${port}`;
  const mails = await startMails(ground);
  const payer = await startPayer(ground, publicUrl);
  const product = planProduct(ground, publicUrl, { SMTP_URL: mails.url, ...payer.settings, ...env });
  const storage = await openStorage({ s3: null, dataDir: dataDirOf(product) });
  return { product, findAddress, mails, payer, storage };
}

export function dataDirOf({ env }: Product): string {
  return env.DATA_DIR ?? '';
}
