import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerUnreadableRequest } from './unreadable-requests.ts';

export interface BodyLimits {
  /** A body that brings no byte for this long has stalled. */
  stallInMs: number;
  /** The whole body must arrive within this time, unless it is a part of a file. */
  wholeInMs: number;
}

/** The stall limit is longer than an upload waits for its turn, because nobody reads the upload meanwhile. */
export const usualBodyLimits: BodyLimits = { stallInMs: 60_000, wholeInMs: 120_000 };

/** Only the upload protocol sends this type, and only its routes take it. */
const partOfFile = 'application/offset+octet-stream';

/** Ends requests whose body does not arrive. A file may take as long as a slow phone needs, if it keeps coming. */
export function limitBodies(http: FastifyInstance, limits: BodyLimits): void {
  http.addHook('onRequest', async (request, reply) => {
    const { headers } = request;
    if (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0)
      watch(request, reply, limits);
  });
}

function watch({ raw, headers }: FastifyRequest, reply: FastifyReply, { stallInMs, wholeInMs }: BodyLimits): void {
  const { socket } = raw;
  const isFile = headers['content-type'] === partOfFile;
  const endsAt = performance.now() + wholeInMs;
  let received = socket.bytesRead;
  const look = setInterval(() => {
    if (raw.complete) return clearInterval(look);
    const isGoingOn = socket.bytesRead > received && (isFile || performance.now() < endsAt);
    received = socket.bytesRead;
    if (isGoingOn) return;
    clearInterval(look);
    if (reply.raw.headersSent) socket.destroy();
    else answerUnreadableRequest(tooSlow(), socket);
  }, stallInMs);
  raw.once('close', () => clearInterval(look));
}

/** Node gives this code when the headers do not end. */
function tooSlow(): Error {
  return Object.assign(new Error('The body did not arrive.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}
