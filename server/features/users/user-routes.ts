import { houseZone } from '#contract/house-zone.ts';
import * as management from '#contract/user-management.ts';
import * as contract from '#contract/users.ts';
import { dayAt } from '#contract/weeks.ts';
import { now } from '#server/platform/clock.ts';
import { type App, requireFreshProof, serve, serveStream } from '#server/platform/serve.ts';
import { deleteUser } from './deletion.ts';
import { inviteAgain, inviteManyAgain, previewInvitations } from './invitations-again.ts';
import { findRoleRequests } from './role-request-queries.ts';
import { approveRoleRequest, declineRoleRequest } from './role-requests.ts';
import { exportUsersAsCsv } from './user-export.ts';
import { findUser, findUserIds, findUsers } from './user-list-queries.ts';
import { updateUser } from './users.ts';

export function userRoutes(app: App): void {
  serve(app, management.listUsers, ({ db, actor, query }) => findUsers(db, actor, query));
  serve(app, management.listUserIds, async ({ db, query }) => ({ ids: await findUserIds(db, query) }));
  serve(app, management.readUser, ({ db, actor, params }) => findUser(db, actor, params.id));
  serve(app, management.updateUser, async ({ db, actor, params, body, request }) => {
    return updateUser(db, actor, params.id, body, () => requireFreshProof(request.identity));
  });
  serve(app, management.deleteUser, async ({ db, actor, params }) => {
    await deleteUser(db, actor, params.id);
    return { done: true as const };
  });
  serve(app, management.resendInvitation, async ({ db, actor, params }) => {
    await inviteAgain(db, actor, params.id, app);
    return { done: true as const };
  });
  serve(app, management.previewInvitations, ({ db, body }) => previewInvitations(db, body.userIds));
  serve(app, management.resendUserInvitations, ({ db, actor, body }) => inviteManyAgain(db, actor, body, app));
  serveStream(app, management.exportUsers, async ({ db, actor, query, reply }) => {
    const list = await exportUsersAsCsv(db, actor, query);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="users-${dayAt(now(), houseZone)}.csv"`)
      .header('cache-control', 'private, no-store')
      .send(list);
  });
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
