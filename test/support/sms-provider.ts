import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedSms {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface TestSmsProvider {
  url: string;
  /** Every try, in order. */
  tries: ReceivedSms[];
  /** Texts that went out: for each key, the first try that was taken. */
  sent: ReceivedSms[];
  /** Its answer from now on. 'drops' takes a message and hangs up. 'stalls' never answers. */
  answer: { status: number; body?: string } | 'drops' | 'stalls';
  close(): Promise<void>;
}

/** An SMS provider on loopback that knows a message by its key, and sends it once. */
export async function startSmsProvider(): Promise<TestSmsProvider> {
  const taken = new Set<string>();
  const server = createServer((request, reply) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const received = { path: request.url ?? '', headers: request.headers, body };
      const key = String(request.headers['idempotency-key']);
      const { answer } = provider;
      provider.tries.push(received);
      const isTaken = answer === 'drops' || (answer !== 'stalls' && answer.status < 300);
      if (isTaken && !taken.has(key)) {
        taken.add(key);
        provider.sent.push(received);
      }
      if (answer === 'drops') request.socket.destroy();
      else if (answer !== 'stalls') reply.writeHead(answer.status).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const provider: TestSmsProvider = {
    url: `http://127.0.0.1:${port}`,
    tries: [],
    sent: [],
    answer: { status: 201 },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return provider;
}
