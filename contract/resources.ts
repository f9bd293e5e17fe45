import { z } from 'zod';
import { Cursor, Done, endpoint, Id, IdParams, Instant, pageOf, SearchText } from './endpoint.ts';
import { Matching } from './matching.ts';
import { TrackType } from './roles.ts';
import { unlessTooBig } from './validation-words.ts';
import { isWebAddress } from './web-address.ts';

export const resourceTypes = ['recording', 'slide', 'material'] as const;
export const ResourceType = z.enum(resourceTypes);
export type ResourceType = z.infer<typeof ResourceType>;

export const resourceOrders = ['newest', 'oldest', 'title'] as const;
export const ResourceOrder = z.enum(resourceOrders);
export type ResourceOrder = z.infer<typeof ResourceOrder>;

/** RES-17 */
export const missingResourceFacts = 'Title and file URL are required';
const required = (atMost: number) =>
  z.string(unlessTooBig(missingResourceFacts)).trim().min(1, missingResourceFacts).max(atMost);

/**
 * The six facts that an admin writes, on creating and on editing (RES-24, RES-27), and the program that the resource is
 * for. Who and when come from the server.
 */
export const ResourceInput = z.object({
  title: required(300),
  /** Left empty, it is stored as null (RES-20). */
  description: z.string().trim().max(5000).nullable(),
  fileType: ResourceType,
  /** RES-19: opened by browsers, so http and https only. */
  fileUrl: required(2000).refine(
    isWebAddress,
    'The file URL must be a web address that begins with http:// or https://',
  ),
  courseModule: z.string().trim().max(200).nullable(),
  /** The kind of participants. */
  program: TrackType,
  /** Null: for the participants of every program. */
  programmeId: Id.nullable().default(null),
});
export type ResourceInput = z.infer<typeof ResourceInput>;

/** What the library shows. */
export const LibraryResource = z.object({
  id: Id,
  title: z.string(),
  description: z.string().nullable(),
  fileType: ResourceType,
  fileUrl: z.string(),
  courseModule: z.string().nullable(),
  program: TrackType,
  /** The only program that it is for, and what that program calls its kind. Null: it is for every program. */
  programme: z.object({ id: Id, name: z.string(), kindName: z.string().nullable() }).nullable(),
  createdAt: Instant,
});
export type LibraryResource = z.infer<typeof LibraryResource>;

export const Resource = LibraryResource.extend({
  creator: z.object({ firstName: z.string(), lastName: z.string() }).nullable(),
  version: z.number().int(),
});
export type Resource = z.infer<typeof Resource>;

const LibraryFilters = z.object({
  /** In title and description, in any case (RES-02). */
  search: SearchText.default(''),
  type: ResourceType.optional(),
  module: z.string().max(500).optional(),
  order: ResourceOrder.default('newest'),
  cursor: Cursor.optional(),
});

const found = {
  /** Of all pages. */
  matching: Matching,
  /** The modules of all resources of the list, whatever is searched for. */
  modules: z.array(z.string()),
};

export const listResources = endpoint({
  name: 'listResources',
  method: 'GET',
  path: '/api/resources',
  access: 'resources.manage',
  mayReadReplica: true,
  summary: 'All resources with who added them, newest first unless said otherwise (RES-02 to RES-11).',
  shows: ['resources', 'people', 'cohorts'],
  query: LibraryFilters.extend({
    program: TrackType.optional(),
    /** Leaves those that are for this program only. */
    programme: Id.optional(),
  }),
  response: pageOf(Resource).extend({
    ...found,
    /** The kinds of all resources, whatever is searched for. */
    programs: z.array(TrackType),
    /** Modules of the curriculum and of resources, to choose from when writing. */
    knownModules: z.array(z.string()),
  }),
});

export const readResource = endpoint({
  name: 'readResource',
  method: 'GET',
  path: '/api/resources/:id',
  access: 'resources.manage',
  summary: 'One resource as it stands now.',
  shows: ['resources', 'people', 'cohorts'],
  params: IdParams,
  response: Resource,
});

export const createResource = endpoint({
  name: 'createResource',
  method: 'POST',
  path: '/api/resources',
  access: 'resources.manage',
  summary: 'Adds a resource; the signed-in admin is its creator.',
  body: ResourceInput,
  response: Resource,
});

export const updateResource = endpoint({
  name: 'updateResource',
  method: 'PUT',
  path: '/api/resources/:id',
  access: 'resources.manage',
  summary: 'Writes the facts anew; refused as stale when somebody else has changed them since they were read.',
  params: IdParams,
  body: ResourceInput.extend({
    /** Absent, it stays, so that a screen of an earlier version shows the resource to nobody else. */
    programmeId: Id.nullable().optional(),
    version: z.number().int(),
  }),
  response: Resource,
});

export const deleteResource = endpoint({
  name: 'deleteResource',
  method: 'DELETE',
  path: '/api/resources/:id',
  access: 'resources.manage',
  summary: 'Removes a resource for good.',
  params: IdParams,
  response: Done,
});

export const listLibraryResources = endpoint({
  name: 'listLibraryResources',
  method: 'GET',
  path: '/api/learning-resources',
  access: 'resources.read',
  mayReadReplica: true,
  summary:
    'The library: for participants of their track type and for their program or every one, for coaches all (RES-39, RES-40).',
  shows: ['resources', 'people', 'enrolments', 'cohorts'],
  query: LibraryFilters,
  response: pageOf(LibraryResource).extend(found),
});
