import { z } from 'zod';
import { endpoint, Id, IdParams, Instant } from './endpoint.ts';
import { ReviewClaim, SubmissionRound, SubmissionRow, SubmissionStatus } from './submissions.ts';

/** SUBM-09. The default comes first. */
export const reviewStatuses = ['needs_revision', 'accepted', 'rejected'] as const;
export const ReviewStatus = z.enum(reviewStatuses);

/** Out of the assignment's `maxPoints`, in hundredths at the finest. */
const PointsEarned = z.number().min(0).max(99_999.99).multipleOf(0.01).nullable();

/** For this long (milliseconds) a reviewer who opens a submission has it to themselves. */
export const claimLengthInMs = 10 * 60 * 1000;

/** A tab that closes may only be loading again. For this long (milliseconds) nobody else gets its submission. */
export const claimLengthAfterClosingInMs = 30 * 1000;

/** For this long (milliseconds) reviewers can take back what they sent. Only afterward is the participant told. */
export const takeBackInMs = 60 * 1000;

const longestFeedback = 20_000;

/** A reviewer has begun to write this, and nobody else reads it. */
const ReviewDraft = z.object({
  roundNumber: z.number().int().min(1),
  status: ReviewStatus,
  feedback: z.string().max(longestFeedback),
  pointsEarned: PointsEarned,
});

export const readSubmission = endpoint({
  name: 'readSubmission',
  method: 'GET',
  path: '/api/submissions/:id',
  access: 'submissions.read',
  summary: 'One submission with every round, for its owner and for reviewers, who get their own draft of a review too.',
  shows: ['submissions', 'people', 'coaches', 'stipends', 'training'],
  params: IdParams,
  response: SubmissionRow.extend({
    participantFirstName: z.string(),
    instructions: z.string(),
    rounds: z.array(SubmissionRound),
    draft: ReviewDraft.extend({ updatedAt: Instant }).nullable(),
    /** Until then the person who asks can take their review back. It is null if they cannot. */
    takeBackUntil: Instant.nullable(),
  }),
});

export const reviewSubmission = endpoint({
  name: 'reviewSubmission',
  method: 'POST',
  path: '/api/submissions/:id/review',
  access: 'submissions.review',
  summary:
    'Sets the outcome with feedback and points; refused as stale when a newer round or review is there, and while another reviewer has it open.',
  params: IdParams,
  body: z.object({
    status: ReviewStatus,
    feedback: z.string().trim().min(1, 'Please provide feedback').max(longestFeedback),
    pointsEarned: PointsEarned.default(null),
    /** The round that the reviewer read. */
    roundNumber: z.number().int().min(1),
  }),
  response: z.object({
    id: Id,
    status: SubmissionStatus,
    reviewedAt: Instant,
    /** It is null if the review cannot be taken back, because the week's stipend is decided. */
    takeBackUntil: Instant.nullable(),
  }),
});

export const takeReviewBack = endpoint({
  name: 'takeReviewBack',
  method: 'POST',
  path: '/api/submissions/:id/review-retraction',
  access: 'submissions.review',
  summary:
    "Takes the reviewer's own review back within a minute; it becomes their draft again, and the participant is told nothing.",
  params: IdParams,
  /** The review that is meant, by its instant. */
  body: z.object({ reviewedAt: Instant }),
  response: z.object({ id: Id, status: SubmissionStatus }),
});

export const correctReview = endpoint({
  name: 'correctReview',
  method: 'POST',
  path: '/api/submissions/:id/correction',
  access: 'submissions.review',
  summary:
    "Replaces the outcome of the newest round, with a reason that the participant reads; for its reviewer and admins, until the week's stipend is decided.",
  params: IdParams,
  body: z.object({
    status: ReviewStatus,
    feedback: z.string().trim().min(1, 'Please provide feedback').max(longestFeedback),
    pointsEarned: PointsEarned.default(null),
    reason: z.string().trim().min(1, 'Please say why').max(1000),
    /** The round and the outcome that the person read. */
    roundNumber: z.number().int().min(1),
    formerStatus: SubmissionStatus,
  }),
  response: z.object({ id: Id, status: SubmissionStatus }),
});

export const saveReviewDraft = endpoint({
  name: 'saveReviewDraft',
  method: 'PUT',
  path: '/api/submissions/:id/review-draft',
  access: 'submissions.review',
  summary: "Keeps the reviewer's own unfinished review; one without words and points is thrown away.",
  params: IdParams,
  body: ReviewDraft,
  response: z.object({ updatedAt: Instant.nullable() }),
});

export const claimReview = endpoint({
  name: 'claimReview',
  method: 'PUT',
  path: '/api/submissions/:id/review-claim',
  access: 'submissions.review',
  summary: 'Opens a submission for review for ten minutes, or prolongs that; answers who has it open now.',
  shows: [],
  params: IdParams,
  response: z.object({ claim: ReviewClaim }),
});

export const releaseReview = endpoint({
  name: 'releaseReview',
  method: 'DELETE',
  path: '/api/submissions/:id/review-claim',
  access: 'submissions.review',
  summary:
    'Lets others review a submission that this reviewer has open: at once, or shortly after their tab has closed; without a claim nothing happens.',
  params: IdParams,
  query: z.object({ left: z.enum(['now', 'tab']).default('now') }),
  response: z.object({ isReleased: z.boolean() }),
});
