import { z } from 'zod';
import { ActivityFacts, StoredActivityFacts } from './activity-facts.ts';
import { ProgrammeDay } from './cohorts.ts';
import { Cursor, Day, Done, endpoint, Id, IdParams, pageOf } from './endpoint.ts';
import { AudienceKey } from './learning.ts';
import { mostActivityWeeks } from './weeks.ts';

const WeekNumber = z
  .number('Choose a week.')
  .int('Choose a week.')
  .min(1, 'Choose a week.')
  .max(mostActivityWeeks, `Choose week ${mostActivityWeeks} or earlier.`);

const RequirementFacts = z.object({
  weekNumber: WeekNumber,
  title: z.string().trim().min(1, 'Enter a title.').max(300),
  type: z.string().trim().min(1, 'Enter a type.').max(100),
  dueDate: ProgrammeDay,
});
export const NewRequirement = RequirementFacts.extend({ cohortId: Id });
export const RequirementEdit = RequirementFacts;
const Requirement = z.object({
  id: Id,
  weekNumber: z.number().int().nullable(),
  title: z.string(),
  type: z.string(),
  dueDate: Day,
  version: z.number().int(),
});
export type Requirement = z.infer<typeof Requirement>;

export const listRequirements = endpoint({
  name: 'listRequirements',
  method: 'GET',
  path: '/api/programme/requirements',
  access: 'programme.manage',
  summary: 'The weekly requirements of a cohort, week by week in their sequence.',
  shows: ['training', 'cohorts'],
  query: z.object({
    cohort: Id,
    week: z.coerce.number().int().min(1).max(mostActivityWeeks).optional(),
    cursor: Cursor.optional(),
  }),
  response: pageOf(Requirement),
});
export const createRequirement = endpoint({
  name: 'createRequirement',
  method: 'POST',
  path: '/api/programme/requirements',
  access: 'programme.manage',
  summary: 'Adds a requirement as the last of its week.',
  body: NewRequirement,
  response: IdParams,
});
export const updateRequirement = endpoint({
  name: 'updateRequirement',
  method: 'PUT',
  path: '/api/programme/requirements/:id',
  access: 'programme.manage',
  summary: 'Writes a requirement anew.',
  params: IdParams,
  body: RequirementFacts.extend({ version: z.number().int() }),
  response: IdParams,
});
export const deleteRequirement = endpoint({
  name: 'deleteRequirement',
  method: 'DELETE',
  path: '/api/programme/requirements/:id',
  access: 'programme.manage',
  summary: 'Removes a requirement; nothing that people did hangs on it.',
  params: IdParams,
  response: Done,
});
export const moveRequirement = endpoint({
  name: 'moveRequirement',
  method: 'POST',
  path: '/api/programme/requirements/:id/moves',
  access: 'programme.manage',
  summary: 'Changes places with the requirement before or after it in its week.',
  params: IdParams,
  body: z.object({ direction: z.enum(['up', 'down']) }),
  response: Done,
});

/** `none` means activities of no cohort, which the members of all cohorts are taught. */
const CohortFilter = z.union([Id, z.literal('none')]);

export const NewActivity = ActivityFacts.extend({
  audiences: z.array(AudienceKey).min(1, 'Choose whom it is for.').max(4),
});

const ProgrammeActivity = StoredActivityFacts.extend({
  /** Of its program, for its day and time. */
  zone: z.string(),
  id: Id,
  cohortName: z.string().nullable(),
  version: z.number().int(),
  contents: z.number().int(),
  assignments: z.number().int(),
  /** People did these. While there are any, the activity stays. */
  attendance: z.number().int(),
  /** Counts requests to correct a record of it, answered or not. */
  corrections: z.number().int(),
  /** Counts people who marked contents as done. */
  ticks: z.number().int(),
  submissions: z.number().int(),
  drafts: z.number().int(),
});
export type ProgrammeActivity = z.infer<typeof ProgrammeActivity>;

export const listProgrammeActivities = endpoint({
  name: 'listProgrammeActivities',
  method: 'GET',
  path: '/api/programme/activities',
  access: 'programme.manage',
  mayReadReplica: true,
  summary: 'Training activities with what hangs on each of them, in the order of TRAIN-02.',
  shows: ['training', 'cohorts', 'attendance', 'submissions'],
  query: z.object({
    cohort: CohortFilter.optional(),
    week: z.coerce.number().int().min(1).max(mostActivityWeeks).optional(),
    search: z.coerce.string().max(200).default(''),
    /** It asks for one activity alone. */
    id: Id.optional(),
    cursor: Cursor.optional(),
  }),
  response: pageOf(ProgrammeActivity),
});
export const createActivity = endpoint({
  name: 'createActivity',
  method: 'POST',
  path: '/api/programme/activities',
  access: 'programme.manage',
  summary: "Adds a training activity; in a cohort its day lies in its week, and the members' progress follows.",
  body: NewActivity,
  response: IdParams,
});
export const updateActivity = endpoint({
  name: 'updateActivity',
  method: 'PUT',
  path: '/api/programme/activities/:id',
  access: 'programme.manage',
  summary: 'Writes a training activity anew; for no programme it is hidden, and what people did stays.',
  params: IdParams,
  body: ActivityFacts.extend({ version: z.number().int() }),
  response: IdParams,
});
export const deleteActivity = endpoint({
  name: 'deleteActivity',
  method: 'DELETE',
  path: '/api/programme/activities/:id',
  access: 'programme.manage',
  summary: 'Removes an activity with its contents and assignments, while nobody did anything for it.',
  params: IdParams,
  response: Done,
});
