import { constants } from 'node:zlib';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { hasZodFastifySchemaValidationErrors, validatorCompiler } from 'fastify-type-provider-zod';
import helmet from 'helmet';
import { ZodError } from 'zod';
import { type ErrorCode, errorStatus } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import { type BodyLimits, limitBodies, usualBodyLimits } from '#server/platform/body-limits.ts';
import { refusalOfBrokenConstraint } from '#server/platform/broken-constraints.ts';
import { dropUnreadableAddresses } from '#server/platform/client-address.ts';
import { AppError, type FieldError, problemFor } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { describeLogs, type LogStream } from '#server/platform/logs.ts';
import { requestSeconds, requestsAnswered } from '#server/platform/metrics.ts';
import { answerUnreadableAddress, answerUnreadableRequest } from '#server/platform/unreadable-requests.ts';

const mebibyte = 1024 * 1024;

/**
 * Compresses JSON and the small files of the browser app, each with the encoding's cheapest level that shrinks it well.
 * Every browser that takes zstd takes brotli, which begins in half the time.
 * What is larger than `syncThreshold` is compressed beside the event loop, which takes more than it spares: 500 activities,
 * 137 kB, took the server 6.1 ms beside it and 4.2 on it. Routes say so where an answer stays as it is.
 */
const compression: FastifyCompressOptions = {
  global: true,
  globalDecompression: false,
  threshold: 1024,
  syncThreshold: 256 * 1024,
  encodings: ['br', 'gzip'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  zlibOptions: { level: 1 },
};

/** Builds Fastify with what all answers share: logs, security headers, CSRF check, problem details. */
export async function buildHttp(
  config: Config,
  logs?: LogStream,
  bodyLimits: BodyLimits = usualBodyLimits,
): Promise<FastifyInstance> {
  const http = Fastify({
    logger: describeLogs(config, logs),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newId,
    bodyLimit: mebibyte,
    forceCloseConnections: 'idle',
    // Its refusal of what arrives while it stops has no words.
    return503OnClosing: false,
    trustProxy: config.trustedProxies,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: answerUnreadableAddress,
    clientErrorHandler: answerUnreadableRequest,
  });
  if (config.tracesEndpoint) {
    const { sendTraces } = await import('#server/platform/tracing.ts');
    await sendTraces(http, config.tracesEndpoint);
  }
  http.setValidatorCompiler(validatorCompiler);
  // The contract has already parsed replies inside the transaction.
  http.setSerializerCompiler(() => (data) => JSON.stringify(data));
  http.decorateRequest('actor', null);
  http.decorateRequest('identity', null);
  http.addHook('onRequest', dropUnreadableAddresses);
  refuseWhileStopping(http);
  limitBodies(http, bodyLimits);
  http.addHook('onSend', async (request, reply) => {
    if (isApiCall(request) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  http.addHook('onResponse', async (request, reply) => tellEnd(request, reply, 'answered'));
  http.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) tellEnd(request, reply, 'left');
    });
  });
  http.setErrorHandler(answerWithProblem);
  await http.register(compress, compression);
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        mediaSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    hsts: config.publicUrl.startsWith('https:'),
    crossOriginEmbedderPolicy: false,
  });
  http.addHook('onRequest', (request, reply, done) =>
    setHeaders(request.raw, reply.raw, (error) => done(error as Error | undefined)),
  );
  // After the hook that sets the headers, so that a refusal has them too.
  http.addHook('onRequest', refuseForeignWrites(config));
  return http;
}

/** Another process takes what is asked again. Files of the browser app are answered to the end. */
function refuseWhileStopping(http: FastifyInstance): void {
  let isStopping = false;
  http.addHook('preClose', async () => {
    isStopping = true;
  });
  http.addHook('onRequest', async (request, reply) => {
    if (!isStopping || !isApiCall(request)) return;
    reply.header('connection', 'close');
    throw new AppError('unavailable', 'Switchyard is restarting. Please try again in a moment.', { retryAfter: 1 });
  });
}

/**
 * Somebody who leaves before the answer is whole has lost their connection, gave up waiting, or closed a live stream.
 * Addresses are not counted, because anybody can make up more of them.
 */
