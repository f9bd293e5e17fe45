import { endOtherSessions, endSession, endSessionsOfPerson, listSessions } from '#contract/sessions.ts';
import { listSignIns, listSignInsOfPerson } from '#contract/sign-in-records.ts';
import { listOwnSessions } from '#server/features/accounts/sessions/session-queries.ts';
import {
  endOwnOtherSessions,
  endOwnSession,
  requirePresent,
  signOutPerson,
} from '#server/features/accounts/sessions/sessions.ts';
import { findSignIns } from '#server/features/accounts/sessions/sign-in-record-queries.ts';
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
  serve(app, listSignIns, ({ db, actor, query }) => findSignIns(db, actor.id, query.cursor));
  serve(app, listSignInsOfPerson, async ({ db, params, query }) => {
    await requirePresent(db, params.id);
    return findSignIns(db, params.id, query.cursor);
  });
}
