import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from './support/app.ts';
import { readContract } from './support/contract.ts';
import { sizeOf } from './support/depth.ts';
import { faultsOf, type Reply } from './support/hostile-replies.ts';
import {
  type DocumentedOperation,
  honestWishOn,
  namedSchemasOf,
  operationsOf,
  requestFor,
  type SentRequest,
  wishesOn,
} from './support/hostile-requests.ts';
import { buildHostileWorld, everybody } from './support/hostile-world.ts';
import { deafPaymentSystem } from './support/money-calls.ts';

/** Requests of one role to one operation. The first one is honest. */
const requestsEach = sizeOf({ usual: 3, deep: 42 });
/** A request may use up the records that it names. After so many, the next ones name new records. */
const requestsOnSameRecords = 8;
/** The same seed sends the same requests again: TEST_SEED=1234 npx vitest run test/hostile-requests.test.ts */
const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

const settings = {
  ...deafPaymentSystem,
  SMS_PROVIDER: 'http',
  SMS_URL: 'http://127.0.0.1:2',
  SMS_TOKEN: 'token-of-the-provider',
  SIGN_IN_BY_MAIL: '1',
  WALLET_SIGN_IN: '1',
  PASSKEYS: '1',
  DEMO: '1',
};

const contract = await readContract();
let server: TestApp;
let world: Awaited<ReturnType<typeof buildHostileWorld>>;
let operations: Map<string, DocumentedOperation>;
const agent = new Agent({ keepAlive: true });
const statuses = new Map<string, Map<number, number>>();

beforeAll(async () => {
  server = await startTestApp(settings);
  await server.runJobs();
  operations = new Map(operationsOf(server.app.http.swagger()).map((one) => [one.operationId, one]));
  world = await buildHostileWorld(server);
});
afterAll(async () => {
  agent.destroy();
  await server.close();
});

test('the OpenAPI document names what the contract does, and no more', () => {
  expect([...operations.keys()].toSorted()).toEqual(contract.map(({ name }) => name).toSorted());
});

test.each(contract.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s answers broken requests of every role as documented, and tells nothing of its insides',
  async (name, endpoint) => {
    const operation = operations.get(name);
    if (!operation) throw new Error(`${name} is not in the OpenAPI document.`);
    const named = namedSchemasOf(server.app.http.swagger());
    const wishes = wishesOn(operation, named);
    const [honestWish] = fc.sample(honestWishOn(operation, named), { seed, numRuns: 1 });
    for (const who of everybody) {
      let sent = 0;
      let honest = await world.honestRequest(operation, endpoint, who);
      await fc.assert(
        fc.asyncProperty(wishes, async (wish) => {
          sent += 1;
          if (sent % requestsOnSameRecords === 0) honest = await world.honestRequest(operation, endpoint, who);
          const asked = requestFor(operation, honest, wish, world.idOf(operation.path));
          const reply = await send(asked);
          note(name, reply.status);
          const faults = faultsOf(server.app.http, operation, who, reply);
          if (faults.length > 0) throw new Error(`${who}: ${faults.join('; ')}\n${told(asked, reply)}`);
        }),
        { seed, numRuns: requestsEach, examples: honestWish ? [[honestWish]] : [] },
      );
    }
  },
);

test('the requests were as many as they should be, and some of most operations were accepted', () => {
  const counts = [...statuses.values()].flatMap((byStatus) => [...byStatus.values()]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(sizeOf({ usual: 3000, deep: 50_000 }));
  const accepted = [...statuses.values()].filter((byStatus) => [...byStatus.keys()].some((status) => status < 400));
  expect(accepted.length / contract.length).toBeGreaterThan(0.8);
});

test('no request left anything on what all objects inherit', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect({}).not.toHaveProperty('role');
});

async function send(asked: SentRequest): Promise<Reply> {
  const { method, url, headers, payload = '' } = asked;
  const length = method === 'GET' ? {} : { 'content-length': Buffer.byteLength(payload) };
  const open = request(new URL(url, server.url), { method, headers: { ...length, ...headers }, agent });
  open.end(payload);
  const [reply] = (await once(open, 'response')) as [IncomingMessage];
  const { statusCode: status = 0 } = reply;
  // Nothing ends this answer but the caller.
  const isStream = reply.headers['content-type']?.startsWith('text/event-stream') ?? false;
  if (isStream) reply.destroy();
  return { status, headers: reply.headers, payload: isStream ? '' : unpacked(reply, await buffer(reply)) };
}

const unpackers = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync, zstd: zstdDecompressSync };

function unpacked({ headers }: IncomingMessage, bytes: Buffer): string {
  const unpack = unpackers[headers['content-encoding'] as keyof typeof unpackers];
  return (unpack ? unpack(bytes) : bytes).toString();
}

function note(name: string, status: number): void {
  const byStatus = statuses.get(name) ?? new Map<number, number>();
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  statuses.set(name, byStatus);
}

function told({ method, url, headers, payload }: SentRequest, { status, payload: answer }: Reply): string {
  const asked = `${method} ${url} ${JSON.stringify(headers)} ${payload?.slice(0, 2000) ?? ''}`;
  return `${asked}\nanswered ${status} ${answer.slice(0, 1000)}\nTEST_SEED=${seed} sends it again.`;
}
