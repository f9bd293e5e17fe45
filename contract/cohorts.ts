import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const enrolInFellowship = endpoint({
  name: 'enrolInFellowship',
  method: 'POST',
  path: '/api/fellowship-enrolments',
  access: 'cohorts.manage',
  summary: 'Registers a user, named by id, in the fellowship cohort (ADMIN-11 to ADMIN-19).',
  body: z.object({ userId: z.string().trim().min(1, 'Please enter a user ID to search for').max(100) }),
  response: z.object({ firstName: z.string(), lastName: z.string(), cohortName: z.string() }),
});
