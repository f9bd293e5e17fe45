import { STATUS_CODES, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import { problemFor } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';

/** No hook sees these answers, so they carry these headers themselves. */
const bareHeaders = {
  'content-type': 'application/problem+json',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** No hook runs for an address that cannot be decoded. */
export function answerUnreadableAddress(_error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const problem = problemFor('malformed_request', 'This address could not be read.', request.id, null);
  return reply.code(problem.status).headers(bareHeaders).send(JSON.stringify(problem));
}

/** Answers bytes that never become a request. The status says more than the closed list of codes. */
export function answerUnreadableRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, code, detail } = explain(error.code);
  const body = JSON.stringify({ ...problemFor(code, detail, newId(), null), status });
  const headers = { ...bareHeaders, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
  socket.destroySoon();
}

/**
 * A header that cannot be sent fails only when the answer is written, after every error handler. This looks earlier, so
 * the failure becomes an error like others. Call it after all other hooks are there.
 */
export function refuseUnsendableHeaders(http: FastifyInstance): void {
  /** Most headers have the same value in each answer. */
  const sendable = new Map<string, unknown>();
  http.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (sendable.get(name) === value) continue;
      try {
        for (const one of Array.isArray(value) ? value : [value]) validateHeaderValue(name, String(one));
        if (typeof value === 'string') sendable.set(name, value);
      } catch (error) {
        reply.removeHeader(name);
        throw new Error(`The header ${name} of an answer cannot be sent.`, { cause: error });
      }
    }
  });
}

function explain(code: string | undefined): { status: number; code: ErrorCode; detail: string } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, code: 'too_large', detail: 'The headers of the request are too large.' };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, code: 'malformed_request', detail: 'The request took too long to arrive.' };
  }
  return { status: 400, code: 'malformed_request', detail: 'The request could not be read.' };
}
