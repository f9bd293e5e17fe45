import { processBulkInvitations } from '#contract/functions.ts';
import { listImportableCohorts, listImports, readImport } from '#contract/imports.ts';
import { findImportableCohorts } from '#server/features/cohorts/cohort-queries.ts';
import { type App, requireFreshProof, serve } from '#server/platform/serve.ts';
import { grantsPower } from './import-checks.ts';
import { findImport, findImports } from './import-queries.ts';
import { processUpload } from './imports.ts';

export function importRoutes(app: App): void {
  serve(app, processBulkInvitations, ({ db, actor, body, request }) => {
    if (grantsPower(body.records)) requireFreshProof(request.identity);
    return processUpload(db, actor, body);
  });
  serve(app, listImports, ({ db, query }) => findImports(db, query.cursor));
  serve(app, readImport, ({ db, params }) => findImport(db, params.id));
  serve(app, listImportableCohorts, async ({ db }) => ({ cohorts: await findImportableCohorts(db) }));
}
