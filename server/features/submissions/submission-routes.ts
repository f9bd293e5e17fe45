import * as contract from '#contract/submissions.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findAssignment, findSubmission, findSubmissions } from './submission-queries.ts';
import { reviewSubmission, submitAssignment } from './submissions.ts';

export function submissionRoutes(app: App): void {
  serve(app, contract.readAssignment, ({ db, actor, params }) => findAssignment(db, actor, params.id));
  serve(app, contract.submitAssignment, ({ db, actor, params, body }) => submitAssignment(db, actor, params.id, body));
  serve(app, contract.listSubmissions, ({ db, actor, query }) => findSubmissions(db, actor, query));
  serve(app, contract.readSubmission, ({ db, actor, params }) => findSubmission(db, actor, params.id));
  serve(app, contract.reviewSubmission, ({ db, actor, params, body }) => reviewSubmission(db, actor, params.id, body));
}
