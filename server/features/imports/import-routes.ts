import { processBulkInvitations } from '#contract/documented-functions.ts';
import {
  checkImport,
  listImportRows,
  readImport,
  resendImportInvitations,
  undoImport,
} from '#contract/import-results.ts';
import { listImportableCohorts, listImports } from '#contract/imports.ts';
import { findImportableCohorts } from '#server/features/cohorts/cohort-queries.ts';
import { type App, requireFreshProof, serve } from '#server/platform/serve.ts';
import { grantsPower } from './import-checks.ts';
import { resendInvitations } from './import-invitations.ts';
import { planImport } from './import-plan.ts';
import { findImports } from './import-queries.ts';
import { findImport, findImportRows } from './import-results-queries.ts';
import { takeImportBack } from './import-undo.ts';
import { processUpload } from './imports.ts';

export function importRoutes(app: App): void {
  const closing = new AbortController();
  app.http.addHook('preClose', async () => closing.abort());
  serve(app, processBulkInvitations, ({ db, actor, body, request }) => {
    if (grantsPower(body.records)) requireFreshProof(request.identity);
    return processUpload(db, actor, body, closing.signal);
  });
  serve(app, listImports, ({ db, query }) => findImports(db, query.cursor));
  serve(app, readImport, ({ db, params }) => findImport(db, params.id));
  serve(app, listImportRows, ({ db, params, query }) => findImportRows(db, params.id, query));
  serve(app, checkImport, ({ db, body }) => planImport(db, body.records));
  serve(app, undoImport, ({ db, actor, params }) => takeImportBack(db, actor, params.id));
  serve(app, resendImportInvitations, ({ db, actor, params, body }) =>
    resendInvitations(db, actor, { importId: params.id, rows: body.rows }, app),
  );
  serve(app, listImportableCohorts, async ({ db }) => ({ cohorts: await findImportableCohorts(db) }));
}
