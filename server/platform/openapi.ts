import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

const contentPolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

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
    hideUntagged: true,
  });
  await http.register(swaggerUi, {
    routePrefix: '/api/reference',
    staticCSP: contentPolicy,
    uiConfig: { docExpansion: 'none', validatorUrl: null },
  });
  http.get('/api/openapi.json', { schema: { hide: true } }, async () => http.swagger());
}
