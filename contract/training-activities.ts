import { z } from 'zod';
import { ActivityFacts, StoredActivityFacts } from './activity-facts.ts';
import { Cursor, endpoint, Id, IdParams, pageOf, type ResponseOf } from './endpoint.ts';
import { NamedAudience } from './learning.ts';
import { mostActivityWeeks } from './weeks.ts';

/** The ten facts that an admin edits in the list (TRAIN-09). */
const trainingFields = {
  title: true,
  deliveryPartner: true,
  trainingDeliveryMode: true,
  deliveryMedium: true,
  weekNumber: true,
  location: true,
  duration: true,
  sessionDate: true,
  moduleName: true,
  cohortId: true,
} as const;
export const TrainingActivityFacts = ActivityFacts.pick(trainingFields);
export type TrainingActivityFacts = z.infer<typeof TrainingActivityFacts>;

export const TrainingActivity = StoredActivityFacts.pick(trainingFields).extend({
  id: Id,
  cohortName: z.string().nullable(),
  /**
   * An activity of no cohort is taught to all of its program. This counts those people, or for an activity of a cohort,
   * the people it would reach without one.
   */
  reachedCount: z.number().int(),
  version: z.number().int(),
});
export type TrainingActivity = z.infer<typeof TrainingActivity>;

/** TRAIN-03 to TRAIN-06. All of them apply together. */
export const ActivityFilters = z.object({
  /** Searches title, module and delivery partner, in any case. */
  search: z.coerce.string().trim().max(200).optional(),
  week: z.coerce.number().int().min(1).max(mostActivityWeeks).optional(),
  cohort: z.union([z.literal('unassigned'), Id]).optional(),
});
export type ActivityFilters = z.infer<typeof ActivityFilters>;

export const listTrainingActivities = endpoint({
  name: 'listTrainingActivities',
  method: 'GET',
  path: '/api/training-activities',
  access: 'training.manage',
  mayReadReplica: true,
  summary: 'All training activities by week, then by when they were made (TRAIN-02).',
  shows: ['training', 'cohorts'],
  query: ActivityFilters.extend({ cursor: Cursor.optional() }),
  response: pageOf(TrainingActivity).extend({
    /** Counts the matches of all pages. */
    matching: z.number().int(),
  }),
});

export const ActivityCohort = z.object({
  id: Id,
  name: z.string(),
  status: z.string(),
  /** True if activities may be assigned to it now (TRAIN-24). */
  isTarget: z.boolean(),
  programmeId: Id,
});
export type ActivityCohort = z.infer<typeof ActivityCohort>;

export const listActivityCohorts = endpoint({
  name: 'listActivityCohorts',
  method: 'GET',
  path: '/api/training-activities/cohorts',
  access: 'training.manage',
  summary:
    'Every cohort, to filter activities by and, where it is active or planned, to assign them to, newest first; the modules to choose from, and how many people the cohorts of the first program have.',
  shows: ['cohorts', 'enrolments', 'training'],
  response: z.object({
    cohorts: z.array(ActivityCohort),
    /** TRAIN-10: the fixed list, then other titles of modules that are not archived. */
    modules: z.array(z.string()),
    /** Of all programs, the first one first. */
    audiences: z.array(NamedAudience.extend({ programmeId: Id })),
    /** At most so many people are taught a new activity of no cohort, which belongs to the first program. */
    reachedCount: z.number().int(),
  }),
});

export type ActivityChoices = ResponseOf<typeof listActivityCohorts>;

export const readTrainingActivity = endpoint({
  name: 'readTrainingActivity',
  method: 'GET',
  path: '/api/training-activities/:id',
  access: 'training.manage',
  summary: 'One training activity as it stands now.',
  shows: ['training', 'cohorts'],
  params: IdParams,
  response: TrainingActivity,
});

export const updateTrainingActivity = endpoint({
  name: 'updateTrainingActivity',
  method: 'PUT',
  path: '/api/training-activities/:id',
  access: 'training.manage',
  summary: 'Writes the ten facts anew; refused as stale when somebody else has changed them since they were read.',
  params: IdParams,
  body: TrainingActivityFacts.extend({ version: z.number().int() }),
  response: TrainingActivity,
});

export const assignActivity = endpoint({
  name: 'assignActivity',
  method: 'PUT',
  path: '/api/training-activities/:id/cohort',
  access: 'training.manage',
  summary: 'Assigns one activity to a cohort; a coach who is named is told of it (TRAIN-18, TRAIN-19).',
  params: IdParams,
  body: z.object({ cohortId: Id, coachId: Id.nullable() }),
  response: TrainingActivity,
});

/** Activities one by one, or all that filters leave, whether they were loaded or not (TRAIN-07). */
export const ActivitySelection = z.union([
  z.object({ ids: z.array(Id).min(1).max(5000) }),
  z.object({
    filters: ActivityFilters,
    /** Activities that were taken out of these again, one by one. */
    except: z.array(Id).max(5000),
  }),
]);
export type ActivitySelection = z.infer<typeof ActivitySelection>;

const assignmentBody = z.object({ selection: ActivitySelection, cohortId: Id });

export const previewActivityAssignment = endpoint({
  name: 'previewActivityAssignment',
  method: 'POST',
  path: '/api/activity-assignments/preview',
  access: 'training.manage',
  summary: 'What assigning the selected activities to a cohort would change. Writes nothing.',
  shows: ['training', 'cohorts', 'enrolments'],
  body: assignmentBody,
  response: z.object({
    activities: z.number().int(),
    /** Counts those of them that belong to another cohort now. */
    replaced: z.number().int(),
    /** Counts those of them that already belong to the chosen cohort. */
    unchanged: z.number().int(),
    /** These depend on the activities and stay. */
    attendances: z.number().int(),
    submissions: z.number().int(),
  }),
});

export const assignActivities = endpoint({
  name: 'assignActivities',
  method: 'POST',
  path: '/api/activity-assignments',
  access: 'training.manage',
  summary:
    'Sets one cohort on all selected activities, in one step (TRAIN-20); refused as stale when they are more or fewer than expected.',
  body: assignmentBody.extend({ expected: z.number().int() }),
  response: z.object({ activities: z.number().int(), changed: z.number().int(), cohortName: z.string() }),
});
