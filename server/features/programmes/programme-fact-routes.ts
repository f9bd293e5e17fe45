import * as contract from '#contract/programmes.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findProgrammes } from './programme-queries.ts';
import { copyProgramme, updateProgramme } from './programmes.ts';

export function programmeFactRoutes(app: App): void {
  serve(app, contract.listProgrammes, ({ db, query }) => findProgrammes(db, query));
  serve(app, contract.copyProgrammeFacts, ({ db, actor, body }) => copyProgramme(db, actor, body));
  serve(app, contract.updateProgramme, ({ db, actor, params, body }) => updateProgramme(db, actor, params.id, body));
}
