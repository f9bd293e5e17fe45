import { Agent, request } from 'node:http';

export interface Sent {
  method: string;
  path: string;
  cookie: string;
  body?: object;
}
export interface Load {
  latenciesInMs: number[];
  seconds: number;
  /** What one answer weighs on the wire. */
  bytes: number;
}

interface Asked {
  atOnce: number;
  seconds: number;
  turns?: number;
  /** The connections to use, which stay open. */
  agent?: Agent | undefined;
}

/**
 * Keeps this many requests running for a while, as a browser would send them. Each line waits for its answer before it
 * sends the next one, and sends at least `turns`. Throws at the first answer that refuses.
 */
export async function keepRunning(
  url: string,
  { atOnce, seconds, turns = 1, agent: open }: Asked,
  next: (line: number, turn: number) => Sent,
): Promise<Load> {
  const agent = open ?? openConnections(atOnce);
  const latenciesInMs: number[] = [];
  let bytes = 0;
  const start = performance.now();
  const line = async (number: number) => {
    for (let turn = 0; turn < turns || performance.now() - start < seconds * 1000; turn += 1) {
      const sentAt = performance.now();
      bytes = await send(agent, url, next(number, turn));
      latenciesInMs.push(performance.now() - sentAt);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, (_, number) => line(number)));
    return { latenciesInMs, seconds: (performance.now() - start) / 1000, bytes };
  } finally {
    if (!open) agent.destroy();
  }
}

export function openConnections(atOnce: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: atOnce });
}

/** Sends one request. Returns what the server says if it refuses. */
export async function findRefusal(url: string, { method, path, cookie, body }: Sent): Promise<string | null> {
  const answer = await fetch(new URL(path, url), {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  return answer.status === 200 ? null : `it answered ${answer.status}: ${text.slice(0, 160)}`;
}

/** What Chromium and Firefox send. */
const acceptedByBrowsers = 'gzip, deflate, br, zstd';

/** Resolves with what the answer weighs on the wire. */
export function send(agent: Agent, url: string, { method, path, cookie, body }: Sent): Promise<number> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    cookie,
    'accept-encoding': acceptedByBrowsers,
    ...(payload === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { agent, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const answered = Buffer.concat(chunks);
        if (answer.statusCode === 200) resolve(answered.length);
        else reject(new Error(`it answered ${answer.statusCode}: ${answered.toString().slice(0, 120)}`));
      });
    });
    sent.once('error', reject);
    sent.end(payload);
  });
}
