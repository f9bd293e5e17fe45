import * as contract from '#contract/notices.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findNotices } from './notice-queries.ts';
import { channelsOf, findPhones, findPreferences, savePreferences } from './preferences.ts';
import { markAllRead, markRead } from './read-marks.ts';

export function noticeRoutes(app: App): void {
  serve(app, contract.readNotificationPreferences, async ({ db, actor }) => ({
    preferences: await findPreferences(db, actor),
    isSetUp: channelsOf(app.config),
    ...(await findPhones(db, actor)),
  }));
  serve(app, contract.saveNotificationPreferences, ({ db, actor, body }) => savePreferences(db, actor, body));
  serve(app, contract.listNotices, ({ db, actor, query }) => findNotices(db, actor, query.cursor));
  serve(app, contract.markNoticeRead, async ({ db, actor, params }) => {
    await markRead(db, actor, params.id);
    return { done: true as const };
  });
  serve(app, contract.markAllNoticesRead, async ({ db, actor, body }) => {
    await markAllRead(db, actor, body.upToId);
    return { done: true as const };
  });
}
