import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type {} from '@fastify/swagger';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compressionFault, noteSize } from './compressed-replies.ts';
import { readContract } from './contract.ts';

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}
interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
}
type Check = (body: unknown) => string | null;

/** Kept once, because the document is the same for all apps of a worker. */
let described: { operations: Map<string, { at: string; operation: Operation }>; checkAt: (at: string) => Check } | null;

/**
 * Compares every reply of the app that `build` makes with its OpenAPI document: status, content type and body. Looks at
 * what left compressed too. The returned function throws if a reply is not as it should be.
 */
export async function watchReplies<App extends { http: FastifyInstance }>(
  build: () => Promise<App>,
): Promise<{ app: App; requireDocumented: () => void }> {
  const strange: string[] = [];
  const staying = (await readContract()).filter(({ holdsSecret, binary }) => holdsSecret || binary);
  const namesOfStaying = new Set(staying.map(({ name }) => name));
  const channel = 'fastify.initialization';
  const seeApp = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    const note = (request: FastifyRequest, reply: FastifyReply, found: string | null) => {
      if (found) strange.push(`${request.method} ${request.url} answered ${reply.statusCode}: ${found}`);
    };
    fastify.addHook('onSend', async (request, reply, payload) => {
      noteSize(reply, payload);
      note(request, reply, faultOf(fastify, request, reply, payload));
    });
    fastify.addHook('onResponse', async (request, reply) => {
      note(request, reply, compressionFault(reply, namesOfStaying.has(operationOf(request))));
    });
  };
  subscribe(channel, seeApp);
  const app = await build().finally(() => unsubscribe(channel, seeApp));
  return {
    app,
    requireDocumented: () => {
      if (strange.length > 0) throw new Error(`Not as documented:\n${[...new Set(strange)].slice(0, 5).join('\n')}`);
    },
  };
}

function faultOf(http: FastifyInstance, request: FastifyRequest, reply: FastifyReply, payload: unknown): string | null {
  if (request.method === 'HEAD' || request.method === 'OPTIONS') return null;
  const type = String(reply.getHeader('content-type') ?? '');
  return documentedFault(http, operationOf(request), { status: reply.statusCode, type, payload });
}

/** Says how the reply differs from what the OpenAPI document says of the operation. */
export function documentedFault(
  http: FastifyInstance,
  operationId: string,
  { status, type: mediaType, payload }: { status: number; type: string; payload: unknown },
): string | null {
  const { operations, checkAt } = describe(http);
  const [type = ''] = mediaType.split(';');
  const found = operations.get(operationId);
  // Pages, and answers for unknown addresses.
  if (!found) return status < 400 ? null : problemFault(type, payload, checkAt('/components/schemas/Problem'));
  const key = found.operation.responses[status] ? String(status) : 'default';
  if (key === 'default' && status < 400) return 'a status that is not documented';
  const content = found.operation.responses[key]?.content;
  if (!content) return payload ? 'a body, where none is documented' : null;
  const range = Object.keys(content).find((one) => one === type || one === '*/*');
  if (!range) return `the content type ${type || 'is missing'}, not ${Object.keys(content).join(' or ')}`;
  if (!content[range]?.schema || typeof payload !== 'string') return null;
  return checkAt(`${found.at}/responses/${key}/content/${range.replaceAll('/', '~1')}/schema`)(JSON.parse(payload));
}

function operationOf({ routeOptions }: FastifyRequest): string {
  return ((routeOptions.schema ?? {}) as { operationId?: string }).operationId ?? '';
}

function problemFault(type: string, payload: unknown, check: Check): string | null {
  if (type !== 'application/problem+json') return `a refusal as ${type}`;
  return check(JSON.parse(String(payload)));
}

function describe(http: FastifyInstance) {
  if (described) return described;
  const document = http.swagger() as unknown as ApiDocument & AnySchemaObject;
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');
  const checks = new Map<string, Check>();
  const checkAt = (at: string): Check => {
    const known = checks.get(at);
    if (known) return known;
    const validate = ajv.compile({ $ref: `api#${at}` });
    const check: Check = (body) => (validate(body) ? null : `${ajv.errorsText(validate.errors)}`);
    checks.set(at, check);
    return check;
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const at = `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}`;
      return [operation.operationId, { at, operation }] as const;
    }),
  );
  described = { operations: new Map(operations), checkAt };
  return described;
}
