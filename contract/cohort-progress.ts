import { z } from 'zod';
import { Cursor, Day, endpoint, Id, IdParams, Instant, pageOf, type ResponseOf } from './endpoint.ts';
import { ModuleState, Progress, ProgressStatus, TrackSelection } from './fellowship.ts';
import { Matching } from './matching.ts';
import { standingGroups } from './standing.ts';

export const listProgressCohorts = endpoint({
  name: 'listProgressCohorts',
  method: 'GET',
  path: '/api/cohort-progress',
  access: 'progress.read',
  mayReadReplica: true,
  summary: 'The cohorts whose progress the person may read, running ones first, at most 200.',
  shows: ['cohorts', 'enrolments', 'coaches'],
  response: z.object({
    cohorts: z.array(z.object({ id: Id, name: z.string(), status: z.string(), startDate: Day })),
  }),
});

const Member = z.object({ participantId: Id, firstName: z.string(), lastName: z.string(), email: z.string() });

export const listCohortProgress = endpoint({
  name: 'listCohortProgress',
  method: 'GET',
  path: '/api/cohort-progress/:id',
  access: 'progress.read',
  mayReadReplica: true,
  summary: "The members' progress, furthest first; a coach reads that of own participants (TRACK-15).",
  shows: ['progress', 'people', 'enrolments', 'coaches', 'training'],
  params: IdParams,
  query: z.object({
    search: z.coerce.string().max(200).optional(),
    status: ProgressStatus.optional(),
    standing: z.enum(standingGroups).optional(),
    cursor: Cursor.optional(),
  }),
  response: pageOf(
    Member.extend({
      ...Progress.shape,
      totalModules: z.number().int(),
      completedModules: z.number().int(),
      coreModulesCompleted: z.number().int(),
      lastActivityDate: Day.nullable(),
      trackName: z.string().nullable(),
      isTrackLocked: z.boolean(),
    }),
  ).extend({ matching: Matching }),
});
export type CohortProgressRow = ResponseOf<typeof listCohortProgress>['rows'][number];

const MemberParams = z.object({ id: Id, participantId: Id });

export const readMemberProgress = endpoint({
  name: 'readMemberProgress',
  method: 'GET',
  path: '/api/cohort-progress/:id/members/:participantId',
  access: 'progress.read',
  mayReadReplica: true,
  summary: "One member's progress, modules and track.",
  shows: ['progress', 'people', 'enrolments', 'coaches', 'training', 'cohorts'],
  params: MemberParams,
  response: Member.extend({
    cohortName: z.string(),
    progress: Progress,
    modules: z.array(ModuleState),
    selection: TrackSelection.nullable(),
    can: z.object({ setModules: z.boolean(), lockTrack: z.boolean() }),
  }),
});
export type MemberProgress = ResponseOf<typeof readMemberProgress>;

export const setModuleCompletion = endpoint({
  name: 'setModuleCompletion',
  method: 'PUT',
  path: '/api/cohort-progress/:id/members/:participantId/modules/:moduleId',
  access: 'progress.set',
  summary: 'A coach (own participants) or an admin sets a module as complete, or takes that back, with a note.',
  params: MemberParams.extend({ moduleId: Id }),
  body: z.object({ isCompleted: z.boolean(), note: z.string().trim().min(1, 'Please say why.').max(500) }),
  response: z.object({ isCompleted: z.boolean(), completedAt: Instant.nullable() }),
});
