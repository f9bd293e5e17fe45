import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const readHealth = endpoint({
  name: 'readHealth',
  method: 'GET',
  path: '/healthz',
  access: 'public',
  readsNoSession: true,
  summary: 'The process answers.',
  shows: [],
  response: z.object({ status: z.literal('ok') }),
});

const part = z.enum(['ok', 'failed']);

export const readReadiness = endpoint({
  name: 'readReadiness',
  method: 'GET',
  path: '/readyz',
  access: 'public',
  readsNoSession: true,
  summary: 'Database and storage take writes and jobs run; 503 while one does not.',
  shows: [],
  alsoWith: 503,
  response: z.object({ status: part, database: part, storage: part, jobs: part }),
});
