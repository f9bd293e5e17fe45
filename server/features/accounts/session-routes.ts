import { endOtherSessions, endSession, endSessionsOfPerson, listSessions } from '#contract/sessions.ts';
import { listOwnSessions } from '#server/features/accounts/session-queries.ts';
import { endOwnOtherSessions, endOwnSession, signOutPerson } from '#server/features/accounts/sessions.ts';
import type { App } from '#server/platform/app-parts.ts';
import { serve } from '#server/platform/serve.ts';

export function sessionRoutes(app: App): void {
  serve(app, listSessions, ({ db, actor, query }) => listOwnSessions(db, actor, query.cursor));
  serve(app, endSession, async ({ db, actor, params }) => {
    await endOwnSession(db, actor, params.id);
    return { done: true as const };
  });
  serve(app, endOtherSessions, async ({ db, actor }) => ({ ended: await endOwnOtherSessions(db, actor) }));
  serve(app, endSessionsOfPerson, async ({ db, actor, params }) => ({
    ended: await signOutPerson(db, actor, params.id),
  }));
}
