import { z } from 'zod';
import { Cursor, Day, Done, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';
import { WaitingAge } from './waiting-age.ts';

export const correctionStatuses = ['open', 'accepted', 'declined', 'withdrawn'] as const;

const OwnCorrection = z.object({
  id: Id,
  /** What the participant says is right. */
  attended: z.boolean(),
  reason: z.string(),
  askedAt: Instant,
  status: z.enum(correctionStatuses),
  answer: z.string().nullable(),
  answeredAt: Instant.nullable(),
  answeredBy: z.string().nullable(),
});
export type OwnCorrection = z.infer<typeof OwnCorrection>;

const AttendanceCorrection = OwnCorrection.extend({
  participantId: Id,
  participantName: z.string(),
  activityId: Id,
  activityTitle: z.string(),
  sessionDate: Day.nullable(),
  weekNumber: z.number().int(),
  /** The reason why it cannot be accepted any more. Null if it can. */
  refusal: z.string().nullable(),
});
export type AttendanceCorrection = z.infer<typeof AttendanceCorrection>;

export const askForAttendanceCorrection = endpoint({
  name: 'askForAttendanceCorrection',
  method: 'POST',
  path: '/api/activities/:id/attendance-corrections',
  access: 'attendance.ask',
  summary: 'A participant asks for the correction of their attendance, until the stipend of the week is decided.',
  params: IdParams,
  body: z.object({
    attended: z.boolean(),
    reason: z.string().trim().min(1, 'Please say what is wrong.').max(500),
  }),
  response: z.object({ id: Id }),
});

export const readOwnAttendanceCorrections = endpoint({
  name: 'readOwnAttendanceCorrections',
  method: 'GET',
  path: '/api/activities/:id/attendance-corrections',
  access: 'attendance.ask',
  summary: 'The own requests about one activity, newest first, at most twenty, and whether another can be made.',
  shows: ['corrections', 'attendance', 'training'],
  params: IdParams,
  response: z.object({
    rows: z.array(OwnCorrection),
    /** The reason why nothing can be asked now. Null if it can. */
    refusal: z.string().nullable(),
  }),
});

export const withdrawAttendanceCorrection = endpoint({
  name: 'withdrawAttendanceCorrection',
  method: 'DELETE',
  path: '/api/attendance-corrections/:id',
  access: 'attendance.ask',
  summary: 'A participant takes an open request back.',
  params: IdParams,
  response: Done,
});

export const listAttendanceCorrections = endpoint({
  name: 'listAttendanceCorrections',
  method: 'GET',
  path: '/api/attendance-corrections',
  access: 'attendance.correct',
  mayReadReplica: true,
  summary:
    "Requests of own participants, everybody's for an admin: open ones by their age, answered ones newest first.",
  shows: ['corrections', 'attendance', 'people', 'coaches', 'training'],
  query: z.object({
    state: z.enum(['open', 'answered']).default('open'),
    /** Asks only for those that wait for so long. */
    age: WaitingAge.optional(),
    cursor: Cursor.optional(),
  }),
  response: pageOf(AttendanceCorrection),
});

export const answerAttendanceCorrection = endpoint({
  name: 'answerAttendanceCorrection',
  method: 'PUT',
  path: '/api/attendance-corrections/:id/answer',
  access: 'attendance.correct',
  summary:
    "The participant's coach or an admin accepts a request, which corrects the record, or declines it with a reason.",
  params: IdParams,
  body: z
    .object({ accepts: z.boolean(), answer: z.string().trim().max(500) })
    .refine(({ accepts, answer }) => accepts || answer !== '', {
      path: ['answer'],
      message: 'Please say why you decline it.',
    }),
  response: Done,
});
