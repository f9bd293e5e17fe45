import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import { renewedSessionToken } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { clientAddressHeader } from '#server/platform/auth.ts';
import { sessionCookie } from '#server/platform/auth-cookie.ts';
import { problemFor } from '#server/platform/errors.ts';
import { tooManyTries } from '#server/platform/rate-limit.ts';

/** Sends the cookie of sessions that were prolonged. */
export function sendRenewedSessions(app: App): void {
  app.http.addHook('onSend', async (request, reply) => {
    const token = renewedSessionToken(request);
    if (token && request.headers.cookie) {
      reply.header('set-cookie', sessionCookie(token, app.config.publicUrl, app.auth.options.secret));
    }
  });
}

/**
 * Answers an endpoint of the contract by the sign-in library. The library is reached by no other path: what it offers
 * beyond the contract is not there.
 */
export async function answerByLibrary(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const answered = await app.auth.handler(toWebRequest(app, request));
  reply.code(answered.status);
  const cookies = answered.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  reply.header('cache-control', 'no-store');

  const text = await answered.text();
  if (answered.status >= 400) return sendProblem(request, reply, answered, text);
  return reply.type('application/json').send(text);
}

function toWebRequest(app: App, request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && name !== 'content-length' && !name.startsWith('sec-fetch-')) {
      headers.set(name, String(value));
    }
  }
  // Where the request comes from was checked for every route already; clients that are no browser may not say it.
  headers.set('origin', new URL(app.config.publicUrl).origin);
  headers.set(clientAddressHeader, request.ip);
  const hasBody = request.method !== 'GET' && request.body !== undefined && request.body !== null;
  if (hasBody) headers.set('content-type', 'application/json');
  return new Request(new URL(request.url, app.config.publicUrl), {
    method: request.method,
    headers,
    body: hasBody ? JSON.stringify(request.body) : undefined,
  });
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, answered: Response, text: string): FastifyReply {
  const { code, message } = readLibraryError(text);
  const retryAfter = answered.headers.get('x-retry-after');
  if (retryAfter) reply.header('retry-after', retryAfter);
  const detail = retryAfter ? tooManyTries(Number(retryAfter)) : message;
  const problem = problemFor(codeFor(answered.status, code), detail, request.id, null);
  return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}

function readLibraryError(text: string): { code: string; message: string } {
  const fallback = { code: '', message: 'The request was refused.' };
  if (!text.startsWith('{')) return fallback;
  const body: { code?: unknown; message?: unknown } = JSON.parse(text);
  return {
    code: typeof body.code === 'string' ? body.code : '',
    message: typeof body.message === 'string' ? body.message : fallback.message,
  };
}

function codeFor(status: number, code: string): ErrorCode {
  if (code.includes('ORIGIN') || code.includes('CROSS_SITE')) return 'csrf_refused';
  const byStatus: Record<number, ErrorCode> = {
    400: 'malformed_request',
    401: 'not_authenticated',
    403: 'forbidden',
    404: 'not_found',
    409: 'conflict',
    415: 'unsupported_type',
    422: 'invalid_input',
    429: 'too_many_requests',
  };
  return byStatus[status] ?? 'internal';
}
