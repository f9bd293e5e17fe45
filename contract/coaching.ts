import { z } from 'zod';
import { endpoint, Id, Instant } from './endpoint.ts';
import { mostWeeks } from './weeks.ts';

/** It goes from 1.0 to 5.0 in halves (docs/decisions/0008). */
export const Rating = z.number().min(1).max(5).multipleOf(0.5);

export const WeeklyRating = z.object({
  participantId: Id,
  firstName: z.string(),
  lastName: z.string(),
  cohortId: Id,
  cohortName: z.string(),
  weekNumber: z.number().int(),
  rating: z.number().nullable(),
  comment: z.string().nullable(),
  updatedAt: Instant.nullable(),
  can: z.object({ rate: z.boolean() }),
});

export const listWeeklyRatings = endpoint({
  name: 'listWeeklyRatings',
  method: 'GET',
  path: '/api/coach/weekly-ratings',
  access: 'performance.rate',
  mayReadReplica: true,
  summary: "The ratings of the coach's own participants for a week (without one: each cohort's current week).",
  shows: ['ratings', 'people', 'enrolments', 'coaches', 'stipends'],
  query: z.object({ week: z.coerce.number().int().min(1).max(mostWeeks).optional() }),
  response: z.object({ ratings: z.array(WeeklyRating) }),
});

export const rateWeek = endpoint({
  name: 'rateWeek',
  method: 'PUT',
  path: '/api/coach/weekly-ratings/:participantId/:weekNumber',
  access: 'performance.rate',
  summary: "Sets the week's rating of an own participant; refused once that week's stipend is decided.",
  params: z.object({ participantId: Id, weekNumber: z.coerce.number().int().min(1).max(mostWeeks) }),
  body: z.object({ rating: Rating, comment: z.string().trim().max(2000).nullable() }),
  response: WeeklyRating,
});

export const CoachingSession = z.object({
  id: Id,
  participantId: Id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  scheduledAt: Instant,
  durationMinutes: z.number().int(),
  agenda: z.string().nullable(),
  notes: z.string().nullable(),
  status: z.enum(['scheduled', 'completed', 'cancelled', 'no_show']),
  teamsLink: z.string().nullable(),
});
