import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Papa from 'papaparse';
import { withConnection } from '#server/db/database.ts';
import { endProgram, findPorts, type Ground, isListening, Skipped, startProgram, waitFor } from './ground.ts';
import { findProgram, type Program } from './programs.ts';

/** A PostgreSQL that Patroni keeps beside another one. */
export interface Node {
  name: string;
  port: number;
  /** Patroni answers here what the node is. */
  statusPort: number;
  patroni: ChildProcess;
}

export interface Cluster {
  /** Leads to whichever node is the primary. */
  address: string;
  version: string;
  nodes: Node[];
  findPrimary(): Promise<Node | undefined>;
  /** Ends a node as a machine that loses power: Patroni and every process of its PostgreSQL. */
  kill(node: Node): Promise<void>;
  /** Starts it again, and resolves once it follows the primary and the primary waits for it. */
  rejoin(node: Node): Promise<void>;
}

const scope = 'switchyard';
const nodeNames = ['node-1', 'node-2'];
/** How long (seconds) a primary that says nothing stays it. Patroni takes no less. */
const leaseSeconds = 20;
const startsInSeconds = 90;
const nobody = { uid: 65534, gid: 65534 };

/** Two PostgreSQL with synchronous replication, etcd that says which is the primary, and HAProxy that leads there. */
export async function startCluster(ground: Ground): Promise<Cluster> {
  const patroni = findProgram(ground, 'patroni', ['patroni']);
  const etcd = findProgram(ground, 'etcd', ['etcd-server']);
  const haproxy = findProgram(ground, 'haproxy', ['haproxy']);
  const binaries = findPostgres();
  const passwords = { superuser: randomBytes(12).toString('hex'), owner: randomBytes(12).toString('hex') };
  const folder = path.join(ground.folder, 'cluster');
  await makeFolder(folder);
  await chmod(ground.folder, 0o711);
  const [etcdPort = 0, peerPort = 0, entryPort = 0, entryStatusPort = 0, ...ports] = await findPorts(
    4 + 2 * nodeNames.length,
  );

  ground.say('Starting etcd …');
  const client = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  await makeFolder(path.join(folder, 'etcd'));
  startProgram(
    ground,
    'etcd',
    [
      etcd.place,
      ...['--data-dir', path.join(folder, 'etcd'), '--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
    ],
    asNobody(etcd),
  );
  await waitFor('etcd ready', () => isListening(etcdPort), startsInSeconds);

  const begin = async (name: string, port: number, statusPort: number): Promise<ChildProcess> => {
    const file = path.join(folder, `${name}.yml`);
    await writeFile(
      file,
      settingsOf({ name, port, statusPort, etcdPort, folder, binaries, password: passwords.superuser }),
    );
    await own(file);
    return startProgram(ground, name, [patroni.place, file], asNobody(patroni));
  };
  const nodes: Node[] = [];
  for (const [index, name] of nodeNames.entries()) {
    const [port = 0, statusPort = 0] = ports.slice(2 * index);
    ground.say(`Starting ${name} …`);
    const node = { name, port, statusPort, patroni: await begin(name, port, statusPort) };
    ground.undo.push(() => killNode(node));
    nodes.push(node);
    await waitFor(`${name} running`, async () => (await stateOf(node)) !== null, startsInSeconds);
  }
  await waitFor('a node follows the primary', () => isAnySynchronous(nodes), startsInSeconds);

  await startEntry(ground, haproxy, { nodes, port: entryPort, statusPort: entryStatusPort, folder });
  const address = await makeDatabase(entryPort, passwords);
  return {
    address,
    version: versionsOf(patroni, binaries),
    nodes,
    findPrimary: () => findPrimary(nodes),
    kill: killNode,
    rejoin: async (node) => {
      node.patroni = await begin(node.name, node.port, node.statusPort);
      await waitFor(`${node.name} following`, () => isAnySynchronous([node]), startsInSeconds);
    },
  };
}

interface NodeSettings {
  name: string;
  port: number;
  statusPort: number;
  etcdPort: number;
  folder: string;
  binaries: string;
  password: string;
}

function settingsOf({ name, port, statusPort, etcdPort, folder, binaries, password }: NodeSettings): string {
  const login = (username: string) => ({ username, password });
  const settings = {
    scope,
    name,
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    restapi: { listen: `127.0.0.1:${statusPort}`, connect_address: `127.0.0.1:${statusPort}` },
    bootstrap: {
      dcs: {
        ...{ ttl: leaseSeconds, loop_wait: 3, retry_timeout: 5, synchronous_mode: true },
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_keep_size: '256MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: path.join(folder, name),
      bin_dir: binaries,
      pgpass: path.join(folder, `${name}.pgpass`),
      pg_hba: [
        'host replication all 127.0.0.1/32 scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
        'local all all trust',
      ],
      authentication: { superuser: login('postgres'), replication: login('replicator'), rewind: login('rewinder') },
      parameters: { unix_socket_directories: folder },
    },
  };
  // Every JSON is YAML.
  return JSON.stringify(settings, null, 2);
}

/**
 * Requests go to the node that says that it is the primary. Connections to one that no longer is are ended. HAProxy leads
 * to both nodes in turn until it has asked each of them, so this waits until it has.
 */
async function startEntry(
  ground: Ground,
  program: Program,
  { nodes, port, statusPort, folder }: { nodes: Node[]; port: number; statusPort: number; folder: string },
): Promise<void> {
  const file = path.join(folder, 'haproxy.cfg');
  const servers = nodes.map(
    ({ name, port: own, statusPort }) => `  server ${name} 127.0.0.1:${own} check port ${statusPort}`,
  );
  await writeFile(
    file,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
listen status
  mode http
  bind 127.0.0.1:${statusPort}
  stats enable
  stats uri /
`,
  );
  startProgram(ground, 'haproxy', [program.place, '-f', file], { env: { PATH: process.env.PATH, ...program.env } });
  await waitFor('HAProxy ready', () => isListening(statusPort), startsInSeconds);
  const ledTo = async () => {
    const answer = await fetch(`http://127.0.0.1:${statusPort}/;csv`, { signal: AbortSignal.timeout(10_000) });
    const { data } = Papa.parse<Record<string, string>>(await answer.text(), { header: true });
    return data.filter(({ svname = '', status }) => nodeNames.includes(svname) && status !== 'DOWN');
  };
  await waitFor('HAProxy leads to the primary alone', async () => (await ledTo()).length === 1, startsInSeconds);
}

async function makeDatabase(port: number, passwords: { superuser: string; owner: string }): Promise<string> {
  const asSuperuser = `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/postgres`;
  await withConnection(asSuperuser, async (client) => {
    await client.query(`create role switchyard login password '${passwords.owner}'`);
    await client.query('create database switchyard owner switchyard');
  });
  return `postgres://switchyard:${passwords.owner}@127.0.0.1:${port}/switchyard`;
}

interface NodeState {
  role: string;
  state: string;
  sync_standby?: boolean;
}

/** Null while Patroni does not answer. */
async function stateOf({ statusPort }: Node): Promise<NodeState | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${statusPort}/patroni`, { signal: AbortSignal.timeout(2_000) });
    const state = (await answer.json()) as NodeState;
    return state.state === 'running' ? state : null;
  } catch {
    return null;
  }
}

async function findPrimary(nodes: Node[]): Promise<Node | undefined> {
  for (const node of nodes) {
    const state = await stateOf(node);
    if (state?.role === 'master' || state?.role === 'primary') return node;
  }
  return undefined;
}

async function isAnySynchronous(nodes: Node[]): Promise<boolean> {
  const states = await Promise.all(nodes.map(stateOf));
  return states.some((state) => state?.sync_standby === true);
}

/** PostgreSQL's processes are not Patroni's children, so they are found by their port. */
async function killNode({ patroni, port }: Node): Promise<void> {
  await endProgram(patroni);
  const { stdout } = spawnSync('pgrep', ['-f', `postgres .*--port=${port}( |$)`], { encoding: 'utf8' });
  for (const postmaster of stdout.trim().split('\n').filter(Boolean)) {
    const children = spawnSync('pgrep', ['-P', postmaster], { encoding: 'utf8' }).stdout.trim().split('\n');
    for (const pid of [postmaster, ...children].filter(Boolean)) endProcess(Number(pid));
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function findPostgres(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((one, other) => Number(other) - Number(one)) : [];
  const found = versions
    .map((version) => path.join(root, version, 'bin'))
    .find((bin) => existsSync(path.join(bin, 'postgres')));
  if (!found) throw new Skipped('It needs the server of PostgreSQL, as Debian has it in the package postgresql.');
  return found;
}

function versionsOf(patroni: Program, binaries: string): string {
  const said = (program: string, env = {}) =>
    spawnSync(program, ['--version'], { encoding: 'utf8', env: { ...process.env, ...env } }).stdout.trim();
  return `${said(patroni.place, patroni.env)}, ${said(path.join(binaries, 'postgres'))}`;
}

/** PostgreSQL refuses to run as root. */
function asNobody({ env }: Program) {
  const isRoot = process.getuid?.() === 0;
  return { env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env }, ...(isRoot ? nobody : {}) };
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await own(folder);
}

async function own(place: string): Promise<void> {
  if (process.getuid?.() === 0) await chown(place, nobody.uid, nobody.gid);
}
