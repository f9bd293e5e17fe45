import { Agent, type ClientRequest, request } from 'node:http';

export interface Heard {
  /** Which of the streams. */
  place: number;
  at: number;
}

export interface Listeners {
  /** Collects what is heard from now on, until there is so much of it. What comes later than the limit is left out. */
  expect(count: number, limitInMs: number): Promise<Heard[]>;
  /** How much all streams have heard so far. */
  heardInAll(): number;
  close(): void;
}

/** Opens one live stream for each cookie, and waits until all have been greeted. */
export async function openListeners(address: string, cookies: string[]): Promise<Listeners> {
  const agent = new Agent({ keepAlive: false, maxSockets: cookies.length });
  const open: ClientRequest[] = [];
  let hear = (_: Heard) => {};
  let heardInAll = 0;
  for (const [place, cookie] of cookies.entries()) {
    await new Promise<void>((greeted, reject) => {
      const stream = request(address, { agent, headers: { cookie } }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`A stream was answered with ${answer.statusCode}.`));
        answer.on('data', (chunk: Buffer) => {
          greeted();
          for (const _ of chunk.toString().matchAll(/^event: changed$/gm)) {
            heardInAll += 1;
            hear({ place, at: performance.now() });
          }
        });
      });
      stream.on('error', reject);
      stream.end();
      open.push(stream);
    });
  }
  return {
    expect: (count, limitInMs) =>
      new Promise((resolve) => {
        const heard: Heard[] = [];
        const limit = setTimeout(() => resolve(heard), limitInMs);
        hear = (one) => {
          heard.push(one);
          if (heard.length < count) return;
          clearTimeout(limit);
          resolve(heard);
        };
      }),
    heardInAll: () => heardInAll,
    close: () => {
      for (const stream of open) stream.destroy();
      agent.destroy();
    },
  };
}
