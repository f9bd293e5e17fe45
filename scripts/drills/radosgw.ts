import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { S3 } from '@aws-sdk/client-s3';
import type { S3Config } from '#server/config.ts';
import { endProgram, findPorts, type Ground, isListening, lastWords, startProgram, waitFor } from './ground.ts';
import { findProgram, gnuName, type Program } from './programs.ts';

export interface Radosgw {
  version: string;
  configOf(bucket: string): S3Config;
  /** The same as settings of the product. */
  settingsOf(bucket: string): Record<string, string>;
  client: S3;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** It keeps its connections and answers nothing. */
  hang(): void;
  goOn(): void;
}

interface Cluster {
  folder: string;
  env: Record<string, string | undefined>;
  find(name: string): string;
}

const packages = ['radosgw', 'ceph-mon', 'ceph-osd'];
const secondsToStart = 60;
const region = 'us-east-1';

/** Runs Ceph's S3 server, with one monitor and one store in memory behind it. */
export async function startRadosgw(ground: Ground, buckets: string[]): Promise<Radosgw> {
  const program = findProgram(ground, 'radosgw', packages);
  const [monitorPort = 0, port = 0] = await findPorts(2);
  const cluster = await planCluster(ground, program, monitorPort);
  ground.say('Starting a Ceph cluster of one machine …');
  await startCluster(ground, cluster);
  const keys = { accessKeyId: randomBytes(8).toString('hex'), secretAccessKey: randomBytes(16).toString('hex') };
  runOnce(cluster, 'radosgw-admin', [
    ...['user', 'create', '--uid=drill', '--display-name=drill'],
    ...[`--access-key=${keys.accessKeyId}`, `--secret-key=${keys.secretAccessKey}`],
  ]);
  const endpoint = `http://127.0.0.1:${port}`;
  const server = serverOf(ground, cluster, port);
  await server.start();
  const client = new S3({ region, endpoint, credentials: keys, forcePathStyle: true });
  for (const Bucket of buckets) await client.createBucket({ Bucket });
  return {
    ...server,
    version: /version (\d+\.\d+\.\d+)/.exec(runOnce(cluster, 'radosgw', ['--version']))?.[1] ?? 'unknown',
    client,
    configOf: (bucket) => ({ region, endpoint, bucket, ...keys, forcePathStyle: true }),
    settingsOf: (bucket) => ({
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
      S3_FORCE_PATH_STYLE: '1',
    }),
  };
}

async function planCluster(ground: Ground, { place, env }: Program, monitorPort: number): Promise<Cluster> {
  const folder = path.join(ground.folder, 'ceph');
  for (const each of ['monitor', 'store']) mkdirSync(path.join(folder, each), { recursive: true });
  const root = path.join(path.dirname(place), '..', '..');
  const libraries = path.join(root, 'usr', 'lib', gnuName());
  const file = path.join(folder, 'ceph.conf');
  await writeFile(file, settingsOf(folder, libraries, monitorPort));
  const inside = path.join(libraries, 'ceph');
  const more = env.LD_LIBRARY_PATH ? { LD_LIBRARY_PATH: `${env.LD_LIBRARY_PATH}:${inside}` } : {};
  return {
    folder,
    env: { PATH: process.env.PATH, ...env, ...more, CEPH_CONF: file },
    find: (name) => findProgram(ground, name, packages).place,
  };
}

/** One copy of everything on loopback. The disk of this machine may be nearly full: nothing of it is kept there. */
function settingsOf(folder: string, libraries: string, monitorPort: number): string {
  return `[global]
fsid = ${randomUUID()}
mon host = [v2:127.0.0.1:${monitorPort}/0]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
keyring = ${path.join(folder, 'keyring')}
run dir = ${folder}
admin socket =
log file = ${path.join(folder, '$name.log')}
erasure code dir = ${path.join(libraries, 'ceph', 'erasure-code')}
plugin dir = ${path.join(libraries, 'ceph')}
mon allow pool size one = true
mon data avail warn = 1
mon data avail crit = 1
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
[mon.a]
mon data = ${path.join(folder, 'monitor')}
[osd.0]
osd data = ${path.join(folder, 'store')}
osd objectstore = memstore
memstore device bytes = ${4 * 1024 ** 3}
osd class dir = ${path.join(libraries, 'rados-classes')}
osd class load list = *
osd class default list = *
`;
}

async function startCluster(ground: Ground, cluster: Cluster): Promise<void> {
  const { folder } = cluster;
  const at = (name: string) => path.join(folder, name);
  const fsid = runOnce(cluster, 'ceph-conf', ['--lookup', 'fsid']).trim();
  const address = /\[(.*)\/0\]/.exec(runOnce(cluster, 'ceph-conf', ['--lookup', 'mon host']))?.[1] ?? '';
  runOnce(cluster, 'monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', `[${address}]`, at('monitors')]);
  runOnce(cluster, 'osdmaptool', ['--createsimple', '1', '--clobber', at('stores')]);
  const keyFor = (name: string, ...capabilities: string[]) =>
    runOnce(cluster, 'ceph-authtool', [at('keyring'), '--gen-key', '-n', name, ...capabilities]);
  runOnce(cluster, 'ceph-authtool', ['--create-keyring', at('keyring')]);
  keyFor('mon.', '--cap', 'mon', 'allow *');
  keyFor('client.admin', '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *');
  keyFor('osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *');
  const maps = ['--monmap', at('monitors'), '--osdmap', at('stores'), '--keyring', at('keyring')];
  runOnce(cluster, 'ceph-mon', ['-i', 'a', '--mkfs', ...maps]);
  startDaemon(ground, cluster, 'ceph-mon', ['-i', 'a']);
  runOnce(cluster, 'ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', randomUUID()]);
  startDaemon(ground, cluster, 'ceph-osd', ['-i', '0']);
}

function serverOf(ground: Ground, cluster: Cluster, port: number) {
  let child: ChildProcess | null = null;
  const signal = (name: NodeJS.Signals) => child?.kill(name);
  return {
    start: async () => {
      const frontend = `beast endpoint=127.0.0.1:${port}`;
      const keyring = path.join(cluster.folder, 'keyring');
      const args = ['-n', 'client.admin', '--keyring', keyring, '--rgw-frontends', frontend];
      const started = startDaemon(ground, cluster, 'radosgw', args);
      child = started;
      const isUp = async () => {
        if (started.exitCode !== null) throw new Error(`radosgw ended: ${await lastWords(ground, 'radosgw')}`);
        return isListening(port);
      };
      await waitFor('radosgw ready', isUp, secondsToStart);
    },
    kill: async () => {
      if (child) await endProgram(child);
    },
    hang: () => void signal('SIGSTOP'),
    goOn: () => void signal('SIGCONT'),
  };
}

function startDaemon(ground: Ground, { find, env }: Cluster, name: string, args: string[]): ChildProcess {
  return startProgram(ground, name, [find(name), '-f', ...args], { env });
}

function runOnce({ find, env }: Cluster, name: string, args: string[]): string {
  const { status, stdout, stderr, signal } = spawnSync(find(name), args, {
    env,
    encoding: 'utf8',
    timeout: secondsToStart * 1000,
  });
  if (status !== 0) throw new Error(`${name} ${args[0]} ended with ${status ?? signal}: ${stderr.trim()}`);
  return stdout;
}
