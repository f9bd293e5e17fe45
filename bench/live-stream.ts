import { type Agent, request } from 'node:http';

export interface OpenStream {
  nextChunk(): Promise<void>;
  close(): void;
}

/** Opens a stream of live news, and waits for its greeting. */
export function openStream(agent: Agent, address: string, cookie: string): Promise<OpenStream> {
  let heard = () => {};
  return new Promise((resolve, reject) => {
    const stream = request(address, { agent, headers: { cookie } }, (answer) => {
      answer.on('data', () => heard());
      // The first chunk is the greeting.
      heard = () =>
        resolve({
          nextChunk: () => new Promise((arrived) => (heard = arrived)),
          close: () => stream.destroy(),
        });
    });
    stream.once('error', reject);
    stream.end();
  });
}
