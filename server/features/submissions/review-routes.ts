import * as contract from '#contract/reviews.ts';
import * as comments from '#contract/saved-comments.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { claimReview, releaseReview } from './review-claims.ts';
import { correctReview } from './review-corrections.ts';
import { saveReviewDraft } from './review-drafts.ts';
import { takeReviewBack } from './review-retractions.ts';
import { reviewSubmission } from './reviews.ts';
import { findSavedComments } from './saved-comment-queries.ts';
import { createSavedComment, deleteSavedComment, updateSavedComment } from './saved-comments.ts';
import { findSubmission, findSubmissions } from './submission-list-queries.ts';

export function reviewRoutes(app: App): void {
  serve(app, listSubmissions, ({ db, actor, query }) => findSubmissions(db, actor, query));
  serve(app, contract.readSubmission, ({ db, actor, params }) => findSubmission(db, actor, params.id));
  serve(app, contract.reviewSubmission, ({ db, actor, params, body }) => reviewSubmission(db, actor, params.id, body));
  serve(app, contract.correctReview, ({ db, actor, params, body }) => correctReview(db, actor, params.id, body));
  serve(app, contract.takeReviewBack, ({ db, actor, params, body }) =>
    takeReviewBack(db, actor, params.id, body.reviewedAt),
  );
  serve(app, contract.saveReviewDraft, ({ db, actor, params, body }) => saveReviewDraft(db, actor, params.id, body));
  serve(app, contract.claimReview, ({ db, actor, params }) => claimReview(db, actor, params.id));
  serve(app, contract.releaseReview, ({ db, actor, params, query }) => releaseReview(db, actor, params.id, query.left));
  serve(app, comments.listSavedComments, ({ db, actor, query }) => findSavedComments(db, actor, query));
  serve(app, comments.createSavedComment, ({ db, actor, body }) => createSavedComment(db, actor, body));
  serve(app, comments.updateSavedComment, ({ db, actor, params, body }) =>
    updateSavedComment(db, actor, params.id, body),
  );
  serve(app, comments.deleteSavedComment, async ({ db, actor, params }) => {
    await deleteSavedComment(db, actor, params.id);
    return { done: true as const };
  });
}
