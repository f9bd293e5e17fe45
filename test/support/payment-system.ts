import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { confirmPayments } from '#contract/payments.ts';

/** 'none' waits forever. 'cut' hangs up, like a system whose answer never arrives. With `after` it answers after that. */
export type PaymentAnswer =
  | { status: number; body?: string; headers?: Record<string, string>; afterMs?: number; after?: Promise<void> }
  | 'none'
  | 'cut';

export interface ReceivedHandover {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
  answer: PaymentAnswer;
}

/** A payment system on loopback. It answers as told, otherwise as usual, and keeps what it received. */
export async function startPaymentSystem() {
  const received: ReceivedHandover[] = [];
  const answers: PaymentAnswer[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', method = '', headers } = request;
      const answer = answers.shift() ?? system.usual;
      received.push({ path, method, headers, body: Buffer.concat(chunks).toString(), answer });
      for (const resolve of waiting.splice(0)) resolve();
      if (answer === 'none') return;
      if (answer === 'cut') {
        request.socket.destroy();
        return;
      }
      const reply = () => response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
      if (answer.after) void answer.after.then(reply);
      else if (answer.afterMs === undefined) reply();
      else setTimeout(reply, answer.afterMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const system = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    /** Its answer if `answers` has none. */
    usual: { status: 200 } as PaymentAnswer,
    /** Resolves when the next request has arrived whole. */
    nextRequest: () => new Promise<void>((resolve) => waiting.push(resolve)),
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return system;
}

export type PaymentSystem = Awaited<ReturnType<typeof startPaymentSystem>>;

/** The secret that signs what both tell each other. */
export const paymentSecret = 'a secret of the payment system';

export function settingsFor({ url }: Pick<PaymentSystem, 'url'>, secret = paymentSecret) {
  return { STIPEND_WEBHOOK_URL: url, STIPEND_WEBHOOK_SECRET: secret, STIPEND_WEBHOOK_ALLOW_PRIVATE: '1' };
}

interface Confirmation {
  body: object;
  /** The message's id. It is new unless the message is a repeat. */
  messageId: string;
  secret: string;
  at?: Date;
}

/** Tells the product that something was paid, as the payment system does. */
export function sendConfirmation(url: string, confirmation: Confirmation) {
  const { text, headers } = signedConfirmation(confirmation);
  return fetch(new URL(confirmPayments.path, url), { method: 'POST', headers, body: text });
}

export function signedConfirmation({ body, messageId, secret, at = new Date() }: Confirmation) {
  const text = JSON.stringify(body);
  const signer = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
  const headers = {
    'content-type': 'application/json',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signer.sign(messageId, at, text),
  };
  return { text, headers };
}
