import { z } from 'zod';
import { Done, endpoint, Id, IdParams } from './endpoint.ts';

/** The lists whose filters a person can keep under a name. */
export const filteredLists = [
  'users',
  'stipends',
  'submissions',
  'trainingActivities',
  'audit',
  'deliveries',
  'resources',
] as const;
export const FilteredList = z.enum(filteredLists);
export type FilteredList = z.infer<typeof FilteredList>;

/** A person keeps at most so many for one list. */
export const mostSavedFilters = 30;

const Name = z.string().trim().min(1, 'Please enter a name').max(60);

/**
 * The parameters of the list's address. The list parses them again when they are opened, so one that means nothing any
 * more counts as absent.
 */
const SavedSearch = z
  .array(z.object({ name: z.string().max(40), value: z.union([z.string().max(500), z.number(), z.boolean()]) }))
  .max(20);
export type SavedSearch = z.infer<typeof SavedSearch>;

const SavedFilters = z.object({ id: Id, name: z.string(), search: SavedSearch });
export type SavedFilters = z.infer<typeof SavedFilters>;

export const NewSavedFilters = z.object({ list: FilteredList, name: Name, search: SavedSearch });
export const SavedFiltersName = z.object({ name: Name });

export const listSavedFilters = endpoint({
  name: 'listSavedFilters',
  method: 'GET',
  path: '/api/saved-filters',
  access: 'filters.own',
  summary: 'The filters that the person keeps for a list, by name.',
  shows: ['preferences'],
  query: z.object({ list: FilteredList }),
  response: z.object({ rows: z.array(SavedFilters) }),
});

export const saveFilters = endpoint({
  name: 'saveFilters',
  method: 'POST',
  path: '/api/saved-filters',
  access: 'filters.own',
  summary: `Keeps filters of a list under a name that is new there. A person keeps at most ${mostSavedFilters} for a list.`,
  body: NewSavedFilters,
  response: SavedFilters,
});

export const renameSavedFilters = endpoint({
  name: 'renameSavedFilters',
  method: 'PATCH',
  path: '/api/saved-filters/:id',
  access: 'filters.own',
  summary: 'Gives kept filters another name.',
  params: IdParams,
  body: SavedFiltersName,
  response: SavedFilters,
});

export const removeSavedFilters = endpoint({
  name: 'removeSavedFilters',
  method: 'DELETE',
  path: '/api/saved-filters/:id',
  access: 'filters.own',
  summary: 'Keeps these filters no more.',
  params: IdParams,
  response: Done,
});
