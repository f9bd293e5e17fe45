import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Drill, endProgram, findPorts, type Ground, isListening, startProgram, waitFor } from './ground.ts';
import { startOwnDatabase } from './own-database.ts';
import { planProduct, startPart } from './product.ts';
import { findProgram, type Program } from './programs.ts';
import { startMails, underLoad } from './under-load.ts';

const loadMs = 20_000;
/** What PostgreSQL says if a pooler gives a statement or a lock to another connection than it was made on. */
const poolerTrouble = /prepared statement "[^"]*" (does not exist|already exists)|you don't own a lock of type/g;

/** Two web processes and a worker behind one PgBouncer, which is killed and started again in the middle. */
export const drill: Drill = async (ground) => {
  const program = findProgram(ground, 'pgbouncer', ['pgbouncer']);
  const version = versionOf(program);
  const knowsNames = isAtLeast(version, [1, 21]);
  ground.say(`PgBouncer ${version}: statements are sent ${knowsNames ? 'with' : 'without'} names.`);
  const direct = await startOwnDatabase(ground);
  const [port = 0, workerPort = 0, poolerPort = 0] = await findPorts(3);
  const start = await preparePooler(ground, { program, direct, port: poolerPort, knowsNames });
  let pooler = await start();
  const pooled = new URL(direct);
  pooled.port = `${poolerPort}`;
  const mails = await startMails(ground);
  const product = planProduct(ground, `http://127.0.0.1:${port}`, {
    DATABASE_URL: pooled.href,
    DATABASE_DIRECT_URL: direct,
    DATABASE_NAMED_STATEMENTS: knowsNames ? '1' : '0',
    SMTP_URL: mails.url,
  });
  ground.say('Starting a web process and a worker …');
  await startPart(ground, product, { name: 'web-1', port });
  await startPart(ground, product, { name: 'worker-1', port: workerPort, script: 'worker' });
  const running = { product, address: direct, mails, streamsStay: true };
  const { figures, faults } = await underLoad(ground, running, async (breaking) => {
    await pause(loadMs / 2);
    ground.say('kill -9 PgBouncer …');
    breaking({ lastsSeconds: 6, endsWorker: true });
    await endProgram(pooler);
    await pause(1_000);
    pooler = await start();
    await pause(loadMs / 2);
  });
  const troubles = readdirSync(ground.folder)
    .filter((name) => /^(web|worker).*\.log$/.test(name))
    .flatMap((name) => readFileSync(path.join(ground.folder, name), 'utf8').match(poolerTrouble) ?? []);
  return {
    figures: [
      ['PgBouncer', `${version}, ${knowsNames ? 'named statements' : 'no named statements'}`],
      ['connections to the database for requests, at most', serverConnections],
      ['troubles with prepared statements or locks', troubles.length],
      ...figures,
    ],
    faults: [...troubles.slice(0, 5).map((trouble) => `Through PgBouncer: ${trouble}`), ...faults],
  };
};

const serverConnections = 5;

interface PoolerPlan {
  program: Program;
  direct: string;
  port: number;
  knowsNames: boolean;
}

/** Writes the settings, and returns what starts PgBouncer with them. */
async function preparePooler(ground: Ground, { program, direct, port, knowsNames }: PoolerPlan) {
  const { username, password, port: databasePort, pathname } = new URL(direct);
  const users = path.join(ground.folder, 'pgbouncer-users.txt');
  const file = path.join(ground.folder, 'pgbouncer.ini');
  await writeFile(users, `"${username}" "${password}"\n`);
  await writeFile(
    file,
    `[databases]
${pathname.slice(1)} = host=127.0.0.1 port=${databasePort} connect_query='set jit = off; set random_page_cost = 1.1'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 500
${knowsNames ? 'max_prepared_statements = 500\n' : ''}`,
  );
  const isRoot = process.getuid?.() === 0;
  // PgBouncer refuses to run as root.
  for (const each of isRoot ? [ground.folder] : []) await chmod(each, 0o755);
  const account = isRoot ? { uid: 65534, gid: 65534 } : {};
  for (const each of isRoot ? [users, file] : []) await chmod(each, 0o644);
  return async () => {
    const options = { env: { PATH: process.env.PATH, ...program.env }, ...account };
    const child = startProgram(ground, 'pgbouncer', [program.place, file], options);
    await waitFor('PgBouncer ready', () => isListening(port), 20);
    return child;
  };
}

function versionOf({ place, env }: Program): string {
  const { stdout } = spawnSync(place, ['--version'], { env: { ...process.env, ...env }, encoding: 'utf8' });
  return /PgBouncer (\d+\.\d+)/.exec(stdout)?.[1] ?? 'of an unknown version';
}

function isAtLeast(version: string, [wantedMajor, wantedMinor]: [number, number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
