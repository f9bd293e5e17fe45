import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const readMetrics = endpoint({
  name: 'readMetrics',
  method: 'GET',
  path: '/metrics',
  access: 'public',
  readsNoSession: true,
  binary: { 200: ['text/plain'] },
  summary:
    'What the process counts, in the text format of Prometheus. Not found unless the caller is on this machine or sends METRICS_TOKEN as a bearer.',
  response: z.string(),
});
