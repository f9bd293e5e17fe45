import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Problem } from '#contract/errors.ts';
import { type ApiDocument, apiReferencePage } from './api-reference-page.ts';

const refusal = {
  description: 'Why it was refused: problem details (RFC 9457). `code` is stable, `detail` is for people.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
const problemSchema = z.toJSONSchema(Problem);

/** OpenAPI at /api/openapi.json and a reference page at /api/reference that loads nothing from outside. */
export async function describeApi(http: FastifyInstance): Promise<void> {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Switchyard',
        version: '1',
        description: 'Training, coaching and stipends of a workforce programme.',
      },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'switchyard.session_token' },
          bearer: { type: 'http', scheme: 'bearer' },
        },
      },
      security: [{ session: [] }, { bearer: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => ('openapiObject' in document ? withRefusals(document.openapiObject) : document),
    hideUntagged: true,
  });
  http.get('/api/openapi.json', { schema: { hide: true } }, async () => http.swagger());
  let page: string | null = null;
  http.get('/api/reference', { schema: { hide: true } }, async (_, reply) => {
    page ??= apiReferencePage(http.swagger() as ApiDocument);
    return reply.type('text/html; charset=utf-8').send(page);
  });
}

interface Operation {
  'x-access'?: unknown;
  responses?: object;
}

/** Every refusal is a problem; what anybody may call, and what is signed, needs no session. */
function withRefusals(document: { paths?: object; components?: object }): object {
  const paths = Object.entries(document.paths ?? {}).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations as Record<string, Operation>).map(([method, one]) => [method, withRefusal(one)]),
    ),
  ]);
  const components = { ...document.components, schemas: { Problem: problemSchema } };
  return { ...document, components, paths: Object.fromEntries(paths) };
}

function withRefusal(operation: Operation): Operation {
  const needsNoSession = operation['x-access'] === 'public' || operation['x-access'] === 'signed';
  return {
    ...operation,
    ...(needsNoSession ? { security: [] } : {}),
    responses: { ...operation.responses, default: refusal },
  };
}
