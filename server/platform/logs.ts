import type { FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Config } from '#server/config.ts';

/** Takes log lines, one JSON object each. */
export interface LogStream {
  write(line: string): void;
}

/** Lines go to the standard output if no stream is named. */
export function describeLogs({ logLevel }: Config, stream?: LogStream): FastifyServerOptions['logger'] {
  return {
    level: logLevel,
    serializers: { req: describeRequest, err: describeError },
    ...(stream ? { stream } : {}),
  };
}

/** Logs hold no personal data: the route's pattern instead of the address, no headers, no body. */
function describeRequest(request: FastifyRequest) {
  return {
    id: request.id,
    method: request.method,
    route: request.routeOptions?.url ?? 'unknown',
    actor: request.actor?.id,
  };
}

/**
 * Other services repeat the recipient of a mail or a message in their refusals, so addresses and numbers are masked.
 */
function describeError(error: Error & { code?: string }) {
  return {
    type: error.name,
    message: withoutPersons(error.message),
    stack: withoutPersons(error.stack ?? ''),
    ...(error.code ? { code: error.code } : {}),
  };
}

function withoutPersons(text: string): string {
  return text
    .replace(/[^\s<>"'()[\]:;,=]+@[^\s<>"'()[\]:;,]+/g, '[address]')
    .replace(/\+\d[\d ().-]{5,}\d/g, '[number]');
}
