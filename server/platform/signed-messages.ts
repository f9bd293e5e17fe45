import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import type { App } from '#server/platform/app-parts.ts';
import { countedAddress } from '#server/platform/client-address.ts';
import { AppError } from '#server/platform/errors.ts';
import { limitTries } from '#server/platform/rate-limit.ts';

/** Throws if the bytes are not from their alleged sender. */
export type Verify = (rawBody: string, headers: IncomingHttpHeaders) => unknown;

const refusalsByAddress = { max: 100, windowSeconds: 300 };
const usualBodyLimit = 1024 * 1024;

/**
 * A hook that lets only signed bytes through to the parser. Refusals count by address. A signed message always passes,
 * so nobody at the same address can keep it out.
 */
export function verifyBeforeParsing(app: App, { name, bodyLimit = usualBodyLimit }: Endpoint, verify: Verify) {
  return async (request: FastifyRequest, _reply: FastifyReply, payload: AsyncIterable<Buffer>) => {
    const bytes = await bytesOf(payload, bodyLimit);
    request.rawBody = bytes.toString('utf8');
    try {
      verify(request.rawBody, request.headers);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_authenticated') {
        const tries = `signature:${name}:${countedAddress(request)}`;
        await limitTries(app.db, tries, refusalsByAddress, app.config.rateLimitFactor);
      }
      throw error;
    }
    return Object.assign(Readable.from([bytes]), { receivedEncodedLength: bytes.length });
  };
}

async function bytesOf(payload: AsyncIterable<Buffer>, bodyLimit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of payload) {
      size += chunk.length;
      if (size > bodyLimit) throw new AppError('too_large', 'The request is too large.');
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('malformed_request', 'The request broke off.', { cause });
  }
  return Buffer.concat(chunks);
}
