import type { FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Config } from '#server/config.ts';

/** Where log lines go, one JSON object each. */
export interface LogStream {
  write(line: string): void;
}

/** Lines go to the standard output unless a stream is named. */
export function describeLogs({ logLevel }: Config, stream?: LogStream): FastifyServerOptions['logger'] {
  return {
    level: logLevel,
    serializers: { req: describeRequest, err: describeError },
    ...(stream ? { stream } : {}),
  };
}

/** No personal data in logs: the route's pattern instead of the address, no headers, no body. */
function describeRequest(request: FastifyRequest) {
  return {
    id: request.id,
    method: request.method,
    route: request.routeOptions?.url ?? 'unknown',
    actor: request.actor?.id,
  };
}

/** Other services repeat in their refusals whom a mail or a message was for. */
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
