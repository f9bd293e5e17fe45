import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

export interface LiveStream {
  send(event: string, data: object): void;
  /** Sends a comment in this rhythm, and ends the stream once `isAllowed` says no. */
  beatEvery(ms: number, isAllowed: () => Promise<boolean>): void;
  onEnd(listener: () => void): void;
  end(): void;
}

/** With more unread bytes than this, the browser is gone or asleep. It reads everything anew when it comes back. */
const mostUnreadBytes = 256 * 1024;

/** Takes over the reply as text/event-stream. It bypasses compression, which would hold events back. */
export function openLiveStream(reply: FastifyReply): LiveStream {
  reply.hijack();
  const response = reply.raw;
  let beat: NodeJS.Timeout | undefined;
  let lastId = 0;
  response.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  response.on('error', () => response.destroy());
  response.on('close', () => clearInterval(beat));

  function write(text: string): void {
    if (response.destroyed || response.writableEnded) return;
    response.write(text);
    if (response.writableLength > mostUnreadBytes) response.destroy();
  }

  // With this id, a reconnecting browser says that it had a stream before.
  write('retry: 2000\nid: 0\n\n');
  return {
    send: (event, data) => {
      lastId += 1;
      write(`id: ${lastId}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    beatEvery: (ms, isAllowed) => {
      beat = setInterval(() => {
        isAllowed().then(
          (isStillAllowed) => (isStillAllowed ? write(': beat\n\n') : response.end()),
          (error: Error) => {
            reply.log.error({ err: error }, 'a live stream could not check its session and ends');
            response.end();
          },
        );
      }, ms);
      if (response.destroyed) clearInterval(beat);
    },
    onEnd: (listener) => {
      if (response.destroyed) listener();
      else response.once('close', listener);
    },
    end: () => response.end(),
  };
}
