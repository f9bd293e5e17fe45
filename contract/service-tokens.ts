import { z } from 'zod';
import { endpoint, Instant } from './endpoint.ts';

/** A token for other services is good for so many seconds. */
export const serviceTokenSeconds = 15 * 60;

export const issueServiceToken = endpoint({
  name: 'issueServiceToken',
  method: 'GET',
  path: '/api/auth/token',
  access: 'services.use',
  summary:
    'A short-lived signed token (JWT, ES256) that tells another service who the signed-in person is: sub, role, sid and aal.',
  shows: [],
  holdsSecret: true,
  response: z.object({ token: z.string(), expiresAt: Instant }),
});

/** It names the public parts only. No other part of a key leaves the server. */
const KeySet = z.object({
  keys: z.array(
    z.object({
      kid: z.string(),
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      x: z.string(),
      y: z.string(),
      alg: z.literal('ES256'),
      use: z.literal('sig'),
    }),
  ),
});
export type KeySet = z.infer<typeof KeySet>;

export const readKeySet = endpoint({
  name: 'readKeySet',
  method: 'GET',
  path: '/api/auth/jwks',
  access: 'public',
  summary: 'The public keys that verify the tokens for other services (AUTH-68).',
  shows: [],
  response: KeySet,
});

export const readWellKnownKeySet = endpoint({
  name: 'readWellKnownKeySet',
  method: 'GET',
  path: '/.well-known/jwks.json',
  access: 'public',
  summary: 'The same keys, where other services look for them by themselves.',
  shows: [],
  response: KeySet,
});
