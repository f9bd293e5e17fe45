import * as contract from '#contract/finding.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { find } from './finding-queries.ts';

export function findingRoutes(app: App): void {
  serve(app, contract.find, ({ db, actor, query }) => find(db, actor, query.words));
}
