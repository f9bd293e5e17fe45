import * as contract from '#contract/contents.ts';
import { type App, serve } from '#server/platform/serve.ts';
import * as assignments from './content-assignments.ts';
import { findContents } from './content-queries.ts';
import { createContent, deleteContent, orderContents, updateContent } from './contents.ts';

export function contentRoutes(app: App): void {
  serve(app, contract.listContents, ({ db, params }) => findContents(db, params.id));
  serve(app, contract.createContent, ({ db, actor, params, body }) => createContent(db, actor, params.id, body));
  serve(app, contract.orderContents, ({ db, actor, params, body }) => orderContents(db, actor, params.id, body.ids));
  serve(app, contract.updateContent, ({ db, actor, params, body }) => updateContent(db, actor, params.id, body));
  serve(app, contract.deleteContent, ({ db, actor, params }) => deleteContent(db, actor, params.id));
  serve(app, contract.createContentAssignment, ({ db, actor, body }) =>
    assignments.createContentAssignment(db, actor, body),
  );
  serve(app, contract.orderContentAssignments, ({ db, actor, params, body }) =>
    assignments.orderContentAssignments(db, actor, params.id, body.ids),
  );
  serve(app, contract.updateContentAssignment, ({ db, actor, params, body }) =>
    assignments.updateContentAssignment(db, actor, params.id, body),
  );
  serve(app, contract.deleteContentAssignment, ({ db, actor, params }) =>
    assignments.deleteContentAssignment(db, actor, params.id),
  );
}
