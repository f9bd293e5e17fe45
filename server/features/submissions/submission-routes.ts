import * as drafts from '#contract/assignment-drafts.ts';
import * as contract from '#contract/submissions.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { discardAssignmentDraft, saveAssignmentDraft } from './assignment-drafts.ts';
import { findAssignment } from './submission-queries.ts';
import { submitAssignment } from './submissions.ts';

export function submissionRoutes(app: App): void {
  serve(app, contract.readAssignment, ({ db, actor, params }) => findAssignment(db, actor, params.id));
  serve(app, drafts.saveAssignmentDraft, ({ db, actor, params, body }) =>
    saveAssignmentDraft(db, actor, params.id, body),
  );
  serve(app, drafts.discardAssignmentDraft, ({ db, actor, params }) => discardAssignmentDraft(db, actor, params.id));
  serve(app, contract.submitAssignment, ({ db, actor, params, body }) => submitAssignment(db, actor, params.id, body));
}
