import { z } from 'zod';
import { Day, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';

/** SUBM-17: all are accepted everywhere. */
export const submissionStatuses = [
  'submitted',
  'reviewed',
  'accepted',
  'approved',
  'needs_revision',
  'rejected',
  'graded',
] as const;
export const SubmissionStatus = z.enum(submissionStatuses);
export type SubmissionStatus = z.infer<typeof SubmissionStatus>;
/** SUBM-09, the default first. */
export const reviewStatuses = ['needs_revision', 'accepted', 'rejected'] as const;

/** ASSIGN-10, ASSIGN-11 */
export const submissionFile = {
  extensions: ['pdf', 'doc', 'docx', 'txt', 'jpg', 'jpeg', 'png', 'gif', 'bmp', 'webp', 'svg'],
  maxBytes: 50 * 1024 * 1024,
};

/** ASSIGN-29 to ASSIGN-33 */
export const submissionStatusLabels: Record<SubmissionStatus | 'none', string> = {
  none: 'Not Submitted',
  submitted: 'Pending Coach Review',
  reviewed: 'Approved - Complete',
  accepted: 'Approved - Complete',
  approved: 'Approved - Complete',
  graded: 'Approved - Complete',
  needs_revision: 'ACTION REQUIRED: Resubmit with Changes',
  rejected: 'Rejected',
};

/** ASSIGN-22 */
export function canResubmit(status: SubmissionStatus): boolean {
  return status === 'needs_revision' || status === 'rejected';
}

const SubmittedFile = z.object({ id: Id, name: z.string(), size: z.number().int(), mimeType: z.string() });

export const SubmissionRound = z.object({
  roundNumber: z.number().int(),
  text: z.string().nullable(),
  file: SubmittedFile.nullable(),
  submittedAt: Instant,
  reviewStatus: SubmissionStatus.nullable(),
  feedback: z.string().nullable(),
  reviewerName: z.string().nullable(),
  reviewedAt: Instant.nullable(),
});

const OwnSubmission = z.object({
  id: Id,
  status: SubmissionStatus,
  roundNumber: z.number().int(),
  text: z.string().nullable(),
  file: SubmittedFile.nullable(),
  submittedAt: Instant,
  feedback: z.string().nullable(),
  reviewerName: z.string().nullable(),
  reviewedAt: Instant.nullable(),
  rounds: z.array(SubmissionRound),
});

export const readAssignment = endpoint({
  name: 'readAssignment',
  method: 'GET',
  path: '/api/assignments/:id',
  access: 'assignments.read',
  summary: "One assignment with the participant's own submission, its rounds and feedback.",
  params: IdParams,
  response: z.object({
    id: Id,
    title: z.string(),
    instructions: z.string(),
    assignmentType: z.string(),
    dueDate: Day.nullable(),
    isRequired: z.boolean(),
    maxPoints: z.number().int(),
    activity: z.object({ id: Id, title: z.string(), weekNumber: z.number().int() }),
    submission: OwnSubmission.nullable(),
    can: z.object({ submit: z.boolean(), resubmit: z.boolean(), grade: z.boolean() }),
    /** Why the participant can't hand in now; null while they can, and for everybody else. */
    refusal: z.string().nullable(),
    today: Day,
  }),
});

export const submitAssignment = endpoint({
  name: 'submitAssignment',
  method: 'PUT',
  path: '/api/assignments/:id/submission',
  access: 'assignments.submit',
  summary: 'Hands in text, a file or both; after needs_revision or rejected it updates the same submission.',
  params: IdParams,
  body: z.object({
    text: z.string().max(200_000).nullable(),
    fileId: Id.nullable(),
    /** The round the person saw: null for a first submission. Refused as stale when it is another one by now. */
    basedOnRound: z.number().int().nullable(),
  }),
  response: z.object({ id: Id, status: SubmissionStatus, roundNumber: z.number().int() }),
});

export const SubmissionRow = z.object({
  id: Id,
  assignmentId: Id,
  assignmentTitle: z.string(),
  activityTitle: z.string(),
  weekNumber: z.number().int(),
  participantId: Id,
  participantName: z.string(),
  status: SubmissionStatus,
  roundNumber: z.number().int(),
  submittedAt: Instant,
  feedback: z.string().nullable(),
  hasFile: z.boolean(),
  fileId: Id.nullable(),
  can: z.object({ review: z.boolean(), resubmit: z.boolean() }),
});
export type SubmissionRow = z.infer<typeof SubmissionRow>;

export const listSubmissions = endpoint({
  name: 'listSubmissions',
  method: 'GET',
  path: '/api/submissions',
  access: 'submissions.read',
  summary:
    'Submissions: own for participants; all for coaches and admins. Pending ones oldest first, others newest first.',
  query: z.object({
    view: z.enum(['all', 'pending']).default('all'),
    status: SubmissionStatus.optional(),
    /** Coaches: only the own participants. */
    mine: z.enum(['true', 'false']).default('false'),
    cursor: z.string().optional(),
  }),
  response: pageOf(SubmissionRow).extend({ pendingCount: z.number().int() }),
});

export const readSubmission = endpoint({
  name: 'readSubmission',
  method: 'GET',
  path: '/api/submissions/:id',
  access: 'submissions.read',
  summary: 'One submission with every round, for its owner and for reviewers.',
  params: IdParams,
  response: SubmissionRow.extend({
    instructions: z.string(),
    maxPoints: z.number().int(),
    rounds: z.array(SubmissionRound),
  }),
});

export const reviewSubmission = endpoint({
  name: 'reviewSubmission',
  method: 'POST',
  path: '/api/submissions/:id/review',
  access: 'submissions.review',
  summary: 'Sets the outcome with feedback; refused as stale when the participant has handed in a newer round.',
  params: IdParams,
  body: z.object({
    status: z.enum(reviewStatuses),
    feedback: z.string().trim().min(1, 'Please provide feedback').max(20_000),
    roundNumber: z.number().int().min(1),
  }),
  response: z.object({ id: Id, status: SubmissionStatus }),
});
