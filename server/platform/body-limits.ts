import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerUnreadableRequest } from './unreadable-requests.ts';

export interface BodyLimits {
  /** Without a byte for this long, a body comes to no end. */
  stallInMs: number;
  /** In this time a body has to be there as a whole, unless it is a part of a file. */
  wholeInMs: number;
}

/** A stall is longer than an upload waits for its turn, when nobody reads what it sends. */
export const usualBodyLimits: BodyLimits = { stallInMs: 60_000, wholeInMs: 120_000 };

/** What the upload protocol sends; no other route takes it. */
const partOfFile = 'application/offset+octet-stream';

/** Ends requests whose body does not arrive. Files take as long as a slow phone needs, while they go on. */
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

/** As Node names it where the headers come to no end. */
function tooSlow(): Error {
  return Object.assign(new Error('The body did not arrive.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}
