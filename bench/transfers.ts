// 50 MB up and down beside a bare stream of Node: npm run bench -- transfers [--times 10]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import path from 'node:path';
import { continueUpload, createUpload, downloadFile, uploadAreas } from '#contract/files.ts';
import { pdfOf } from '../test/factories/files.ts';
import { buildParticipant } from '../test/factories/people.ts';
import { openProcessSession, startServerProcess } from '../test/support/server-process.ts';
import { tusHeaders } from '../test/support/uploads.ts';
import { readOptions, wholeNumber } from './asked.ts';
import { openBenchApp } from './bench-app.ts';
import { endProcess } from './end-process.ts';
import { alignColumns, median } from './figures.ts';
import { processTimeInMs } from './processor-time.ts';
import { residentMegabytes, watchMemory } from './resident-memory.ts';
import { describeRun } from './run-of.ts';

const { maxBytes } = uploadAreas.my_files;
/** As the browser sends them. */
const pieceBytes = 5 * 1024 * 1024;

interface Sent {
  method: string;
  headers?: Record<string, string | number>;
  body?: Buffer;
}
interface Answered {
  headers: IncomingHttpHeaders;
  bytes: number;
}
interface Side {
  pid: number;
  up(): Promise<void>;
  down(): Promise<void>;
}
interface Taken {
  seconds: number[];
  processorInMs: number[];
}

export async function measureTransfers(args: string[]): Promise<string | null> {
  const asked = readOptions(args, { times: { type: 'string', default: '10' } });
  const times = wholeNumber(asked.times);
  if (times === null) return 'Times are a whole number above zero.';
  console.log(describeRun());
  const bytes = pdfOf(maxBytes);
  const app = await openBenchApp();
  const [url, server] = await startServerProcess(app, { DEMO: '0', RATE_LIMIT_FACTOR: '100000' }, ['--web-only']);
  const bare = fork(path.join(import.meta.dirname, 'bare-files.ts'), [path.join(app.app.config.dataDir, 'bare.pdf')]);
  const agent = new Agent({ keepAlive: true });
  try {
    const [port] = (await once(bare, 'message')) as [number];
    const cookie = await openProcessSession(app, await buildParticipant(app.db));
    const sides = {
      product: productSide(agent, url, { cookie, bytes, pid: server.pid ?? 0 }),
      bare: bareSide(agent, `http://127.0.0.1:${port}/`, { bytes, pid: bare.pid ?? 0 }),
    };
    await measureSides(sides, times);
    return null;
  } finally {
    agent.destroy();
    bare.disconnect();
    await endProcess(server);
    await app.close();
  }
}

/** The two sides take turns. The first turn warms both up and does not count. */
async function measureSides(sides: { product: Side; bare: Side }, times: number): Promise<void> {
  const ways = ['up', 'down'] as const;
  const empty = (): Taken => ({ seconds: [], processorInMs: [] });
  const taken = { product: { up: empty(), down: empty() }, bare: { up: empty(), down: empty() } };
  const { pid } = sides.product;
  const before = residentMegabytes(pid);
  const stopWatching = watchMemory(pid);
  const after: number[] = [];
  for (let time = -1; time < times; time += 1) {
    for (const way of ways) {
      for (const name of ['product', 'bare'] as const) await take(sides[name], way, time < 0 ? null : taken[name][way]);
    }
    after.push(residentMegabytes(pid));
  }
  const most = stopWatching();
  const rows = ways.map((way) => {
    const [product, bare] = [taken.product[way], taken.bare[way]];
    return [
      way,
      ...[product, bare].map(({ seconds }) => median(seconds).toFixed(2)),
      (median(product.seconds) / median(bare.seconds)).toFixed(2),
      ...[product, bare].map(({ processorInMs }) => median(processorInMs).toFixed(0)),
    ];
  });
  const head = ['50 MB', 'product, s', 'bare, s', 'times bare', 'server, ms of processor', 'bare, ms of processor'];
  for (const line of alignColumns([head, ...rows])) console.log(line);
  const [first = 0, last = 0] = [after[0], after.at(-1)];
  console.log(
    `The product's memory: ${before.toFixed(0)} MB before, ${first.toFixed(0)} MB after one file each way, ` +
      `${last.toFixed(0)} MB after ${times + 1}, at most ${most.toFixed(0)} MB`,
  );
}

async function take(side: Side, way: 'up' | 'down', taken: Taken | null): Promise<void> {
  const [startedAt, processor] = [performance.now(), processTimeInMs(side.pid)];
  await side[way]();
  taken?.seconds.push((performance.now() - startedAt) / 1000);
  taken?.processorInMs.push(processTimeInMs(side.pid) - processor);
}

/** Pieces as the browser sends them, each after the answer to the one before. Downloads are of the last file. */
function productSide(agent: Agent, url: string, own: { cookie: string; bytes: Buffer; pid: number }): Side {
  const { cookie, bytes, pid } = own;
  let id = '';
  return {
    pid,
    up: async () => {
      const metadata = `filename ${toBase64('measured.pdf')},area ${toBase64('my_files')}`;
      const headers = { ...tusHeaders, cookie, 'upload-length': bytes.length, 'upload-metadata': metadata };
      const begun = await send(agent, new URL(createUpload.path, url), { method: 'POST', headers });
      id = begun.headers.location?.split('/').at(-1) ?? '';
      for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
        const piece = {
          ...tusHeaders,
          cookie,
          'upload-offset': offset,
          'content-type': 'application/offset+octet-stream',
        };
        const address = new URL(continueUpload.path.replace(':id', id), url);
        const body = bytes.subarray(offset, offset + pieceBytes);
        await send(agent, address, { method: 'PATCH', headers: piece, body });
      }
    },
    down: async () => {
      const address = new URL(downloadFile.path.replace(':id', id), url);
      requireAll(await send(agent, address, { method: 'GET', headers: { cookie } }), bytes);
    },
  };
}

function bareSide(agent: Agent, url: string, { bytes, pid }: { bytes: Buffer; pid: number }): Side {
  return {
    pid,
    up: async () => void (await send(agent, new URL(url), { method: 'PUT', body: bytes })),
    down: async () => requireAll(await send(agent, new URL(url), { method: 'GET' }), bytes),
  };
}

function requireAll({ bytes }: Answered, sent: Buffer): void {
  if (bytes !== sent.length) throw new Error(`${bytes} bytes came back instead of ${sent.length}.`);
}

/** Counts what comes back and keeps nothing of it. */
function send(agent: Agent, address: URL, { method, headers = {}, body }: Sent): Promise<Answered> {
  const length = body ? { 'content-length': body.length } : {};
  return new Promise((resolve, reject) => {
    const sent = request(address, { agent, method, headers: { ...headers, ...length } }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.once('error', reject);
      answer.once('end', () => {
        if ((answer.statusCode ?? 500) < 300) resolve({ headers: answer.headers, bytes });
        else reject(new Error(`${method} ${address.pathname} was answered with ${answer.statusCode}.`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}
