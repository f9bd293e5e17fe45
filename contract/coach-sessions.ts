import { z } from 'zod';
import { CoachingSession } from './coaching.ts';
import { Cursor, endpoint, IdParams, pageOf } from './endpoint.ts';

/** COACH-31 */
export const shownPastSessions = 10;
/** `listCoachSessions` has so many of the sessions to come. `listUpcomingSessions` has them all. */
export const firstUpcomingSessions = 25;
/** `listCoachSessions` has so many of the cancelled sessions whose time is not over yet. */
export const shownCancelledSessions = 25;
/** COACH-35 */
export const cancelledByCoach = 'Cancelled by coach';
export const cancelledByParticipant = 'Cancelled by participant';
/** COACH-39 */
export const joinOpensMinutesBefore = 15;

/** For this long (milliseconds) a coach can open a session again that they completed or marked as missed. */
export const reopeningInMs = 60 * 1000;

export const noShowReasonMissing = 'Please say what happened, together with the no-show.';

export const CoachSession = CoachingSession.extend({
  cancelReason: z.string().nullable(),
  /** The coach's words on why the participant did not come. */
  noShowReason: z.string().nullable(),
  /** COACH-38: the session is scheduled, and its time has passed. */
  isOverdue: z.boolean(),
  can: z.object({
    complete: z.boolean(),
    cancel: z.boolean(),
    markNoShow: z.boolean(),
    writeNotes: z.boolean(),
    reopen: z.boolean(),
    /** The participant's page. */
    openPerson: z.boolean(),
  }),
});

export type CoachSession = z.infer<typeof CoachSession>;

export const listCoachSessions = endpoint({
  name: 'listCoachSessions',
  method: 'GET',
  path: '/api/coach/sessions',
  access: 'coaching.run',
  summary:
    "The coach's own sessions: what is scheduled and not over, what was cancelled of it, and what is past or closed.",
  shows: ['sessions', 'people', 'coaches', 'enrolments'],
  response: z.object({
    /** The next comes first. These are the first `firstUpcomingSessions` of `upcomingCount`. */
    upcoming: z.array(CoachSession),
    upcomingCount: z.number().int(),
    /**
     * Cancelled sessions whose time is not over yet, at most `shownCancelledSessions`. The next comes first. Afterward
     * they are in `past`.
     */
    cancelled: z.array(CoachSession),
    /** At most 10 sessions, newest first. */
    past: z.array(CoachSession),
    /**
     * Overdue sessions that are older than those of `past`, oldest first. They are at most 50 of `olderOverdueCount`.
     */
    olderOverdue: z.array(CoachSession),
    olderOverdueCount: z.number().int(),
  }),
});

export const listUpcomingSessions = endpoint({
  name: 'listUpcomingSessions',
  method: 'GET',
  path: '/api/coach/sessions/upcoming',
  access: 'coaching.run',
  mayReadReplica: true,
  summary: "The coach's own sessions that are scheduled and not over, next first, by pages.",
  shows: ['sessions', 'people', 'coaches', 'enrolments'],
  query: z.object({ cursor: Cursor.optional() }),
  response: pageOf(CoachSession),
});

export const updateSession = endpoint({
  name: 'updateSession',
  method: 'PATCH',
  path: '/api/coach/sessions/:id',
  access: 'coaching.run',
  summary: 'Completes an own session or marks a no-show, writes its notes, or sets its meeting link.',
  params: IdParams,
  body: z
    .object({
      status: z.enum(['completed', 'no_show']).optional(),
      /** A no-show needs it, and nothing else takes it. */
      noShowReason: z.string().trim().min(1, noShowReasonMissing).max(500).optional(),
      notes: z.string().trim().max(5000).nullable().optional(),
      teamsLink: z
        .url({ protocol: /^https$/, error: 'The meeting link must begin with https://' })
        .max(2000)
        .nullable()
        .optional(),
    })
    .superRefine(({ status, noShowReason }, context) => {
      if ((status === 'no_show') === (noShowReason !== undefined)) return;
      context.addIssue({ code: 'custom', path: ['noShowReason'], message: noShowReasonMissing });
    }),
  response: CoachSession,
});

export const reopenSession = endpoint({
  name: 'reopenSession',
  method: 'POST',
  path: '/api/coach/sessions/:id/reopening',
  access: 'coaching.run',
  summary:
    'Takes back, within a minute, that an own session was completed or marked as a no-show. Its notes stay, and the reason of a no-show goes.',
  params: IdParams,
  response: CoachSession,
});

export const cancelSession = endpoint({
  name: 'cancelSession',
  method: 'POST',
  path: '/api/coach/sessions/:id/cancellation',
  access: 'coaching.run',
  summary: 'Cancels an own upcoming session and tells the participant why.',
  params: IdParams,
  body: z.object({ reason: z.string().trim().max(500).nullable() }),
  response: CoachSession,
});
