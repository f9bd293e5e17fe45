import { z } from 'zod';
import { Cursor, Day, endpoint, Id, IdParams, Instant, pageOf, SearchText } from './endpoint.ts';
import { WaitingAge } from './waiting-age.ts';

/** SUBM-17: every place accepts all of them. */
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

export const SubmittedFile = z.object({ id: Id, name: z.string(), size: z.number().int(), mimeType: z.string() });

export const SubmissionRound = z.object({
  roundNumber: z.number().int(),
  text: z.string().nullable(),
  file: SubmittedFile.nullable(),
  submittedAt: Instant,
  reviewStatus: SubmissionStatus.nullable(),
  feedback: z.string().nullable(),
  pointsEarned: z.number().nullable(),
  reviewerName: z.string().nullable(),
  reviewedAt: Instant.nullable(),
  /** What replaced the review, whose outcome stands above. It is null while nobody corrected it. */
  correction: z
    .object({ formerStatus: SubmissionStatus, reason: z.string(), correctorName: z.string(), correctedAt: Instant })
    .nullable(),
});

const OwnSubmission = z.object({
  id: Id,
  status: SubmissionStatus,
  roundNumber: z.number().int(),
  text: z.string().nullable(),
  file: SubmittedFile.nullable(),
  submittedAt: Instant,
  feedback: z.string().nullable(),
  pointsEarned: z.number().nullable(),
  reviewerName: z.string().nullable(),
  reviewedAt: Instant.nullable(),
  rounds: z.array(SubmissionRound),
});

/** Text and file that are saved but not handed in. */
export const AssignmentDraft = z.object({
  text: z.string(),
  file: SubmittedFile.nullable(),
  updatedAt: Instant,
});

export const readAssignment = endpoint({
  name: 'readAssignment',
  method: 'GET',
  path: '/api/assignments/:id',
  access: 'assignments.read',
  summary: "One assignment with the participant's own submission, its rounds and feedback.",
  shows: ['training', 'submissions', 'people', 'enrolments', 'stipends'],
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
    /** The person's own draft of the round that they would hand in next. */
    draft: AssignmentDraft.nullable(),
    can: z.object({ submit: z.boolean(), resubmit: z.boolean(), grade: z.boolean() }),
    /** Says why the participant cannot hand in now. It is null while they can, and for everybody else. */
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
    /**
     * The round that the person saw. It is null for a first submission. The act refuses it as stale if it is another
     * one by now.
     */
    basedOnRound: z.number().int().nullable(),
  }),
  response: z.object({ id: Id, status: SubmissionStatus, roundNumber: z.number().int() }),
});

const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const PeopleIds = z.string().regex(new RegExp(`^${uuid}(?:,${uuid}){0,99}$`), 'Please give up to 100 ids.');

/** Names the person who has a submission open for review. Until they are done, nobody else decides about it. */
export const ReviewClaim = z.object({
  reviewerId: Id,
  reviewerName: z.string(),
  isOwn: z.boolean(),
  expiresAt: Instant,
});
export type ReviewClaim = z.infer<typeof ReviewClaim>;

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
  pointsEarned: z.number().nullable(),
  maxPoints: z.number().int(),
  hasFile: z.boolean(),
  fileId: Id.nullable(),
  /** Only reviewers get it. Participants do not see who reads their work. */
  claim: ReviewClaim.nullable(),
  /** True if the reviewer who asks has begun a review of it. */
  hasOwnDraft: z.boolean(),
  can: z.object({
    review: z.boolean(),
    correct: z.boolean(),
    resubmit: z.boolean(),
    /** The page of the person who handed it in. */
    openPerson: z.boolean(),
  }),
});
export type SubmissionRow = z.infer<typeof SubmissionRow>;

/** `oldest` puts the longest waiting first. */
export const submissionOrders = ['newest', 'oldest'] as const;
export type SubmissionOrder = (typeof submissionOrders)[number];

export const listSubmissions = endpoint({
  name: 'listSubmissions',
  method: 'GET',
  path: '/api/submissions',
  access: 'submissions.read',
  mayReadReplica: true,
  summary:
    'Submissions: own for participants; all for coaches and admins. Pending ones oldest first, others newest first.',
  shows: ['submissions', 'people', 'coaches', 'training'],
  query: z.object({
    view: z.enum(['all', 'pending']).default('all'),
    status: SubmissionStatus.optional(),
    /** For coaches, it asks for their own participants only. */
    mine: z.enum(['true', 'false']).default('false'),
    /** Searches the participant's name and email address, and the title of the assignment and of its activity. */
    search: SearchText.optional(),
    order: z.enum(submissionOrders).optional(),
    assignment: Id.optional(),
    /** Asks only for what was handed in so long ago. */
    age: WaitingAge.optional(),
    /** Ids of people, separated by commas. It asks only for what they handed in. */
    participants: PeopleIds.optional(),
    cursor: Cursor.optional(),
  }),
  response: pageOf(SubmissionRow).extend({ pendingCount: z.number().int() }),
});
