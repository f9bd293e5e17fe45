import * as contract from '#contract/users.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findRoleRequests } from './role-request-queries.ts';
import { approveRoleRequest, declineRoleRequest } from './role-requests.ts';

export function userRoutes(app: App): void {
  serve(app, contract.listRoleRequests, ({ db, query }) => findRoleRequests(db, query.cursor));
  serve(app, contract.approveRoleRequest, async ({ db, actor, params, body }) => {
    await approveRoleRequest(db, actor, params.id, body.requestedRole, app.config.publicUrl);
    return { done: true as const };
  });
  serve(app, contract.declineRoleRequest, async ({ db, actor, params, body }) => {
    await declineRoleRequest(db, actor, params.id, body.requestedRole, app.config.publicUrl);
    return { done: true as const };
  });
}
