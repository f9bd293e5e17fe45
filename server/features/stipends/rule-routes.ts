import * as contract from '#contract/programmes.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { discardDraft, publish, saveDraft } from './rule-publications.ts';
import { findProgrammeWithRules, findPublicationEffect } from './rule-set-queries.ts';
import { findTrial } from './rule-trials.ts';

export function ruleRoutes(app: App): void {
  serve(app, contract.readProgramme, ({ db, actor, params }) => findProgrammeWithRules(db, actor, params.id));
  serve(app, contract.saveRuleDraft, ({ db, actor, params, body }) => saveDraft(db, actor, params.id, body));
  serve(app, contract.discardRuleDraft, ({ db, actor, params }) => discardDraft(db, actor, params.id));
  serve(app, contract.tryRules, ({ db, params, body }) => findTrial(db, params.id, body));
  serve(app, contract.readPublicationEffect, ({ db, params, query }) =>
    findPublicationEffect(db, params.id, query.fromDay),
  );
  serve(app, contract.publishRules, ({ db, actor, params, body }) => publish(db, actor, params.id, body));
}
