import { z } from 'zod';
import { endpoint, Id, IdParams, Instant } from './endpoint.ts';

/** COACH-49 */
export const slotMinutes = 30;
/** People can book sessions so many days ahead. */
export const bookableDays = 28;
/** COACH-50 */
export const slotTakenDetail = 'This time slot is no longer available';

/** Says why nobody books more sessions to come than they may have. */
export function tooManyOpen(most: number): string {
  const sessions = most === 1 ? '1 session' : `${most} sessions`;
  return `You have ${sessions} booked. Wait until one is over, or cancel one.`;
}

export const BookedSession = z.object({
  id: Id,
  coachId: Id,
  coachName: z.string(),
  scheduledAt: Instant,
  durationMinutes: z.number().int(),
  agenda: z.string().nullable(),
  teamsLink: z.string().nullable(),
  /** They are true until the session begins. */
  can: z.object({ move: z.boolean(), cancel: z.boolean() }),
});

const Agenda = z
  .string()
  .trim()
  .max(1000)
  .nullable()
  .transform((text) => text || null);

export const readBooking = endpoint({
  name: 'readBooking',
  method: 'GET',
  path: '/api/coaching/booking',
  access: 'coaching.book',
  summary: 'What a participant needs to book: the own coaches, free half hours of the coming weeks, and own sessions.',
  shows: ['availability', 'sessions', 'coaches', 'people'],
  query: z.object({ coachId: Id.optional() }),
  response: z.object({
    /**
     * The coach of the course that the participant joined last comes first. The list is empty while no coach is
     * assigned (COACH-46).
     */
    coaches: z.array(
      z.object({
        id: Id,
        firstName: z.string(),
        lastName: z.string(),
        /** COACH-47: it is null while the coach has scheduling switched off. */
        externalLink: z.string().nullable(),
        instructions: z.string().nullable(),
      }),
    ),
    /** The coach whose half hours `slots` are: the one asked for, or else the first. */
    coachId: Id.nullable(),
    slots: z.array(Instant),
    /** A participant may have so many sessions to come. */
    mostOpenSessions: z.number().int(),
    /** True until the participant has so many. */
    can: z.object({ book: z.boolean() }),
    /** Sessions that are not over yet, at most 50. The next comes first. */
    sessions: z.array(BookedSession),
  }),
});

export const bookSession = endpoint({
  name: 'bookSession',
  method: 'POST',
  path: '/api/coaching/sessions',
  access: 'coaching.book',
  summary: 'Books a free half hour with an own coach.',
  body: z.object({
    coachId: Id,
    startsAt: Instant,
    agenda: Agenda,
    /**
     * The id of the new session. If the answer is lost and the request comes again with the same id, it makes no second
     * session.
     */
    id: Id.optional(),
  }),
  response: z.object({ id: Id }),
});

export const moveSession = endpoint({
  name: 'moveSession',
  method: 'PUT',
  path: '/api/coaching/sessions/:id/time',
  access: 'coaching.book',
  summary: 'Moves an own session to another free half hour of its coach; the old one is kept until the new is taken.',
  params: IdParams,
  body: z.object({ startsAt: Instant }),
  response: z.object({ id: Id }),
});

export const withdrawSession = endpoint({
  name: 'withdrawSession',
  method: 'POST',
  path: '/api/coaching/sessions/:id/withdrawal',
  access: 'coaching.book',
  summary: 'Cancels an own session that has not begun.',
  params: IdParams,
  response: z.object({ id: Id }),
});
