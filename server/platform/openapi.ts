import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { FunctionProblem, Problem } from '#contract/errors.ts';
import { type ApiDocument, apiReferencePage } from './api-reference-page.ts';

/** Serves OpenAPI at /api/openapi.json, and a reference page at /api/reference that loads nothing from outside. */
export async function describeApi(http: FastifyInstance): Promise<void> {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Switchyard',
        version: '1',
        description: 'Training, coaching and stipends of a workforce program.',
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
    transformObject: (document) => ('openapiObject' in document ? withAnswers(document.openapiObject) : document),
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
  'x-answers'?: NonNullable<Endpoint['binary']>;
  responses?: object;
}

/** Every refusal is a problem. Public and signed calls need no session. */
function withAnswers(document: { paths?: object; components?: object }): object {
  const paths = Object.entries(document.paths ?? {}).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations as Record<string, Operation>).map(([method, one]) => [method, withAnswer(path, one)]),
    ),
  ]);
  return {
    ...document,
    components: { ...document.components, schemas: namedSchemas() },
    paths: Object.fromEntries(paths),
  };
}

function withAnswer(path: string, { 'x-answers': answers, ...operation }: Operation): Operation {
  const needsNoSession = operation['x-access'] === 'public' || operation['x-access'] === 'signed';
  const problem = path.startsWith('/functions/v1/') ? 'FunctionProblem' : 'Problem';
  return {
    ...operation,
    ...(needsNoSession ? { security: [] } : {}),
    responses: { ...(answers ? responsesOf(answers) : operation.responses), default: refusalBy(problem) },
  };
}

/** Answers that are not JSON show only their media types. An empty answer has no content. */
function responsesOf(answers: NonNullable<Endpoint['binary']>): object {
  return Object.fromEntries(
    Object.entries(answers).map(([status, mediaTypes]) => [
      status,
      {
        description: STATUS_CODES[status] ?? '',
        ...(mediaTypes.length > 0 ? { content: Object.fromEntries(mediaTypes.map((type) => [type, {}])) } : {}),
      },
    ]),
  );
}

function refusalBy(schema: 'Problem' | 'FunctionProblem'): object {
  return {
    description: 'Why it was refused: problem details (RFC 9457). `code` is stable, `detail` is for people.',
    content: { 'application/problem+json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}

/** Problems, and the schemas that the contract registers by name because they refer to themselves. */
function namedSchemas(): object {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries({
      ...schemas,
      Problem: z.toJSONSchema(Problem),
      FunctionProblem: z.toJSONSchema(FunctionProblem),
    }).map(([name, { $id, $schema, ...schema }]) => [name, schema]),
  );
}
