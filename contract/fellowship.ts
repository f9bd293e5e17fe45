import { z } from 'zod';
import { Day, endpoint, Id, IdParams, Instant, type ResponseOf } from './endpoint.ts';

/** It goes by the share of the whole programme that is complete (TRACK-14). */
export const ProgressStatus = z.enum(['on_track', 'behind', 'at_risk', 'ahead']);
export type ProgressStatus = z.infer<typeof ProgressStatus>;

export const Progress = z.object({
  overallPercentage: z.number(),
  status: ProgressStatus,
  /**
   * Days ahead of the cohort's calendar as of today. A negative number is behind it. It is null if nothing has counted
   * yet.
   */
  daysAheadBehind: z.number().int().nullable(),
});
export type Progress = z.infer<typeof Progress>;

const Track = z.object({ id: Id, name: z.string(), description: z.string(), durationWeeks: z.number().int() });

export const TrackSelection = z.object({
  id: Id,
  trackId: Id,
  track: Track,
  notes: z.string().nullable(),
  selectedAt: Instant,
  isLocked: z.boolean(),
  lockedAt: Instant.nullable(),
});
export type TrackSelection = z.infer<typeof TrackSelection>;

/** A module of the member's curriculum. `required` counts its required activities and assignments. */
export const ModuleState = z.object({
  id: Id,
  title: z.string(),
  moduleType: z.enum(['core', 'specialization']),
  isCompleted: z.boolean(),
  completedAt: Instant.nullable(),
  required: z.object({ done: z.number().int(), total: z.number().int() }),
  /** Set if a coach or admin said that the module is complete. */
  byHand: z.object({ name: z.string(), note: z.string().nullable() }).nullable(),
});
export type ModuleState = z.infer<typeof ModuleState>;

export const readFellowship = endpoint({
  name: 'readFellowship',
  method: 'GET',
  path: '/api/fellowship',
  access: 'fellowship.own',
  mayReadReplica: true,
  summary: "The participant's cohort, courses, progress, modules and track.",
  shows: ['progress', 'cohorts', 'enrolments', 'training'],
  response: z.object({
    cohort: z
      .object({
        id: Id,
        name: z.string(),
        description: z.string(),
        startDate: Day,
        endDate: Day,
        currentEnrollment: z.number().int(),
        capacity: z.number().int(),
        status: z.string(),
      })
      .nullable(),
    courses: z.array(z.object({ id: Id, title: z.string(), coachName: z.string().nullable() })),
    progress: Progress,
    coreModules: z.object({ completed: z.number().int(), total: z.number().int() }),
    /** Core modules come first, then those of the chosen track. */
    modules: z.array(ModuleState),
    /** The tracks on offer, by name. */
    tracks: z.array(Track),
    selection: TrackSelection.nullable(),
    can: z.object({ selectTrack: z.boolean(), lockTrack: z.boolean() }),
  }),
});
export type Fellowship = ResponseOf<typeof readFellowship>;

export const readTrack = endpoint({
  name: 'readTrack',
  method: 'GET',
  path: '/api/tracks/:id',
  access: 'fellowship.own',
  summary: "A track on offer, or the chosen one, with its modules in the participant's curriculum.",
  shows: ['training', 'progress'],
  params: IdParams,
  response: Track.extend({ modules: z.array(z.object({ id: Id, title: z.string() })) }),
});

export const selectTrack = endpoint({
  name: 'selectTrack',
  method: 'PUT',
  path: '/api/fellowship/track',
  access: 'fellowship.own',
  summary: 'Chooses a track, or another one while the choice is not locked, once all core modules are complete.',
  body: z.object({ trackId: Id, notes: z.string().trim().max(2000).nullable() }),
  response: TrackSelection,
});

export const lockTrack = endpoint({
  name: 'lockTrack',
  method: 'POST',
  path: '/api/track-selections/:id/lock',
  access: 'tracks.lock',
  summary: 'Locks a choice for good: the participant their own, an admin anybody’s. Repeating it changes nothing.',
  params: IdParams,
  /** The track that the person saw. If the choice has changed since, nothing is locked. */
  body: z.object({ trackId: Id }),
  response: TrackSelection,
});
