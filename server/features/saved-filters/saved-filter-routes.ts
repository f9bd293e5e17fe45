import * as contract from '#contract/saved-filters.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findSavedFilters } from './saved-filter-queries.ts';
import { removeSavedFilters, renameSavedFilters, saveFilters } from './saved-filters.ts';

export function savedFilterRoutes(app: App): void {
  serve(app, contract.listSavedFilters, async ({ db, actor, query }) => ({
    rows: await findSavedFilters(db, actor, query.list),
  }));
  serve(app, contract.saveFilters, ({ db, actor, body }) => saveFilters(db, actor, body));
  serve(app, contract.renameSavedFilters, ({ db, actor, params, body }) =>
    renameSavedFilters(db, actor, params.id, body.name),
  );
  serve(app, contract.removeSavedFilters, async ({ db, actor, params }) => {
    await removeSavedFilters(db, actor, params.id);
    return { done: true as const };
  });
}
