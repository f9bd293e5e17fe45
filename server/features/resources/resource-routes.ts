import * as contract from '#contract/resources.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findLibraryResources, findResource, findResources } from './resource-queries.ts';
import { createResource, deleteResource, updateResource } from './resources.ts';

export function resourceRoutes(app: App): void {
  serve(app, contract.listLibraryResources, ({ db, actor, query }) => findLibraryResources(db, actor, query));
  serve(app, contract.listResources, ({ db, actor, query }) => findResources(db, actor, query));
  serve(app, contract.readResource, ({ db, params }) => findResource(db, params.id));
  serve(app, contract.createResource, ({ db, actor, body }) => createResource(db, actor, body));
  serve(app, contract.updateResource, ({ db, actor, params, body }) => updateResource(db, actor, params.id, body));
  serve(app, contract.deleteResource, async ({ db, actor, params }) => {
    await deleteResource(db, actor, params.id);
    return { done: true as const };
  });
}
