import type { FastifyReply } from 'fastify';

/** JSON from this size on leaves compressed. */
const compressedFromBytes = 1024;

const sizes = new WeakMap<FastifyReply, number>();

/** For hooks that see the answer before it is compressed. */
export function noteSize(reply: FastifyReply, payload: unknown): void {
  if (typeof payload === 'string') sizes.set(reply, Buffer.byteLength(payload));
}

/** Says what is wrong with how an answer left: large JSON as it is, or compressed what `stays` as it is. */
export function compressionFault(reply: FastifyReply, stays: boolean): string | null {
  const isCompressed = reply.hasHeader('content-encoding');
  if (reply.request.method === 'HEAD') return null;
  if (stays) return isCompressed ? 'a secret or a stream, compressed' : null;
  const size = sizes.get(reply) ?? 0;
  const isJson = /[/+]json\b/.test(String(reply.getHeader('content-type') ?? ''));
  const isTaken = /zstd|br|gzip/.test(reply.request.headers['accept-encoding'] ?? '');
  if (isCompressed || !isJson || !isTaken || size < compressedFromBytes) return null;
  return `${size} bytes of JSON that are not compressed`;
}
