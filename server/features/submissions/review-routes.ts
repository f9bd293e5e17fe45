import * as contract from '#contract/reviews.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { claimReview, releaseReview } from './review-claims.ts';
import { correctReview } from './review-corrections.ts';
import { saveReviewDraft } from './review-drafts.ts';
import { reviewSubmission } from './reviews.ts';
import { findSubmission, findSubmissions } from './submission-list-queries.ts';

export function reviewRoutes(app: App): void {
  serve(app, listSubmissions, ({ db, actor, query }) => findSubmissions(db, actor, query));
  serve(app, contract.readSubmission, ({ db, actor, params }) => findSubmission(db, actor, params.id));
  serve(app, contract.reviewSubmission, ({ db, actor, params, body }) => reviewSubmission(db, actor, params.id, body));
  serve(app, contract.correctReview, ({ db, actor, params, body }) => correctReview(db, actor, params.id, body));
  serve(app, contract.saveReviewDraft, ({ db, actor, params, body }) => saveReviewDraft(db, actor, params.id, body));
  serve(app, contract.claimReview, ({ db, actor, params }) => claimReview(db, actor, params.id));
  serve(app, contract.releaseReview, ({ db, actor, params, query }) => releaseReview(db, actor, params.id, query.left));
}
