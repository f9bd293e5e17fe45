import { type ClientRequest, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listenLive } from '#contract/live.ts';
import type { Client } from '#test/support/app.ts';

export interface Streams {
  /** How often a stream was opened again after it broke. */
  resumed(): number;
  /** The longest time that a stream was away, in ms. */
  longestAway(): number;
  /** How many streams heard of a change since this was called. */
  heardSince(): () => number;
  close(): void;
}

/** One live stream a client, opened again when it breaks, as browsers do. */
export function keepStreams(url: string, clients: Client[]): Streams {
  const heardAt = clients.map(() => 0);
  let resumed = 0;
  let longestAway = 0;
  let isClosed = false;
  const open = new Set<ClientRequest>();

  function listenOnce(index: number, isAgain: boolean, onOpen: () => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const headers = { cookie: clients[index]?.cookie ?? '', ...(isAgain ? { 'last-event-id': '0' } : {}) };
    const stream = request(new URL(listenLive.path, url), { headers, agent: false }, (answer) => {
      if (answer.statusCode !== 200) return void stream.destroy();
      onOpen();
      answer.on('data', (chunk: Buffer) => {
        if (/event: (changed|resync)/.test(chunk.toString())) heardAt[index] = performance.now();
      });
      answer.on('error', () => stream.destroy());
      answer.on('close', resolve);
    });
    open.add(stream);
    stream.on('error', () => resolve());
    stream.on('close', resolve);
    stream.end();
    return promise.finally(() => open.delete(stream));
  }

  async function keep(index: number): Promise<void> {
    let brokeAt: number | null = null;
    while (!isClosed) {
      await listenOnce(index, brokeAt !== null, () => {
        if (brokeAt === null) return;
        resumed += 1;
        longestAway = Math.max(longestAway, performance.now() - brokeAt);
        brokeAt = null;
      });
      brokeAt ??= performance.now();
      await pause(500);
    }
  }

  for (const index of clients.keys()) void keep(index);
  return {
    resumed: () => resumed,
    longestAway: () => longestAway,
    heardSince: () => {
      const since = performance.now();
      return () => heardAt.filter((at) => at > since).length;
    },
    close: () => {
      isClosed = true;
      for (const stream of open) stream.destroy();
    },
  };
}
