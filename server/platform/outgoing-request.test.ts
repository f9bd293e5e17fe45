import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { headOf, isPrivateAddress, postForAnswer } from '#server/platform/outgoing-request.ts';

let inside: Server;
let port: number;
let received: string[] = [];
beforeAll(async () => {
  inside = createServer((request, reply) => {
    received.push(`${request.method} ${request.url}`);
    if (request.url === '/elsewhere') reply.writeHead(307, { location: `http://localhost:${port}/inside` }).end();
    else reply.end('what only the inside may read');
  });
  await new Promise<void>((resolve) => inside.listen(0, 'localhost', resolve));
  ({ port } = inside.address() as AddressInfo);
});
afterAll(() => {
  inside.closeAllConnections();
  return new Promise((resolve) => inside.close(resolve));
});
beforeEach(() => {
  received = [];
});

const send = (url: string, allowPrivate: boolean) =>
  postForAnswer({ url, headers: {}, body: '{}', timeoutInMs: 10_000, allowPrivate });

test.each([
  'localhost',
  'LOCALHOST',
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '%31%32%37.0.0.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '0',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  'me:secret@127.0.0.1',
  'example.org@localhost',
])('nothing is sent to this machine under the name %s', async (host) => {
  const url = `http://${host}:${port}/`;
  await expect(send(url, false)).rejects.toThrow('is in a private network');
  await expect(headOf({ url, timeoutInMs: 10_000, allowPrivate: false })).rejects.toThrow('is in a private network');
  expect(received).toEqual([]);
});

test('a connection that was opened where private addresses are allowed is not used where they are refused', async () => {
  const url = `http://localhost:${port}/`;
  expect(await send(url, true)).toEqual({ status: 200, text: 'what only the inside may read' });
  await expect(send(url, false)).rejects.toThrow('is in a private network');
  expect(received).toEqual(['POST /']);
});

test('a name with one private address among public ones is refused, whichever comes first', async () => {
  const { lookup } = dns;
  const asked: string[] = [];
  const answerWith = (addresses: dns.LookupAddress[]) => {
    const answer = (name: string, _: unknown, done: (error: null, found: dns.LookupAddress[]) => void) => {
      asked.push(name);
      done(null, addresses);
    };
    dns.lookup = answer as unknown as typeof dns.lookup;
    syncBuiltinESMExports();
  };
  const [far, near] = [
    { address: '8.8.8.8', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ];
  try {
    for (const addresses of [[near], [far, near], [near, far]]) {
      answerWith(addresses);
      await expect(send(`http://rebound.example:${port}/`, false)).rejects.toThrow('127.0.0.1 is in a private network');
    }
  } finally {
    dns.lookup = lookup;
    syncBuiltinESMExports();
  }
  expect(asked).toEqual(['rebound.example', 'rebound.example', 'rebound.example']);
  expect(received).toEqual([]);
});

test('a redirect is an answer and is not followed', async () => {
  expect((await send(`http://localhost:${port}/elsewhere`, true)).status).toBe(307);
  expect(received).toEqual(['POST /elsewhere']);
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '192.167.255.255',
  '198.20.0.1',
  '192.0.1.1',
  '2606:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
])('%s is a public address, to which stipends may be sent', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '0.0.0.0',
  '::1',
  '::',
  'fd00::1',
  'fe80::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::127.0.0.1',
  '::7f00:1',
  '::10.1.2.3',
  '::ffff:0:127.0.0.1',
  '::ffff:0:7f00:1',
  'fec0::1',
  'feff::1',
  'fe80::1%1',
  '192.0.0.8',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '64:ff9b:1::a00:1',
  '2001::1',
  '2001:2::1',
  '2001:20::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  '100::1',
  '4000::1',
])('%s is refused', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});
