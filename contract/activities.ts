import { z } from 'zod';
import { Cursor, Day, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';
import { contentTypes } from './learning.ts';
import { canResubmit, SubmissionStatus } from './submissions.ts';

export const ContentItem = z.object({
  id: Id,
  title: z.string(),
  description: z.string().nullable(),
  contentType: z.enum(contentTypes),
  contentUrl: z.string().nullable(),
  contentText: z.string().nullable(),
  fileId: Id.nullable(),
  orderIndex: z.number().int(),
  estimatedMinutes: z.number().int(),
  isRequired: z.boolean(),
  dueDate: Day.nullable(),
  /** The participant's own mark. It is null for everybody else. */
  isTicked: z.boolean().nullable(),
  assignments: z.array(
    z.object({
      id: Id,
      title: z.string(),
      dueDate: Day.nullable(),
      isRequired: z.boolean(),
      /** The participant's own status. It is null without one, and if the reader is no participant. */
      status: z.string().nullable(),
    }),
  ),
});

export type ContentItem = z.infer<typeof ContentItem>;

/**
 * Finds the required items that a participant has not ticked off, or whose required work is not handed in. Returned work
 * is open again.
 */
export function openRequired(items: ContentItem[]): ContentItem[] {
  return items.filter(({ isRequired, isTicked, assignments }) => {
    if (assignments.length === 0) return isRequired && isTicked === false;
    return isRequired && assignments.some((work) => work.isRequired && isOpen(work.status));
  });
}

function isOpen(status: string | null): boolean {
  const known = SubmissionStatus.safeParse(status);
  return !known.success || canResubmit(known.data);
}

export const readActivityContent = endpoint({
  name: 'readActivityContent',
  method: 'GET',
  path: '/api/activities/:id/content',
  access: 'activities.read',
  summary:
    "What is to be read, watched and handed in for an activity, in its order, with the participant's own status.",
  shows: ['training', 'submissions', 'ticks'],
  params: IdParams,
  response: z.object({ items: z.array(ContentItem) }),
});

export const setContentTick = endpoint({
  name: 'setContentTick',
  method: 'PUT',
  path: '/api/content-items/:id/tick',
  access: 'content.tick',
  summary: 'A participant marks a content item as done for themselves, or takes the mark away.',
  params: IdParams,
  body: z.object({ isTicked: z.boolean() }),
  response: z.object({ isTicked: z.boolean() }),
});

const AttendanceRow = z.object({
  participantId: Id,
  name: z.string(),
  email: z.string(),
  attended: z.boolean(),
  recordedAt: Instant.nullable(),
  /** Set only if a coach or admin recorded it. */
  recordedBy: z.string().nullable(),
  reason: z.string().nullable(),
  /** The reason why the absence is excused. Null if it is not. */
  excusedBecause: z.string().nullable(),
  /** Why nobody can excuse it, or take the excuse back. It is null if somebody can. */
  excuseRefusal: z.string().nullable(),
  /** Why nobody can correct this row. It is null if somebody can. */
  refusal: z.string().nullable(),
});
export type AttendanceRow = z.infer<typeof AttendanceRow>;

export const readAttendance = endpoint({
  name: 'readAttendance',
  method: 'GET',
  path: '/api/activities/:id/attendance',
  access: 'attendance.correct',
  summary:
    'The people an activity is for, by name, and whether they attended: own participants for a coach, all for an admin.',
  shows: ['attendance', 'people', 'enrolments', 'coaches', 'training'],
  params: IdParams,
  query: z.object({ search: z.coerce.string().max(200).optional(), cursor: Cursor.optional() }),
  response: pageOf(AttendanceRow).extend({
    /** They count the people whom the search finds. */
    attendedCount: z.number().int(),
    totalCount: z.number().int(),
  }),
});

export const correctAttendance = endpoint({
  name: 'correctAttendance',
  method: 'PUT',
  path: '/api/activities/:id/attendance/:participantId',
  access: 'attendance.correct',
  summary:
    'A coach (own participants) or an admin records or corrects attendance, with a reason, until the stipend is decided.',
  params: z.object({ id: Id, participantId: Id }),
  body: z.object({ attended: z.boolean(), reason: z.string().trim().min(1, 'Please say why.').max(500) }),
  response: z.object({ attended: z.boolean() }),
});
