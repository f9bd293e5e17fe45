import { z } from 'zod';
import { Cursor, Done, endpoint, Id, IdParams, pageOf, type ResponseOf } from './endpoint.ts';
import { TrackType } from './roles.ts';
import { mostWeeks } from './weeks.ts';

const words = (missing: string, atMost: number) => z.string().trim().min(1, missing).max(atMost);
const Version = z.object({ version: z.number().int() });
const Search = z.object({ search: z.coerce.string().max(200).default(''), cursor: Cursor.optional() });

export const CourseFacts = z.object({
  title: words('Enter a title.', 200),
  trackType: TrackType,
  isArchived: z.boolean().default(false),
});
const Course = z.object({
  id: Id,
  title: z.string(),
  trackType: TrackType,
  isArchived: z.boolean(),
  version: z.number().int(),
  /** Counts everybody who is or was enrolled in it. */
  enrolments: z.number().int(),
  /** True for the oldest one of its track. A person who joins a cohort is enrolled in it. */
  isForEnrolment: z.boolean(),
});
export type Course = z.infer<typeof Course>;

export const listCourses = endpoint({
  name: 'listCourses',
  method: 'GET',
  path: '/api/programme/courses',
  access: 'programme.manage',
  summary: 'All courses by track and age, with how many people are enrolled.',
  shows: ['training', 'enrolments'],
  query: Search,
  response: pageOf(Course),
});
export const createCourse = endpoint({
  name: 'createCourse',
  method: 'POST',
  path: '/api/programme/courses',
  access: 'programme.manage',
  summary: 'Adds a course.',
  body: CourseFacts,
  response: IdParams,
});
export const updateCourse = endpoint({
  name: 'updateCourse',
  method: 'PUT',
  path: '/api/programme/courses/:id',
  access: 'programme.manage',
  summary: 'Writes a course anew, archives it or takes it back; its track stays once people are enrolled.',
  params: IdParams,
  body: CourseFacts.extend(Version.shape),
  response: IdParams,
});
export const deleteCourse = endpoint({
  name: 'deleteCourse',
  method: 'DELETE',
  path: '/api/programme/courses/:id',
  access: 'programme.manage',
  summary: 'Removes a course that nobody is or was enrolled in.',
  params: IdParams,
  response: Done,
});

export const moduleTypes = ['core', 'specialization'] as const;
export const ModuleType = z.enum(moduleTypes);
export type ModuleType = z.infer<typeof ModuleType>;

export const ModuleFacts = z
  .object({
    title: words('Enter a title.', 200),
    moduleType: ModuleType,
    trackId: Id.nullable().default(null),
    curriculumVersion: words('Enter the curriculum version.', 50),
    isArchived: z.boolean().default(false),
  })
  .refine(({ moduleType, trackId }) => (moduleType === 'specialization') === (trackId !== null), {
    path: ['trackId'],
    message: 'A specialization module needs a track. A core module has none.',
  });
export type ModuleFacts = z.infer<typeof ModuleFacts>;
const CourseModule = z.object({
  id: Id,
  title: z.string(),
  moduleType: ModuleType,
  trackId: Id.nullable(),
  trackName: z.string().nullable(),
  curriculumVersion: z.string(),
  orderIndex: z.number().int(),
  isArchived: z.boolean(),
  version: z.number().int(),
  /** Counts activities of this curriculum that carry its title. */
  activities: z.number().int(),
  /** Counts people who have completed it. */
  completions: z.number().int(),
});
export type CourseModule = z.infer<typeof CourseModule>;

export const listModules = endpoint({
  name: 'listModules',
  method: 'GET',
  path: '/api/programme/modules',
  access: 'programme.manage',
  summary: 'The modules of all curricula in their order, core ones first.',
  shows: ['training', 'progress'],
  query: Search.extend({ curriculumVersion: z.string().max(50).optional() }),
  response: pageOf(CourseModule).extend({
    /** They come from all cohorts and modules, whatever the search. */
    curriculumVersions: z.array(z.string()),
    tracks: z.array(z.object({ id: Id, name: z.string() })),
  }),
});
export const createModule = endpoint({
  name: 'createModule',
  method: 'POST',
  path: '/api/programme/modules',
  access: 'programme.manage',
  summary: 'Adds a module as the last of its kind; the progress of members follows.',
  body: ModuleFacts,
  response: IdParams,
});
export const updateModule = endpoint({
  name: 'updateModule',
  method: 'PUT',
  path: '/api/programme/modules/:id',
  access: 'programme.manage',
  summary: 'Writes a module anew, archives it or takes it back; activities take a new title over, progress follows.',
  params: IdParams,
  body: ModuleFacts.safeExtend(Version.shape),
  response: IdParams,
});
export const deleteModule = endpoint({
  name: 'deleteModule',
  method: 'DELETE',
  path: '/api/programme/modules/:id',
  access: 'programme.manage',
  summary: 'Removes a module that nobody has completed.',
  params: IdParams,
  response: Done,
});

const Direction = z.object({ direction: z.enum(['up', 'down']) });
export const moveModule = endpoint({
  name: 'moveModule',
  method: 'POST',
  path: '/api/programme/modules/:id/moves',
  access: 'programme.manage',
  summary: 'Changes places with the module before or after it.',
  params: IdParams,
  body: Direction,
  response: Done,
});

export const TrackFacts = z.object({
  name: words('Enter a name.', 200),
  description: z.string().trim().max(5000).default(''),
  durationWeeks: z
    .number('Enter a number.')
    .int('Enter a whole number.')
    .min(1, 'At least one week.')
    .max(mostWeeks, `At most ${mostWeeks} weeks.`),
  isActive: z.boolean().default(true),
});
const Track = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  durationWeeks: z.number().int(),
  isActive: z.boolean(),
  version: z.number().int(),
  modules: z.number().int(),
  /** Counts participants who have chosen it. */
  selections: z.number().int(),
});
export type Track = z.infer<typeof Track>;

export const listTracks = endpoint({
  name: 'listTracks',
  method: 'GET',
  path: '/api/programme/tracks',
  access: 'programme.manage',
  summary: 'All specialization tracks by name, also those that are not on offer.',
  shows: ['training', 'progress'],
  query: Search,
  response: pageOf(Track),
});
export const createTrack = endpoint({
  name: 'createTrack',
  method: 'POST',
  path: '/api/programme/tracks',
  access: 'programme.manage',
  summary: 'Adds a specialization track.',
  body: TrackFacts,
  response: IdParams,
});
export const updateTrack = endpoint({
  name: 'updateTrack',
  method: 'PUT',
  path: '/api/programme/tracks/:id',
  access: 'programme.manage',
  summary: 'Writes a track anew, or takes it off the offer; who has chosen it keeps it.',
  params: IdParams,
  body: TrackFacts.extend(Version.shape),
  response: IdParams,
});
export const deleteTrack = endpoint({
  name: 'deleteTrack',
  method: 'DELETE',
  path: '/api/programme/tracks/:id',
  access: 'programme.manage',
  summary: 'Removes a track that has no modules and that nobody has chosen.',
  params: IdParams,
  response: Done,
});
export type ModuleList = ResponseOf<typeof listModules>;
