import { z } from 'zod';
import { endpoint, Id, SearchText } from './endpoint.ts';
import { Role } from './roles.ts';

/** Fewer letters fit almost everything. */
export const fewestLettersToFind = 2;
export const mostFoundOfAKind = 5;

const Found = z.object({ id: Id, title: z.string(), detail: z.string().nullable() });
export type Found = z.infer<typeof Found>;

export const find = endpoint({
  name: 'find',
  method: 'GET',
  path: '/api/found',
  access: 'finding.use',
  mayReadReplica: true,
  summary:
    'People, activities, assignments and resources that the caller may see and whose names hold all typed words.',
  shows: ['people', 'coaches', 'enrolments', 'training', 'resources'],
  query: z.object({ words: SearchText.min(fewestLettersToFind, 'Type at least 2 letters.') }),
  response: z.object({
    /** With their address. */
    people: z.array(Found.extend({ role: Role })).max(mostFoundOfAKind),
    /** With their week. */
    activities: z.array(Found).max(mostFoundOfAKind),
    /** With the title of their activity. */
    assignments: z.array(Found).max(mostFoundOfAKind),
    /** With their module. */
    resources: z.array(Found.extend({ fileUrl: z.string() })).max(mostFoundOfAKind),
  }),
});