function tellEnd(
  request: FastifyRequest,
  { statusCode, elapsedTime: ms }: FastifyReply,
  end: 'answered' | 'left',
): void {
  const status = end === 'answered' ? statusCode : end;
  request.log.info({ req: request, status, ms: Math.round(ms) }, end);
  const { schema, url } = request.routeOptions;
  const { operationId } = (schema ?? {}) as { operationId?: string };
  const endpoint = operationId ?? (url === undefined ? 'page' : 'file');
  requestsAnswered.inc({ endpoint, status });
  requestSeconds.observe({ endpoint }, ms / 1000);
}

/**
 * The CSRF check: browsers say where a write comes from, and one from another origin is refused. The cookie's
 * SameSite=Lax is the second lock. Other clients send neither header and carry no ambient cookie.
 */
function refuseForeignWrites(config: Config) {
  const ownOrigin = new URL(config.publicUrl).origin;
  return async (request: FastifyRequest) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return;
    const { origin, host } = request.headers;
    const site = request.headers['sec-fetch-site'];
    const isForeign = origin !== undefined && origin !== ownOrigin && hostOf(origin) !== host;
    if (isForeign || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
      throw new AppError('csrf_refused', 'This request came from another site and was refused.');
    }
  };
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

async function answerWithProblem(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const error = refusalOfBrokenConstraint(thrown, request.log) ?? thrown;
  const { code, detail, errors } = explain(error);
  const isOurs = code === 'internal' || (errorStatus[code] >= 500 && error.cause !== undefined);
  if (isOurs) request.log.error({ err: error, req: request }, 'failed');
  if (code === 'too_many_requests') request.log.warn({ req: request }, 'too many tries');
  if (error instanceof AppError && error.retryAfter !== null) reply.header('retry-after', error.retryAfter);
  const words = code === 'internal' ? `${detail} ${referenceTo(request)}` : detail;
  const problem = problemFor(code, words, request.id, errors);
  return reply
    .code(errorStatus[code])
    .type('application/problem+json')
    .send(JSON.stringify(isFunctionCall(request) ? { ...problem, success: false, error: words } : problem));
}

/** The end of the request's id, by which its lines are found in the log. Admins cannot read the log in the app. */
function referenceTo({ id, actor }: FastifyRequest): string {
  const whom = actor?.role === 'admin' ? 'whoever runs Switchyard' : 'an admin';
  return `If it happens again, tell ${whom} this reference: ${id.slice(-12)}.`;
}

function isApiCall(request: FastifyRequest): boolean {
  return request.url.startsWith('/api/') || isFunctionCall(request);
}

/** These calls answer with a `FunctionProblem`. */
function isFunctionCall(request: FastifyRequest): boolean {
  return request.url.startsWith('/functions/v1/');
}

function explain(error: FastifyError): { code: ErrorCode; detail: string; errors: FieldError[] | null } {
  if (error instanceof AppError) return { code: error.code, detail: error.message, errors: error.fieldErrors };
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.map((issue) => ({
      path: issue.instancePath.split('/').filter(Boolean).join('.'),
      message: issue.message ?? 'Invalid value',
    }));
    return { code: 'invalid_input', detail: errors[0]?.message ?? 'Invalid input', errors };
  }
  if (isRefusedValue(error)) {
    return { code: 'invalid_input', detail: 'The request holds a value that cannot be stored.', errors: null };
  }
  if (error.statusCode === 404) return { code: 'not_found', detail: 'There is nothing at this address.', errors: null };
  if (error.statusCode === 413) return { code: 'too_large', detail: 'The request is too large.', errors: null };
  if (error.statusCode === 415)
    return { code: 'unsupported_type', detail: 'This content type is not accepted.', errors: null };
  if (error.statusCode === 429) return { code: 'too_many_requests', detail: error.message, errors: null };
  if (error.statusCode !== undefined && error.statusCode < 500 && !(error instanceof ZodError)) {
    return { code: 'malformed_request', detail: 'The request could not be read.', errors: null };
  }
  return { code: 'internal', detail: 'Something went wrong. Please try again.', errors: null };
}

/**
 * PostgreSQL refuses some values: a NUL or a lone surrogate in a text, a date or number out of range, too large a key.
 */
function isRefusedValue(error: FastifyError): boolean {
  return error.name !== 'FastifyError' && /^(22...|54000)$/.test(error.code ?? '');
}
