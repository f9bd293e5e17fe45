import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushSubscriptionFacts } from '#contract/push.ts';

interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface TestPushService {
  origin: string;
  received: ReceivedPush[];
  /** Its answer from now on. 'drops' takes a message and hangs up. 'stalls' takes nothing and never answers. */
  answer: { status: number } | 'drops' | 'stalls';
  /** Returns a new browser's subscription, as the browser sends it to the server. */
  newBrowser(): PushSubscriptionFacts;
  close(): Promise<void>;
}

/** A push service on loopback. It opens what it receives with the keys of the addressed browser. */
export async function startPushService(): Promise<TestPushService> {
  const browsers = new Map<string, { pair: ReturnType<typeof createECDH>; secret: Buffer }>();
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const browser = browsers.get(path);
      const { answer } = service;
      if (answer === 'stalls') return;
      if ((answer === 'drops' || answer.status === 201) && browser) {
        const text = openPush(browser.pair, browser.secret, Buffer.concat(chunks));
        service.received.push({ path, headers: request.headers, text });
      }
      if (answer === 'drops') request.socket.destroy();
      else reply.writeHead(answer.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const service: TestPushService = {
    origin,
    received: [],
    answer: { status: 201 },
    newBrowser: () => {
      const pair = createECDH('prime256v1');
      pair.generateKeys();
      const secret = randomBytes(16);
      const path = `/push/${randomBytes(8).toString('hex')}`;
      browsers.set(path, { pair, secret });
      const keys = { p256dh: pair.getPublicKey('base64url'), auth: secret.toString('base64url') };
      return { endpoint: origin + path, keys };
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return service;
}

function openPush(pair: ReturnType<typeof createECDH>, secret: Buffer, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const derive = (given: Buffer, salted: Buffer, label: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', given, salted, label, length));
  const shared = derive(pair.computeSecret(sender), secret, info, 32);
  const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const opening = createDecipheriv('aes-128-gcm', key, nonce);
  opening.setAuthTag(body.subarray(-16));
  const padded = Buffer.concat([opening.update(body.subarray(21 + keyLength, -16)), opening.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}
